/** The sentences that say what came of a witness at a running server. Used as `import * as reason from './replayMessages.ts'`. */

// The response is not the expected one
export const unexpectedStatus = (status: number, statuses: readonly number[]): string =>
  `Old clients expect ${[...new Set(statuses)].join(', ')}, and the server sends ${status}.`
export const unexpectedType = (type: string, types: readonly string[]): string =>
  `Old clients expect ${[...new Set(types)].join(', ')}, and the server sends ${type === '' ? 'no media type' : type}.`
export const unreadableBody = (): string => 'Old clients expect JSON, and the server sends something else.'
export const unexpectedValue = (pointer: string, expected: string): string =>
  `Old clients expect ${expected}${pointer === '' ? '' : ` at ${pointer}`}, and the server sends something else.`
export const missingHeader = (name: string): string => `Old clients rely on the header ${name}, and the server does not send it.`

// The request is refused, or not
export const refused = (status: number): string => `The server refuses the request: ${status}.`
export const accepted = (status: number): string => `The server accepts the request: ${status}.`
export const expectedResponse = (status: number): string =>
  `This response (${status}) is one that old clients expect. Another one of the server may not be.`
export const noResponse = (why: string): string => `There is no response: ${why}.`
export const unavailable = (status: number): string => `The server serves no request now: ${status}.`

// It says nothing of the change
export const serverGone = (why: string): string => `The server went away: ${why}.`
export const unfinished = (): string => 'The response does not end.'
export const redirected = (status: number, location: string | undefined): string =>
  `The server redirects the request (${status})${location === undefined ? '' : ` to ${location}`}.`
export const endpointMissing = (status: number): string => `The server has no such endpoint (${status}). Check the URL.`
export const credentialsNeeded = (status: number): string =>
  `The server asks for credentials (${status}). Give some: --token, --user, --api-key, or -H "Name: value".`
export const itemMissing = (names: readonly string[]): string =>
  `The server has no such item (404). Give captures that exist: ${names.map((name) => `--capture ${name}=…`).join(' ')}.`
export const othersRefused = (status: number, count: number): string =>
  `The server refuses the request (${status}), and also ${count === 1 ? 'one' : String(count)} that the new description allows: it wants more of a body than the description says.`
export const unsafeMethod = (method: string): string => `${method} may change data. Allow it: --write.`
