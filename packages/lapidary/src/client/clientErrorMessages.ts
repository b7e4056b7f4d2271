/**
 * Sentences of a client, about the answers that it got or did not get. One export each, so that a bundle has only those that it may say.
 * Used as `import * as failure from './failure.ts'`.
 */

/** The end of a sentence that somebody else began, and may have ended. */
const endSentence = (text: string): string => text.replace(/\.?$/, '.')

export const unexpectedResponse = (call: string, status: number, flaw: string): string =>
  `${call} answered ${status}, but not as it is described: ${endSentence(flaw)}`
export const describedStatuses = (described: readonly number[]): string => `the description has ${described.join(', ')}`
export const opaqueRedirect = (): string => 'it is a redirection, and browsers do not say where to'
export const responseTooLarge = (limit: number): string => `more than ${limit} bytes have to be held at once. Give a larger maxResponseSize`
export const unexpectedContentType = (type: string, described: readonly string[]): string =>
  `expected the Content-Type ${described.join(' or ')}, got ${type || 'none'}`
export const responseBodyIssue = (pointer: string, flaw: string): string => `its body${pointer && ` at ${pointer}`}: ${flaw}`
export const responseHeaderIssue = (name: string, flaw: string, isThere: boolean): string =>
  `its header ${name}: ${flaw}${isThere ? '' : ' (across origins, Access-Control-Expose-Headers must name it)'}`
export const noResponse = (call: string, cause: string): string =>
  `${call} got no answer: ${endSentence(cause)} See whether the server runs there and can be reached.`
export const responseCutOff = (call: string, cause: string): string =>
  `${call} was answered, but the answer was cut off: ${endSentence(cause)}`
export const responseTimeout = (call: string, limit: number | undefined): string => `${call} was not answered within ${limit} ms.`
export const streamInterrupted = (call: string, items: number): string =>
  `${call}: the stream was cut off after ${items} ${items === 1 ? 'item' : 'items'}, before its end.`
