/** Messages for the programmer about servers, hosts and processes: what is wrong, then the cure. */

export const nodeListenerNeedsNode = (): string =>
  'A Node listener can only be mounted on the node:http adapter. Mount a request handler or a fetch handler instead.'
export const bodyReadTwice = (): string =>
  'The body of this request was already read, by body() or bodyStream(), and its bytes are gone. Read it once: declare it in the endpoint (with rawBody for a signature), or read it in middleware and pass on a request that has the bytes.'
export const bodyAlreadyRead = (): string =>
  'Another parser read the body of this request before toNodeListener() got it, and request.body is not what was sent. Put toNodeListener() in front of the parser (express.json(), express.urlencoded()), or use express.raw({ type: "*/*" }) for its paths.'
export const requestAlreadyRead = (): string =>
  'Another reader read the body of this Request before fetch() of the server got it, and a body can be read only once. Give the Request to the server first, or make a new one of what was read: new Request(request, { body }).'
export const http2NotSupported = (): string =>
  'toNodeListener() does not support node:http2: every request over HTTP/2 is rejected. Use https.createServer(options, toNodeListener(server)), and a proxy in front for HTTP/2.'
export const lambdaRequired = (): string =>
  'toLambdaStreamHandler() needs the global awslambda, and this is not the Node.js runtime of AWS Lambda. Elsewhere, such as in tests, use toLambdaHandler() or server.fetch.'
export const unknownLambdaEvent = (): string =>
  'The event is no request in payload format 2.0. Invoke the function by a function URL, or by an HTTP API with that format; a REST API, a load balancer and a test event of the console have other ones.'
export const bunRequired = (): string =>
  'lapidary/bun needs Bun.serve, and this is not Bun. Run the program with bun, or import listen from lapidary/node.'
export const invalidContentLength = (stated: string, length: number | undefined): string =>
  length === undefined
    ? `The response has Content-Length: ${JSON.stringify(stated)}, expected one integer. Set it to the length of the body, or remove it.`
    : `The response has Content-Length: ${JSON.stringify(stated)}, but its body has ${length} bytes. Set it to the length of the body, or remove it.`
export const lengthOfNoContent = (): string =>
  'The response has Content-Length, which a response of status 204 must not have (RFC 9110 §8.6). Remove the header.'
export const unexpectedTransferEncoding = (): string =>
  'The response has a Transfer-Encoding. Remove the header: the adapter frames the body.'
export const unsendableHttp2Header = (name: string): string =>
  `The response has a header that cannot be sent, ${JSON.stringify(name)}. Its name must be a token, and its value Latin-1 text without line breaks.`
export const tlsWithoutKey = (found: string): string =>
  `listen(): tls has no certificate (${found}). Give it a key and a cert, as PEM: tls: { key: readFileSync("key.pem"), cert: readFileSync("cert.pem") }. A pfx or an SNICallback does as well.`
export const tlsNotUsed = (): string =>
  'setSecureContext() needs a server that listens over TLS, and this one does not. Give listen() the option tls.'
export const pathWithPort = (): string =>
  'listen() has both a path and a port or a host. A server listens on one of them: leave out the path, or the others.'
export const invalidStreamChunk = (got: string): string =>
  `A stream yielded a chunk of type ${got}, expected a text or a Uint8Array. Encode it before you yield it.`
export const invalidRunTarget = (got: string): string =>
  `run() has ${got} to run, expected a handler, a server that listens, or a list of those. Write run(serve(api, handlers), { port: 8081 }), or run([listen(one), listen(two)]).`
export const runCalledTwice = (): string =>
  'run() is called a second time in this process: each call would end what the other one has started. Give one call all servers: run([listen(one), listen(two)]).'
export const expectedAbortSignal = (place: string): string =>
  `${place} has to be an AbortSignal. Write new AbortController().signal, or remove the option.`
