/** Every sentence that the toolkit says to whoever calls: where, what was expected, what came, what to do. Those for programmers stand in `complaint.ts`, those of a client in `failure.ts`. */
const joinOrNothing = (words) => (words.length === 0 ? 'nothing' : words.join(', '))
/** Sentences for the client: the `detail` of a problem, or of one entry of its `errors`. */
export const problemDetail = {
  noSuchPath: () => 'There is nothing at this path.',
  badPath: () => 'The path is not valid percent-encoded UTF-8. Encode each other byte as a percent sign and two hexadecimal digits.',
  badCapture: (route) => `The path matches ${route}, but a part of it is invalid.`,
  wrongMethod: (method, allowed) => `${method} is not supported by this resource. Allowed: ${allowed}.`,
  noCredentials: (scheme) => `This resource requires valid credentials (${scheme}).`,
  notAcceptable: (offered) => `None of the types in Accept is available. Available: ${joinOrNothing(offered)}.`,
  noContentType: (accepted) => `The request has no Content-Type. Accepted: ${joinOrNothing(accepted)}.`,
  wrongContentType: (accepted) => `This Content-Type is not accepted. Accepted: ${joinOrNothing(accepted)}.`,
  wrongCharset: () => 'The body must be UTF-8. Leave the charset out, or send charset=utf-8.',
  wrongEncoding: () => 'The body must not be encoded. Leave Content-Encoding out, or send identity.',
  badInput: (part) => `The ${part} is invalid; "errors" says where and why.`,
  preconditionFailed: () =>
    'The resource is not in the state that the request expects. Fetch it again and send its new ETag in If-Match, quotes included.',
  preconditionRequired: () =>
    'A change to this resource needs a condition, so that no other change is lost. Send the ETag of the resource in If-Match.',
  noSuchFile: () => 'This file does not exist.',
  bodyTooLarge: (limit) => `The body is larger than the limit of ${limit} bytes.`,
  bodyCutOff: () => 'The body ended before it was complete.',
  lineCutOff: () => 'The stream ended in the middle of a line.',
  tooLate: () => 'The server could not answer in time. Try again in a moment.',
  overloaded: () => 'The server is overloaded. Try again in a moment.',
  unexpected: () => 'An unexpected error occurred. Quote the request id when you report it.',
}
/** What adapters say by themselves. Apart from the others, so that no client's bundle has it. */
export const adapterDetail = {
  notHttp: () => 'The request is not valid HTTP/1.1.',
  tooSlow: () => 'The request did not arrive completely in time. Send it again, faster.',
  headersTooLarge: () => 'The headers are too large or too many. Send fewer or shorter ones.',
  tooManyConnections: () => 'The server has too many connections. Try again in a moment.',
  chunkExtensions: () => 'The chunk extensions are too large. Leave them out.',
  expectation: () => 'The only expectation that the server meets is 100-continue. Send the request without the Expect header.',
  oneHost: () => 'The request has no Host header, several, or an invalid one. Send one, such as example.org:8080.',
  oneLength: () => 'The request has more than one Content-Length. Send one.',
  oldChunks: () => 'HTTP/1.0 has no Transfer-Encoding. Send a Content-Length, or use HTTP/1.1.',
  noTunnel: () => 'The server is not a proxy and does not support CONNECT.',
  noSuchMethod: (method) => `The server does not implement ${method}.`,
  notNormal: () =>
    'The resource at this path needs a URL in normal form: a host in lower case, no dot segments, no backslash, no fragment, and all other characters percent-encoded.',
  numberTooLarge: () => 'The body contains a number that a 64-bit float cannot hold. Send a smaller one.',
  http2: () =>
    'The server does not support HTTP/2. Use HTTP/1.1. Its operator can use node:https in place of node:http2.',
}
/** What a mock says. Apart from the others, so that no client's bundle has it. */
export const mockDetail = {
  noExample: (route) => `No value was found that ${route} may answer. Give the endpoint an example, or the mock an answer of its own.`,
  page: (route) => `This is a mock: what ${route} answers is made by its server alone.`,
  notHere: (id) => `There is nothing with the identifier ${id} here.`,
  full: () => 'Every identifier that there is has an item already. Remove one.',
  removed: () => 'What was here was removed.',
  notMounted: (prefix) => `Nothing is mounted at ${prefix}: this is a mock. Give it a kernel for this name in "mounts".`,
  unavailable: () => 'This is a fault that the mock was asked for. Try again in a moment.',
}
/** What was expected of one value, to stand behind "expected". */
export const expectation = {
  integer: () => 'an integer such as 42, within ±9007199254740991',
  number: () => 'a number such as 1.5',
  boolean: () => 'true or false',
  date: () => 'a calendar date such as 2024-02-29',
  oneOf: (names) => `one of ${names.join(', ')}`,
  oneValue: (count) => `one value, got ${count}`,
  present: () => 'a value, got nothing',
  percentEncoding: () => 'percent-encoded UTF-8',
  pairs: (limit) => `at most ${limit} pairs of a name and a value`,
  utf8: () => 'UTF-8 text',
  json: (position) => `JSON${position === undefined ? '' : `; it goes wrong at character ${position}`}`,
  jsonDepth: (limit) => `JSON nested at most ${limit} deep`,
  exactNumber: () => 'a number that a 64-bit float keeps: without overflow, and to its last digit where it comes out whole',
}
