/**
 * Sentences for the programmer: each says what is wrong and how to mend it. One export each, so that a bundle for a browser has those that it may say.
 * Used as `import * as complaint from './complaint.ts'`.
 */

export const routeForm = (route: string): string =>
  `"${route}" is not a route. Write a method, one space and a path, such as "GET /users/:id".`
export const routeSegment = (route: string, segment: string): string =>
  `"${route}" has the segment "${segment}", which is no pattern here. Write :name for one segment of any text, and mount("/files") for all paths below one.`
export const unknownPart = (route: string, part: string, parts: string): string =>
  `${route} has the unknown part "${part}". Choose among ${parts}.`
export const codec = (route: string, place: string, got: string): string =>
  `${route}: ${place} is ${got}, expected a codec. Write int, text, optional(text) or scalar({ … }) there; schemas are for bodies.`
export const reply = (route: string, place: string, got: string): string =>
  `${route}: ${place} is ${got}, expected a reply. Write ok(User), noContent or reply(409, User) there.`
export const errorList = (route: string, got: string): string =>
  `${route}: errors is ${got}, expected a list of replies. Write [reply(404), reply(409, User)] there.`
export const errorStatus = (route: string, status: number): string =>
  `${route}: its response and one of its errors have the status ${status}, so that no client can tell them apart. Give one of them another.`
export const likeErrors = (route: string, status: number, member: string): string =>
  `${route}: two of its errors of status ${status} cannot be told apart, and the first would lose "${member}" of the second. Declare the one with more members first, or give both a member with constants that differ.`
export const authScheme = (route: string, got: string): string =>
  `${route}: auth is ${got}, expected an auth scheme. Write basic("people"), bearer("secret") or scheme({ … }) there.`
export const noSchema = (): string =>
  'A body needs a Standard Schema or a medium. Write a schema of zod 4.2+ or ArkType 2.1.28+ (TypeBox, Effect and plain JSON Schema are none by themselves), or json, text, form or octets.'
export const captureTwice = (route: string, name: string): string =>
  `${route} has the capture :${name} twice. Give each capture a name of its own.`
export const noCapture = (route: string, name: string): string =>
  `${route} has a codec for "${name}" but no capture :${name}. Write :${name} in the path, or leave the codec out.`
export const captureCodec = (route: string, name: string): string =>
  `${route}: a capture is always there, once. Give :${name} a plain codec such as int, without optional, many or flag.`
export const bodyOnRead = (route: string): string =>
  `${route} has a body, but a body on GET, HEAD or OPTIONS has no meaning. Use query parameters, or POST.`
export const unreadableBody = (route: string, type: string): string =>
  `${route} takes ${type} as its body, but that medium can only be written. Use json, form, text or octets.`
export const headerName = (route: string, name: string): string =>
  `${route}: "${name}" is not a header name. Use letters, digits and hyphens, such as X-Request-Id.`
export const headerTwice = (route: string, name: string): string =>
  `${route} declares the header "${name}" twice in different case. Header names have no case: declare it once.`
export const reservedHeader = (route: string, name: string): string =>
  `${route} declares the header "${name}", which the toolkit keeps itself. Leave it out.`
export const noMedia = (): string => 'content() needs at least one medium after the schema, such as content(User, json).'
export const noJsonSchema = (vendor: string, reason: string): string =>
  `This ${vendor} schema cannot give its JSON Schema (${reason}). Use a schema whose "~standard" has jsonSchema (zod 4.2+, but neither zod/mini nor zod/v3, ArkType 2.1.28+, Valibot through @valibot/to-json-schema), and only types that JSON has.`
export const status = (status: number): string => `${status} is not a status. Use a whole number from 200 to 599.`
export const statusWithBody = (status: number): string => `An answer with status ${status} never has a body. Leave the body out.`
export const prefixForm = (prefix: string): string =>
  `"${prefix}" is not a prefix. Write a path without captures and without a slash at its end, such as "/users".`
export const basicCredentials = (): string =>
  'A user name of Basic credentials has no colon, and neither it nor the password control characters.'
export const bearerToken = (): string => 'A bearer token has only letters, digits and -._~+/, with = at its end.'
export const notAnApi = (name: string): string => `${name} is neither an endpoint, a mount nor a record of them.`
export const sameRoute = (one: string, other: string, route: string): string =>
  `"${one}" and "${other}" both answer ${route}. Give one of them another path or method.`
export const sameMount = (one: string, other: string, prefix: string): string =>
  `"${one}" and "${other}" are both mounted at ${prefix}. Give one of them another prefix.`
export const noHandler = (name: string, route: string): string =>
  `${route} ("${name}") has no handler. Add a function under "${name}" to the handlers.`
export const strayHandler = (name: string): string =>
  `There is a handler "${name}", but no such endpoint. Remove it, or add the endpoint to the api.`
export const unknownOption = (option: string, options: string): string =>
  `serve() has the unknown option "${option}". Choose among ${options}.`
export const bodyLimit = (limit: unknown): string =>
  `bodyLimit is ${String(limit)}, expected a number of bytes from 0. Write 1_048_576 for 1 MB, or leave it out.`
export const noCheck = (route: string, scheme: string): string =>
  `${route} asks for the auth scheme "${scheme}", but serve() was given no check for it. Add { auth: [check(${scheme}, verify)] } as the third argument.`
export const captureValue = (route: string, name: string): string =>
  `${route}: the capture :${name} is empty or missing, or "." or "..", which no path segment can hold. Give it another value.`
export const matchBase = (base: string): string =>
  `"${base}" is not where an API can be. Give match() an address or a path as its base, without a query or a fragment, such as "https://example.org/api".`
export const response = (route: string, flaw: string): string =>
  `${route} answered with a value that its description does not allow: ${flaw.replace(/\.$/, '')}. Mend the handler, or the schema.`
export const responseHeaderValue = (route: string, name: string, flaw: string): string =>
  `${route} answered with the header ${name}, which its description does not allow. ${flaw} Mend the handler, or the codec.`
export const notWritten = (type: string, got: string): string =>
  `The medium ${type} wrote ${got}, expected text, bytes or a stream of them.`
export const unsendable = (status: number, flaw: string): string =>
  `An error of status ${status} cannot be sent: ${flaw}. Raise it with a status from 300 to 599, header names that are tokens, and printable Latin-1 values.`
export const clientBase = (): string =>
  'The base of a client is the address of a server, without credentials and query: client(api, "https://example.org/api").'
export const unshownScheme = (scheme: string): string =>
  `The auth scheme "${scheme}" does not say how a request shows its credentials. Give scheme() a "headers" function.`
export const unreadableAnswers = (route: string): string =>
  `${route} answers only in media that cannot be read. Give one of them a "reader", or use link() and fetch().`
export const requestType = (route: string, type: string, types: string): string => `${route} does not take ${type}. Choose one of ${types}.`
const headerForm = 'must be printable Latin-1 text, without spaces around it or commas in the elements of a list. Encode it.'
export const requestHeader = (route: string, name: string): string => `${route}: the header ${name} ${headerForm}`
export const requestValue = (route: string, flaw: string): string => `${route} cannot be called with this: ${flaw.replace(/\.?$/, '.')}`
export const responseHeader = (route: string, name: string): string => `${route}: the response header ${name} ${headerForm}`
export const missingHeaders = (route: string): string => `${route} declares response headers: return withHeaders(body, headers).`
export const unwritableExample = (place: string, type: string, reason: string): string =>
  `${place}: the example for ${type} cannot be written: ${reason}. Give the endpoint "examples" that its description allows, or give its schema some.`
export const etagOfMethod = (route: string): string =>
  `${route} has an "etag" of the wrong kind. Write true on a GET, and "optional" or "required" on a change at the same path.`
export const noTag = (route: string): string =>
  `${route} has an "etag", but what it answers is not one body that is there as a whole, with the status 200. Leave "etag" out, or answer so.`
export const noRepresentation = (route: string): string =>
  `${route} makes changes on the condition of an ETag, but no GET of its path has one. Add "etag: true" to that GET, or leave "etag" out.`
export const uncheckedPrecondition = (route: string): string =>
  `${route} was answered without its precondition. Call precondition(current) in the transaction that writes, with what a GET would answer.`
export const noRoot = (): string => 'files() was given an empty root. Name the folder to serve, such as files("./static-files").'
export const listenerCarrier = (): string =>
  'A Node listener can only be mounted on the node:http carrier. Mount a kernel or a fetch handler instead.'
export const bodyRead = (): string =>
  'The body of this request was read before it came to listener(), and what was sent cannot be told from what is left of it in request.body. Put listener() in front of the parser (express.json(), express.urlencoded()), or let express.raw({ type: "*/*" }) be the one for its paths.'
export const notByHttp2 = (): string =>
  'listener() was given to node:http2, which it cannot answer by: every request over HTTP/2 is refused. Give it to https.createServer(options, listener(server)), and let a proxy in front speak HTTP/2.'
export const notOnBun = (): string =>
  'lapidary/bun listens by Bun.serve, and this is not Bun. Run the program with bun, or import listen from lapidary/node.'
export const unsendableHeader = (name: string): string =>
  `The answer has a header that cannot be sent: ${JSON.stringify(name)}. Names are tokens, values Latin-1 without line breaks.`
export const contentLength = (stated: string, length: number | undefined): string =>
  length === undefined
    ? `The answer says Content-Length: ${JSON.stringify(stated)}: expected one whole number. State the length of the body, or leave it out.`
    : `The answer says Content-Length: ${JSON.stringify(stated)}, and its body has ${length} bytes. State the length of the body, or leave it out.`
export const transferEncoding = (): string =>
  'The answer has a Transfer-Encoding that is not its own. Leave the header out: the adapter frames the body.'
export const unsendableStatus = (status: number): string => `The answer has the status ${status}: expected a whole number from 100 to 999.`
export const illFormed = (): string =>
  'A text with half of a surrogate pair has no UTF-8. Call toWellFormed() on it, or send it in JSON, which can escape it.'
export const formValue = (name: string): string =>
  `A form has no text for the value of "${name}": expected a text, a number, a boolean or a list of them. Leave it out, or send JSON.`
export const unprintable = (value: unknown, expected: string): string => `${String(value)} cannot be written here: expected ${expected}.`
export const credentialsForAnyone = (): string =>
  'cors() cannot share credentials with every origin: pages of anybody could act for whoever visits them. Name the origins, or leave credentials out.'
export const noSuchEndpoint = (name: string): string =>
  `The mock was told of "${name}", but there is no such endpoint. Give it a name that walk(api) tells, or leave it out.`
export const noSuchMount = (name: string): string =>
  `The mock was given a kernel for "${name}", but there is no such mount. Give it a name that walk(api) tells, or leave it out.`
export const faultPart = (name: string, value: unknown): string =>
  `${name} is ${String(value)}, expected a part of all requests: a number from 0 to 1.`
export const delayTimes = (least: unknown, most: unknown): string =>
  `The delay is from ${String(least)} to ${String(most)}, expected milliseconds from 0, the larger number behind.`
export const seedNumber = (value: unknown): string => `The seed is ${String(value)}, expected a whole number.`
export const failedReport = (): string => 'The function "report" has failed itself. Mend it; what it was told of follows.'
export const unprintableError = (): string =>
  'An error was reported that throws while it is printed. Give serve() a "report" that knows its kind, or throw another error.'
export const promised = (what: string): string => `${what} gave a promise, expected a value. Make it synchronous: nothing waits for it.`
export const noOutgoing = (got: string): string =>
  `A kernel answered with ${got}, expected an object with "status", "headers" and "body". Return one, or a promise of one.`
export const noPiece = (got: string): string =>
  `A stream gave a piece of type ${got}, expected a text or a Uint8Array. Write out what it stands for before it is yielded.`
export const problemFormat = (): string => 'The function "format" gave what cannot be sent. Return { type, body }: a media type and a text.'
export const noEndpointToCheck = (name: string, names: string): string =>
  `There is no endpoint "${name}" to check, nor a group of that name. There are ${names}.`
export const unwrittenCredentials = (scheme: string): string =>
  `The credentials for "${scheme}" cannot be written as headers: its scheme refuses them. Give them in the form that it takes; its "example" shows one.`
export const brokenManifest = (where: string, expected: string): string =>
  `${where === '' ? 'The manifest' : `The manifest, at "${where}"`}: expected ${expected}. Make it anew with "lapidary manifest".`
