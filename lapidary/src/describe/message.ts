/** Every sentence that the toolkit says to a client or to a programmer: where, what was expected, what came, what to do. */

const listed = (words: readonly string[]): string => (words.length === 0 ? 'nothing' : words.join(', '))

/** Sentences for the client: the `detail` of a problem, or of one entry of its `errors`. */
export const answer = {
  noSuchPath: (): string => 'There is nothing at this path.',
  badPath: (): string => 'The path cannot be read: a percent sign starts two hexadecimal digits, and what they spell is UTF-8.',
  badCapture: (route: string): string => `The path has the form of ${route}, but a part of it cannot be read.`,
  wrongMethod: (method: string, allowed: string): string => `${method} is not offered here. Allowed: ${allowed}.`,
  noCredentials: (scheme: string): string => `Valid credentials are needed here (${scheme}).`,
  notAcceptable: (offered: readonly string[]): string => `None of the types in Accept is offered here. Offered: ${listed(offered)}.`,
  noContentType: (accepted: readonly string[]): string => `The request has no Content-Type. Accepted here: ${listed(accepted)}.`,
  wrongContentType: (accepted: readonly string[]): string => `This Content-Type is not accepted here. Accepted: ${listed(accepted)}.`,
  wrongCharset: (): string => 'Bodies are UTF-8: leave the charset out, or send charset=utf-8.',
  wrongEncoding: (): string => 'Bodies are sent as they are: leave Content-Encoding out, or send identity.',
  badInput: (part: string): string => `The ${part} cannot be read; "errors" says where and why.`,
  noSuchFile: (): string => 'There is no such file here.',
  bodyTooLarge: (limit: number): string => `The body is larger than the ${limit} bytes accepted here.`,
  bodyCutOff: (): string => 'The body ended before it was complete.',
  lineCutOff: (): string => 'The stream ended within a line.',
  notHttp: (): string => 'This is no HTTP/1.1 request that can be understood.',
  tooSlow: (): string => 'The request did not arrive whole in time. Send it again, faster.',
  headersTooLarge: (): string => 'The headers are too large, or too many. Send fewer, or shorter ones.',
  chunkExtensions: (): string => 'The chunk extensions are too large. Leave them out.',
  twoHosts: (): string => 'The request has more than one Host header. Send one.',
  unexpected: (): string => 'Something unexpected went wrong here. Quote the request id when you ask about it.',
} as const

/** What documentation says of the answers that the toolkit itself gives. */
export const refusal = {
  unreadable: (): string => 'Some part of the request cannot be read; `errors` says which, and what was expected there.',
  noCredentials: (): string => 'The credentials are missing or wrong.',
  notAcceptable: (): string => 'None of the types in `Accept` is offered.',
  bodyTooLarge: (): string => 'The body is larger than the server takes.',
  unsupported: (): string =>
    'The body has no `Content-Type`, one that is not accepted, a charset other than UTF-8 or a `Content-Encoding`.',
  unexpected: (): string => 'Something unexpected went wrong; `requestId` is to be quoted.',
} as const

/** What was expected of one value, to stand behind "expected". */
export const expectation = {
  integer: (): string => 'an integer such as 42, within ±9007199254740991',
  number: (): string => 'a number such as 1.5',
  boolean: (): string => 'true or false',
  date: (): string => 'a calendar date such as 2024-02-29',
  oneOf: (names: readonly string[]): string => `one of ${names.join(', ')}`,
  oneValue: (count: number): string => `one value, got ${count}`,
  present: (): string => 'a value, got nothing',
  percentEncoding: (): string => 'percent-encoded UTF-8',
  utf8: (): string => 'UTF-8 text',
  json: (position: string | undefined): string => `JSON${position === undefined ? '' : `; it goes wrong at character ${position}`}`,
  jsonDepth: (limit: number): string => `JSON nested at most ${limit} deep`,
  exactNumber: (): string => 'a number that can be kept exactly: at most ±9007199254740991 where it is whole, and no overflow',
} as const

/** Sentences for the programmer: each says what is wrong and how to mend it. */
export const complaint = {
  routeForm: (route: string): string => `"${route}" is not a route. Write a method, one space and a path, such as "GET /users/:id".`,
  captureTwice: (route: string, name: string): string => `${route} has the capture :${name} twice. Give each capture a name of its own.`,
  noCapture: (route: string, name: string): string =>
    `${route} has a codec for "${name}" but no capture :${name}. Write :${name} in the path, or leave the codec out.`,
  captureCodec: (route: string, name: string): string =>
    `${route}: a capture is always there, once. Give :${name} a plain codec such as int, without optional, many or flag.`,
  bodyOnRead: (route: string): string =>
    `${route} has a body, but a body on GET, HEAD or OPTIONS has no meaning. Use query parameters, or POST.`,
  unreadableBody: (route: string, type: string): string =>
    `${route} takes ${type} as its body, but that medium can only be written. Use json, form, text or octets.`,
  headerName: (route: string, name: string): string =>
    `${route}: "${name}" is not a header name. Use letters, digits and hyphens, such as X-Request-Id.`,
  headerTwice: (route: string, name: string): string =>
    `${route} declares the header "${name}" twice in different case. Header names have no case: declare it once.`,
  reservedHeader: (route: string, name: string): string =>
    `${route} declares the header "${name}", which the toolkit keeps itself. Leave it out.`,
  noMedia: (): string => 'content() needs at least one medium after the schema, such as content(User, json).',
  noJsonSchema: (vendor: string, reason: string): string =>
    `This ${vendor} schema cannot give its JSON Schema (${reason}). Use a schema whose "~standard" has jsonSchema (zod 4.2+, ArkType 2.1.28+, Valibot through @valibot/to-json-schema), and only types that JSON has.`,
  status: (status: number): string => `${status} is not a status. Use a whole number from 200 to 599.`,
  statusWithBody: (status: number): string => `An answer with status ${status} never has a body. Leave the body out.`,
  prefixForm: (prefix: string): string =>
    `"${prefix}" is not a prefix. Write a path without captures and without a slash at its end, such as "/users".`,
  basicCredentials: (): string => 'A user name of Basic credentials has no colon, and neither it nor the password control characters.',
  bearerToken: (): string => 'A bearer token has only letters, digits and -._~+/, with = at its end.',
  notAnApi: (name: string): string => `${name} is neither an endpoint, a mount nor a record of them.`,
  sameRoute: (one: string, other: string, route: string): string =>
    `"${one}" and "${other}" both answer ${route}. Give one of them another path or method.`,
  sameMount: (one: string, other: string, prefix: string): string =>
    `"${one}" and "${other}" are both mounted at ${prefix}. Give one of them another prefix.`,
  noHandler: (name: string, route: string): string =>
    `${route} ("${name}") has no handler. Add a function under "${name}" to the handlers.`,
  strayHandler: (name: string): string => `There is a handler "${name}", but no such endpoint. Remove it, or add the endpoint to the api.`,
  noCheck: (route: string, scheme: string): string =>
    `${route} asks for the auth scheme "${scheme}", but serve() was given no check for it. Add { auth: [check(${scheme}, verify)] } as the third argument.`,
  captureValue: (route: string, name: string): string =>
    `${route}: the capture :${name} is empty or missing, or "." or "..", which no path segment can hold. Give it another value.`,
  response: (route: string, flaw: string): string =>
    `${route} answered with a value that its description does not allow: ${flaw.replace(/\.$/, '')}. Mend the handler, or the schema.`,
  responseHeaderValue: (route: string, name: string, flaw: string): string =>
    `${route} answered with the header ${name}, which its description does not allow. ${flaw} Mend the handler, or the codec.`,
  notWritten: (type: string, got: string): string => `The medium ${type} wrote ${got}, expected text, bytes or a stream of them.`,
  unsendable: (status: number, flaw: string): string =>
    `An error of status ${status} cannot be sent: ${flaw}. Raise it with a status from 300 to 599, header names that are tokens, and printable Latin-1 values.`,
  responseHeader: (route: string, name: string): string =>
    `${route}: the response header ${name} must be printable Latin-1 text without line breaks. Encode it.`,
  missingHeaders: (route: string): string => `${route} declares response headers: return withHeaders(body, headers).`,
  unwritableExample: (place: string, type: string, reason: string): string =>
    `${place}: the example for ${type} cannot be written: ${reason}. Give the endpoint "examples" that its description allows, or give its schema some.`,
  noRoot: (): string => 'files() was given an empty root. Name the folder to serve, such as files("./static-files").',
  listenerCarrier: (): string => 'A Node listener can only be mounted on the node:http carrier. Mount a kernel or a fetch handler instead.',
  unprintable: (value: unknown, expected: string): string => `${String(value)} cannot be written here: expected ${expected}.`,
} as const
