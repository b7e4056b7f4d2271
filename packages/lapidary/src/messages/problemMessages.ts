/** Every sentence that the toolkit says to whoever calls: where, what was expected, what came, what to do. Those for programmers stand in `complaint.ts`, those of a client in `failure.ts`. */

const joinOrNothing = (words: readonly string[]): string => (words.length === 0 ? 'nothing' : words.join(', '))

/** Sentences for the client: the `detail` of a problem, or of one entry of its `errors`. */
export const problemDetail = {
  noSuchPath: (): string => 'There is nothing at this path.',
  badPath: (): string => 'The path cannot be read: a percent sign starts two hexadecimal digits, and what they spell is UTF-8.',
  badCapture: (route: string): string => `The path has the form of ${route}, but a part of it cannot be read.`,
  wrongMethod: (method: string, allowed: string): string => `${method} is not offered here. Allowed: ${allowed}.`,
  noCredentials: (scheme: string): string => `Valid credentials are needed here (${scheme}).`,
  notAcceptable: (offered: readonly string[]): string => `None of the types in Accept is offered here. Offered: ${joinOrNothing(offered)}.`,
  noContentType: (accepted: readonly string[]): string => `The request has no Content-Type. Accepted here: ${joinOrNothing(accepted)}.`,
  wrongContentType: (accepted: readonly string[]): string =>
    `This Content-Type is not accepted here. Accepted: ${joinOrNothing(accepted)}.`,
  wrongCharset: (): string => 'Bodies are UTF-8: leave the charset out, or send charset=utf-8.',
  wrongEncoding: (): string => 'Bodies are sent as they are: leave Content-Encoding out, or send identity.',
  badInput: (part: string): string => `The ${part} cannot be read; "errors" says where and why.`,
  preconditionFailed: (): string =>
    'What is here now is not what the request takes it for. Get it again, and send its ETag as it came, quotes included.',
  preconditionRequired: (): string =>
    'Changes are made here only on the condition that nobody else has made one. Send the ETag of what is to be changed in If-Match.',
  noSuchFile: (): string => 'There is no such file here.',
  bodyTooLarge: (limit: number): string => `The body is larger than the ${limit} bytes accepted here.`,
  bodyCutOff: (): string => 'The body ended before it was complete.',
  lineCutOff: (): string => 'The stream ended within a line.',
  tooLate: (): string => 'The answer could not be made in time. Try again in a moment.',
  overloaded: (): string => 'More is asked here than can be answered in time. Try again in a moment.',
  unexpected: (): string => 'Something unexpected went wrong here. Quote the request id when you ask about it.',
} as const

/** What adapters say by themselves. Apart from the others, so that no client's bundle has it. */
export const adapterDetail = {
  notHttp: (): string => 'This is no HTTP/1.1 request that can be understood.',
  tooSlow: (): string => 'The request did not arrive whole in time. Send it again, faster.',
  headersTooLarge: (): string => 'The headers are too large, or too many. Send fewer, or shorter ones.',
  tooManyConnections: (): string => 'There are more connections here than can be served. Try again in a moment.',
  chunkExtensions: (): string => 'The chunk extensions are too large. Leave them out.',
  expectation: (): string => 'No expectation but 100-continue can be met. Send the request without the Expect header.',
  oneHost: (): string => 'The request has no Host header, more than one, or one that is no host. Send one, such as example.org:8080.',
  oneLength: (): string => 'The request has more than one Content-Length. Send one.',
  oldChunks: (): string => 'HTTP/1.0 has no Transfer-Encoding. Send a Content-Length, or ask by HTTP/1.1.',
  noTunnel: (): string => 'There are no tunnels here. Ask for what is wanted itself, without CONNECT.',
  noSuchMethod: (method: string): string => `${method} is not understood here.`,
  notNormal: (): string =>
    'What is behind this path reads URLs in their normal form alone, and this is another: expected a host in lower case, no dot segments, no backslash, no fragment, and what URLs do not hold percent-encoded.',
  numberTooLarge: (): string => 'The body has a number in it that is too large to be kept. Send a smaller one.',
  http2: (): string =>
    'HTTP/2 is not spoken here: ask by HTTP/1.1. Whoever runs this server gives its listener to node:https in place of node:http2.',
} as const

/** What a mock says. Apart from the others, so that no client's bundle has it. */
export const mockDetail = {
  noExample: (route: string): string =>
    `No value was found that ${route} may answer. Give the endpoint an example, or the mock an answer of its own.`,
  page: (route: string): string => `This is a mock: what ${route} answers is made by its server alone.`,
  notHere: (id: string): string => `There is nothing with the identifier ${id} here.`,
  full: (): string => 'Every identifier that there is has an item already. Remove one.',
  removed: (): string => 'What was here was removed.',
  notMounted: (prefix: string): string => `Nothing is mounted at ${prefix}: this is a mock. Give it a kernel for this name in "mounts".`,
  unavailable: (): string => 'This is a fault that the mock was asked for. Try again in a moment.',
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
  pairs: (limit: number): string => `at most ${limit} pairs of a name and a value`,
  utf8: (): string => 'UTF-8 text',
  json: (position: string | undefined): string => `JSON${position === undefined ? '' : `; it goes wrong at character ${position}`}`,
  jsonDepth: (limit: number): string => `JSON nested at most ${limit} deep`,
  exactNumber: (): string => 'a number that a 64-bit float keeps: without overflow, and to its last digit where it comes out whole',
} as const
