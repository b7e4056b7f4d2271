/** Every sentence that the toolkit says to whoever calls: where, what was expected, what came, what to do. Those for programmers stand in `complaint.ts`, those of a client in `failure.ts`. */
const joinOrNothing = (words) => (words.length === 0 ? 'nothing' : words.join(', '))
/** Sentences for the client: the `detail` of a problem, or of one entry of its `errors`. */
export const problemDetail = {
  noSuchPath: () => 'There is nothing at this path.',
  badPath: () => 'The path cannot be read: a percent sign starts two hexadecimal digits, and what they spell is UTF-8.',
  badCapture: (route) => `The path has the form of ${route}, but a part of it cannot be read.`,
  wrongMethod: (method, allowed) => `${method} is not offered here. Allowed: ${allowed}.`,
  noCredentials: (scheme) => `Valid credentials are needed here (${scheme}).`,
  notAcceptable: (offered) => `None of the types in Accept is offered here. Offered: ${joinOrNothing(offered)}.`,
  noContentType: (accepted) => `The request has no Content-Type. Accepted here: ${joinOrNothing(accepted)}.`,
  wrongContentType: (accepted) => `This Content-Type is not accepted here. Accepted: ${joinOrNothing(accepted)}.`,
  wrongCharset: () => 'Bodies are UTF-8: leave the charset out, or send charset=utf-8.',
  wrongEncoding: () => 'Bodies are sent as they are: leave Content-Encoding out, or send identity.',
  badInput: (part) => `The ${part} cannot be read; "errors" says where and why.`,
  preconditionFailed: () =>
    'What is here now is not what the request takes it for. Get it again, and send its ETag as it came, quotes included.',
  preconditionRequired: () =>
    'Changes are made here only on the condition that nobody else has made one. Send the ETag of what is to be changed in If-Match.',
  noSuchFile: () => 'There is no such file here.',
  bodyTooLarge: (limit) => `The body is larger than the ${limit} bytes accepted here.`,
  bodyCutOff: () => 'The body ended before it was complete.',
  lineCutOff: () => 'The stream ended within a line.',
  tooLate: () => 'The answer could not be made in time. Try again in a moment.',
  overloaded: () => 'More is asked here than can be answered in time. Try again in a moment.',
  unexpected: () => 'Something unexpected went wrong here. Quote the request id when you ask about it.',
}
/** What adapters say by themselves. Apart from the others, so that no client's bundle has it. */
export const adapterDetail = {
  notHttp: () => 'This is no HTTP/1.1 request that can be understood.',
  tooSlow: () => 'The request did not arrive whole in time. Send it again, faster.',
  headersTooLarge: () => 'The headers are too large, or too many. Send fewer, or shorter ones.',
  tooManyConnections: () => 'There are more connections here than can be served. Try again in a moment.',
  chunkExtensions: () => 'The chunk extensions are too large. Leave them out.',
  expectation: () => 'No expectation but 100-continue can be met. Send the request without the Expect header.',
  oneHost: () => 'The request has no Host header, more than one, or one that is no host. Send one, such as example.org:8080.',
  oneLength: () => 'The request has more than one Content-Length. Send one.',
  oldChunks: () => 'HTTP/1.0 has no Transfer-Encoding. Send a Content-Length, or ask by HTTP/1.1.',
  noTunnel: () => 'There are no tunnels here. Ask for what is wanted itself, without CONNECT.',
  noSuchMethod: (method) => `${method} is not understood here.`,
  notNormal: () =>
    'What is behind this path reads URLs in their normal form alone, and this is another: expected a host in lower case, no dot segments, no backslash, no fragment, and what URLs do not hold percent-encoded.',
  numberTooLarge: () => 'The body has a number in it that is too large to be kept. Send a smaller one.',
  http2: () =>
    'HTTP/2 is not spoken here: ask by HTTP/1.1. Whoever runs this server gives its listener to node:https in place of node:http2.',
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
