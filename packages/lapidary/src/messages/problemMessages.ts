/** Messages to HTTP clients, in problem details (RFC 9457): what is wrong, and what to send instead. */

const joinOrNothing = (words: readonly string[]): string => (words.length === 0 ? 'nothing' : words.join(', '))

const formatSeconds = (seconds: number): string => (seconds === 1 ? 'one second' : `${seconds.toLocaleString('en-US')} seconds`)

/** The `detail` of a problem. */
export const problemDetail = {
  noSuchPath: (): string => 'There is nothing at this path.',
  badPath: (): string =>
    'The path is not valid percent-encoded UTF-8. Encode every other byte as a percent sign and two hexadecimal digits.',
  badCapture: (route: string): string => `The path matches ${route}, but a part of it is invalid.`,
  wrongMethod: (method: string, allowed: string): string => `${method} is not supported by this resource. Allowed: ${allowed}.`,
  noCredentials: (scheme: string): string => `This resource requires valid credentials (${scheme}).`,
  crossSite: (): string => 'A page of another site made this request. The server does not allow its origin.',
  missingScopes: (scopes: readonly string[]): string => `The credentials need the scopes ${scopes.join(', ')}.`,
  notAcceptable: (offered: readonly string[]): string => `None of the types in Accept is available. Available: ${joinOrNothing(offered)}.`,
  noContentType: (accepted: readonly string[]): string => `The request has no Content-Type. Accepted: ${joinOrNothing(accepted)}.`,
  wrongContentType: (accepted: readonly string[]): string => `This Content-Type is not accepted. Accepted: ${joinOrNothing(accepted)}.`,
  wrongCharset: (): string => 'The body must be UTF-8. Leave the charset out, or send charset=utf-8.',
  wrongEncoding: (): string => 'This Content-Encoding is not accepted. Leave it out, or send one of the Accept-Encoding of this response.',
  malformedEncoding: (codings: string): string =>
    `The body ends early or is malformed. Encode it as its Content-Encoding says: ${codings}.`,
  badInput: (part: string): string => `The ${part} is invalid; "errors" says where and why.`,
  badLine: (line: number): string => `Line ${line} of the body is invalid; "errors" says where and why.`,
  badPatch: (): string => 'The change would make the resource invalid; "errors" says where and why.',
  tooManyParts: (limit: number): string => `The form has more than ${limit} parts.`,
  formTextsTooLarge: (limit: number): string => `The texts of the form have more than ${limit} bytes together.`,
  fileTooLarge: (name: string): string => `The file "${name}" is too large.`,
  wrongFileType: (name: string): string => `The file "${name}" has a type that is not accepted.`,
  storageFull: (): string => 'The server has no room for the body. Try again later.',
  preconditionFailed: (): string =>
    'The resource is not in the state that the request expects. Fetch it again and send its new ETag in If-Match, quotes included.',
  preconditionRequired: (): string =>
    'A change to this resource needs a condition, so that no other change is lost. Send the ETag of the resource in If-Match.',
  keyInUse: (): string => 'A request with this Idempotency-Key is still being processed. Send the same request again in a moment.',
  keyReused: (): string =>
    'This Idempotency-Key belongs to another request: its URL, its body, or a header or cookie that the resource depends on differs. Send a new key for a new request.',
  responseNotKept: (): string =>
    'The request with this Idempotency-Key has been processed, and its response was too large to be sent a second time. It was not processed again. Send a new key to run it once more.',
  tooManyKeys: (): string => 'Too many requests with an Idempotency-Key are being processed. Try again in a moment.',
  noSuchFile: (): string => 'This file does not exist.',
  bodyTooLarge: (limit: number): string => `The body is larger than the limit of ${limit} bytes.`,
  bodyCutOff: (): string => 'The body ended before it was complete.',
  tooLate: (): string => 'The server could not answer in time. Try again in a moment.',
  quotaExceeded: (quota: number, window: number, wait: number): string =>
    `More than ${quota.toLocaleString('en-US')} requests in ${formatSeconds(window)}. Try again in ${formatSeconds(wait)}.`,
  overloaded: (): string => 'The server is overloaded. Try again in a moment.',
  unexpected: (): string => 'An unexpected error occurred. Quote the request id when you report it.',
} as const

// Apart from the others: a bundle of a client that reads streams has these two alone.
export const eventCutOff = (): string => 'The stream ended in the middle of an event.'
export const lineCutOff = (): string => 'The stream ended in the middle of a line.'

/** The `detail` of problems of signed requests. No bundle of a client contains it. */
export const signedRequestDetail = {
  idInUse: (): string => 'A request with this id is still being processed. Send the same request again in a moment.',
  idReused: (): string => 'This id belongs to another request, whose body differs. Send a new id with it.',
} as const

/** The `detail` of a process that is not ready. No bundle of a client contains it. */
export const notReadyDetail = {
  shuttingDown: (): string => 'The server is shutting down.',
  failedChecks: (names: readonly string[]): string =>
    `The server is not ready: ${names.map((name) => JSON.stringify(name)).join(', ')} cannot be used right now.`,
} as const

/** The `detail` of 416. No bundle of a client contains it. */
export const unsatisfiableRangeDetail = (size: number): string =>
  `The file has ${size} bytes, and none of them is in the range. Send a Range that begins before its end.`

/** The `detail` of a problem that an adapter responds with. An object of its own, so that no bundle of a client contains it. */
export const adapterDetail = {
  notHttp: (): string => 'The request is not valid HTTP/1.1.',
  tooSlow: (): string => 'The request did not arrive completely in time. Send it again, faster.',
  headersTooLarge: (): string => 'The headers are too large or too many. Send fewer or shorter ones.',
  tooManyConnections: (): string => 'The server has too many connections. Try again in a moment.',
  chunkExtensions: (): string => 'The chunk extensions are too large. Leave them out.',
  expectation: (): string => 'The only expectation that the server meets is 100-continue. Send the request without the Expect header.',
  oneHost: (): string =>
    'The request has no Host header, several Host headers, or an invalid one. Send exactly one, such as example.org:8080.',
  oneLength: (): string => 'The request has more than one Content-Length. Send one.',
  oldChunks: (): string => 'HTTP/1.0 has no Transfer-Encoding. Send a Content-Length, or use HTTP/1.1.',
  noTunnel: (): string => 'The server is not a proxy and does not support CONNECT.',
  noSuchMethod: (method: string): string => `The server does not implement ${method}.`,
  notNormal: (): string =>
    'The resource at this path needs a URL in normal form: a host in lower case, no dot segments, no backslash, no fragment, and all other characters percent-encoded.',
  numberTooLarge: (): string => 'The body contains a number that a 64-bit float cannot hold. Send a smaller one.',
  needsTls: (): string => 'This port speaks TLS, and the request came without. Use https in place of http.',
  http2: (): string => 'The server does not support HTTP/2. Use HTTP/1.1. Its operator can use node:https instead of node:http2.',
} as const
