/**
 * Sentences for the programmer: each says what is wrong and how to mend it. One export each, so that a bundle for a browser has those that it may say.
 * Used as `import * as complaint from './complaint.ts'`.
 */
export const invalidRoute = (route) => `"${route}" is not a route. Write a method, one space and a path, such as "GET /users/:id".`
export const invalidRouteSegment = (route, segment) =>
  `"${route}" has the segment "${segment}", which is no pattern here. Write :name for one segment of any text, and mount("/files") for all paths below one.`
export const unknownEndpointOption = (route, part, parts) => `${route} has the unknown part "${part}". Choose among ${parts}.`
export const expectedCodec = (route, place, got) =>
  `${route}: ${place} is ${got}, expected a codec. Write int, text, optional(text) or scalar({ … }) there; schemas are for bodies.`
export const expectedReply = (route, place, got) =>
  `${route}: ${place} is ${got}, expected a reply. Write ok(User), noContent or reply(409, User) there.`
export const expectedErrorList = (route, got) =>
  `${route}: errors is ${got}, expected a list of replies. Write [reply(404), reply(409, User)] there.`
export const duplicateErrorStatus = (route, status) =>
  `${route}: its response and one of its errors have the status ${status}, so that no client can tell them apart. Give one of them another.`
export const indistinguishableErrors = (route, status, member) =>
  `${route}: two of its errors of status ${status} cannot be told apart, and the first would lose "${member}" of the second. Declare the one with more members first, or give both a member with constants that differ.`
export const expectedAuthScheme = (route, got) =>
  `${route}: auth is ${got}, expected an auth scheme. Write basic("people"), bearer("secret") or scheme({ … }) there.`
export const expectedSchema = () =>
  'A body needs a Standard Schema or a medium. Write a schema of zod 4.2+ or ArkType 2.1.28+ (TypeBox, Effect and plain JSON Schema are none by themselves), or json, text, form or octets.'
export const duplicateCapture = (route, name) => `${route} has the capture :${name} twice. Give each capture a name of its own.`
export const codecWithoutCapture = (route, name) =>
  `${route} has a codec for "${name}" but no capture :${name}. Write :${name} in the path, or leave the codec out.`
export const invalidCaptureCodec = (route, name) =>
  `${route}: a capture is always there, once. Give :${name} a plain codec such as int, without optional, many or flag.`
export const bodyOnGet = (route) => `${route} has a body, but a body on GET, HEAD or OPTIONS has no meaning. Use query parameters, or POST.`
export const unreadableRequestBody = (route, type) =>
  `${route} takes ${type} as its body, but that medium can only be written. Use json, form, text or octets.`
export const invalidHeaderName = (route, name) =>
  `${route}: "${name}" is not a header name. Use letters, digits and hyphens, such as X-Request-Id.`
export const duplicateHeader = (route, name) =>
  `${route} declares the header "${name}" twice in different case. Header names have no case: declare it once.`
export const reservedHeader = (route, name) => `${route} declares the header "${name}", which the toolkit keeps itself. Leave it out.`
export const missingMediaType = () => 'content() needs at least one medium after the schema, such as content(User, json).'
export const missingJsonSchema = (vendor, reason) =>
  `This ${vendor} schema cannot give its JSON Schema (${reason}). Use a schema whose "~standard" has jsonSchema (zod 4.2+, but neither zod/mini nor zod/v3, ArkType 2.1.28+, Valibot through @valibot/to-json-schema), and only types that JSON has.`
export const invalidStatus = (status) => `${status} is not a status. Use a whole number from 200 to 599.`
export const bodyNotAllowed = (status) => `An answer with status ${status} never has a body. Leave the body out.`
export const invalidPrefix = (prefix) =>
  `"${prefix}" is not a prefix. Write a path without captures and without a slash at its end, such as "/users".`
export const invalidBasicCredentials = () =>
  'A user name of Basic credentials has no colon, and neither it nor the password control characters.'
export const invalidBearerToken = () => 'A bearer token has only letters, digits and -._~+/, with = at its end.'
export const invalidApi = (name) => `${name} is neither an endpoint, a mount nor a record of them.`
export const duplicateRoute = (one, other, route) =>
  `"${one}" and "${other}" both answer ${route}. Give one of them another path or method.`
export const duplicateMount = (one, other, prefix) =>
  `"${one}" and "${other}" are both mounted at ${prefix}. Give one of them another prefix.`
export const missingHandler = (name, route) => `${route} ("${name}") has no handler. Add a function under "${name}" to the handlers.`
export const unknownHandler = (name) => `There is a handler "${name}", but no such endpoint. Remove it, or add the endpoint to the api.`
export const unknownServeOption = (option, options) => `serve() has the unknown option "${option}". Choose among ${options}.`
export const invalidBodyLimit = (limit) =>
  `bodyLimit is ${String(limit)}, expected a number of bytes from 0. Write 1_048_576 for 1 MB, or leave it out.`
export const missingAuthenticator = (route, scheme) =>
  `${route} asks for the auth scheme "${scheme}", but serve() was given no check for it. Add { auth: [check(${scheme}, verify)] } as the third argument.`
export const invalidCaptureValue = (route, name) =>
  `${route}: the capture :${name} is empty or missing, or "." or "..", which no path segment can hold. Give it another value.`
export const invalidMatchBase = (base) =>
  `"${base}" is not where an API can be. Give match() an address or a path as its base, without a query or a fragment, such as "https://example.org/api".`
export const invalidResponse = (route, flaw) =>
  `${route} answered with a value that its description does not allow: ${flaw.replace(/\.$/, '')}. Mend the handler, or the schema.`
export const invalidResponseHeader = (route, name, flaw) =>
  `${route} answered with the header ${name}, which its description does not allow. ${flaw} Mend the handler, or the codec.`
export const invalidEncodedBody = (type, got) => `The medium ${type} wrote ${got}, expected text, bytes or a stream of them.`
export const unsendableError = (status, flaw) =>
  `An error of status ${status} cannot be sent: ${flaw}. Raise it with a status from 300 to 599, header names that are tokens, and printable Latin-1 values.`
export const invalidClientBase = () =>
  'The base of a client is the address of a server, without credentials and query: client(api, "https://example.org/api").'
export const authSchemeWithoutHeaders = (scheme) =>
  `The auth scheme "${scheme}" does not say how a request shows its credentials. Give scheme() a "headers" function.`
export const unreadableResponse = (route) =>
  `${route} answers only in media that cannot be read. Give one of them a "reader", or use link() and fetch().`
export const unsupportedRequestType = (route, type, types) => `${route} does not take ${type}. Choose one of ${types}.`
const headerValueRule = 'must be printable Latin-1 text, without spaces around it or commas in the elements of a list. Encode it.'
export const invalidRequestHeader = (route, name) => `${route}: the header ${name} ${headerValueRule}`
export const invalidRequestValue = (route, flaw) => `${route} cannot be called with this: ${flaw.replace(/\.?$/, '.')}`
export const unsendableResponseHeader = (route, name) => `${route}: the response header ${name} ${headerValueRule}`
export const missingResponseHeaders = (route) => `${route} declares response headers: return withHeaders(body, headers).`
export const unwritableExample = (place, type, reason) =>
  `${place}: the example for ${type} cannot be written: ${reason}. Give the endpoint "examples" that its description allows, or give its schema some.`
export const invalidEtagOption = (route) =>
  `${route} has an "etag" of the wrong kind. Write true on a GET, and "optional" or "required" on a change at the same path.`
export const etagNotSupported = (route) =>
  `${route} has an "etag", but what it answers is not one body that is there as a whole, with the status 200. Leave "etag" out, or answer so.`
export const missingEtagOnGet = (route) =>
  `${route} makes changes on the condition of an ETag, but no GET of its path has one. Add "etag: true" to that GET, or leave "etag" out.`
export const uncheckedPrecondition = (route) =>
  `${route} was answered without its precondition. Call precondition(current) in the transaction that writes, with what a GET would answer.`
export const missingStaticRoot = () => 'files() was given an empty root. Name the folder to serve, such as files("./static-files").'
export const nodeListenerNeedsNode = () =>
  'A Node listener can only be mounted on the node:http adapter. Mount a kernel or a fetch handler instead.'
export const bodyAlreadyRead = () =>
  'The body of this request was read before it came to listener(), and what was sent cannot be told from what is left of it in request.body. Put listener() in front of the parser (express.json(), express.urlencoded()), or let express.raw({ type: "*/*" }) be the one for its paths.'
export const http2NotSupported = () =>
  'listener() was given to node:http2, which it cannot answer by: every request over HTTP/2 is refused. Give it to https.createServer(options, listener(server)), and let a proxy in front speak HTTP/2.'
export const bunRequired = () =>
  'lapidary/bun listens by Bun.serve, and this is not Bun. Run the program with bun, or import listen from lapidary/node.'
export const unsendableHeader = (name) =>
  `The answer has a header that cannot be sent: ${JSON.stringify(name)}. Names are tokens, values Latin-1 without line breaks.`
export const invalidContentLength = (stated, length) =>
  length === undefined
    ? `The answer says Content-Length: ${JSON.stringify(stated)}: expected one whole number. State the length of the body, or leave it out.`
    : `The answer says Content-Length: ${JSON.stringify(stated)}, and its body has ${length} bytes. State the length of the body, or leave it out.`
export const unexpectedTransferEncoding = () =>
  'The answer has a Transfer-Encoding that is not its own. Leave the header out: the adapter frames the body.'
export const unsendableStatus = (status) => `The answer has the status ${status}: expected a whole number from 100 to 999.`
export const illFormedText = () =>
  'A text with half of a surrogate pair has no UTF-8. Call toWellFormed() on it, or send it in JSON, which can escape it.'
export const invalidFormValue = (name) =>
  `A form has no text for the value of "${name}": expected a text, a number, a boolean or a list of them. Leave it out, or send JSON.`
export const unencodableValue = (value, expected) => `${String(value)} cannot be written here: expected ${expected}.`
export const credentialsWithAnyOrigin = () =>
  'cors() cannot share credentials with every origin: pages of anybody could act for whoever visits them. Name the origins, or leave credentials out.'
export const unknownMockEndpoint = (name) =>
  `The mock was told of "${name}", but there is no such endpoint. Give it a name that walk(api) tells, or leave it out.`
export const unknownMockMount = (name) =>
  `The mock was given a kernel for "${name}", but there is no such mount. Give it a name that walk(api) tells, or leave it out.`
export const invalidFaultRate = (name, value) => `${name} is ${String(value)}, expected a part of all requests: a number from 0 to 1.`
export const invalidDelay = (least, most) =>
  `The delay is from ${String(least)} to ${String(most)}, expected milliseconds from 0, the larger number behind.`
export const invalidSeed = (value) => `The seed is ${String(value)}, expected a whole number.`
export const failingErrorHandler = () => 'The function "onError" has failed itself. Mend it; what it was told of follows.'
export const unprintableError = () =>
  'An error was reported that throws while it is printed. Give serve() an "onError" that knows its kind, or throw another error.'
export const unexpectedPromise = (what) => `${what} gave a promise, expected a value. Make it synchronous: nothing waits for it.`
export const invalidHttpResponse = (got) =>
  `A kernel answered with ${got}, expected an object with "status", "headers" and "body". Return one, or a promise of one.`
export const invalidStreamChunk = (got) =>
  `A stream gave a piece of type ${got}, expected a text or a Uint8Array. Write out what it stands for before it is yielded.`
export const invalidProblemFormat = () => 'The function "format" gave what cannot be sent. Return { type, body }: a media type and a text.'
export const unknownCheckEndpoint = (name, names) =>
  `There is no endpoint "${name}" to check, nor a group of that name. There are ${names}.`
export const unwritableCredentials = (scheme) =>
  `The credentials for "${scheme}" cannot be written as headers: its scheme refuses them. Give them in the form that it takes; its "example" shows one.`
export const invalidManifest = (where, expected) =>
  `${where === '' ? 'The manifest' : `The manifest, at "${where}"`}: expected ${expected}. Make it anew with "lapidary manifest".`
