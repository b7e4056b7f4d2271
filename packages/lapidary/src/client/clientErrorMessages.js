/**
 * Sentences of a client, about the answers that it got or did not get. One export each, so that a bundle has only those that it may say.
 * Used as `import * as failure from './failure.ts'`.
 */
/** The end of a sentence that somebody else began, and may have ended. */
const endSentence = (text) => text.replace(/\.?$/, '.')
export const unexpectedResponse = (call, status, flaw) => `${call} answered ${status}, but not as it is described: ${endSentence(flaw)}`
export const describedStatuses = (described) => `the description has ${described.join(', ')}`
export const opaqueRedirect = () => 'it is a redirection, and browsers do not say where to'
export const responseTooLarge = (limit) => `more than ${limit} bytes have to be held at once. Give a larger maxResponseSize`
export const unexpectedContentType = (type, described) => `expected the Content-Type ${described.join(' or ')}, got ${type || 'none'}`
export const responseBodyIssue = (pointer, flaw) => `its body${pointer && ` at ${pointer}`}: ${flaw}`
export const responseHeaderIssue = (name, flaw, isThere) =>
  `its header ${name}: ${flaw}${isThere ? '' : ' (across origins, Access-Control-Expose-Headers must name it)'}`
export const noResponse = (call, cause) =>
  `${call} got no answer: ${endSentence(cause)} See whether the server runs there and can be reached.`
export const responseCutOff = (call, cause) => `${call} was answered, but the answer was cut off: ${endSentence(cause)}`
export const responseTimeout = (call, limit) => `${call} was not answered within ${limit} ms.`
export const streamInterrupted = (call, items) =>
  `${call}: the stream was cut off after ${items} ${items === 1 ? 'item' : 'items'}, before its end.`
