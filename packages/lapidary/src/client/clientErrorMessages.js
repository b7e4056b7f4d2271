/**
 * Sentences of a client, about the answers that it got or did not get. One export each, so that a bundle has only those that it may say.
 * Used as `import * as failure from './failure.ts'`.
 */
/** The end of a sentence that somebody else began, and may have ended. */
const endSentence = (text) => text.replace(/\.?$/, '.')
export const unexpectedResponse = (call, status, flaw) => `${call} answered ${status}, but not as the API declares: ${endSentence(flaw)}`
export const describedStatuses = (described) => `the description has ${described.join(', ')}`
export const opaqueRedirect = () => 'it is a redirection, whose target browsers hide'
export const responseTooLarge = (limit) => `more than ${limit} bytes must be held in memory. Set a larger maxResponseSize`
export const unexpectedContentType = (type, described) => `expected the Content-Type ${described.join(' or ')}, got ${type || 'none'}`
export const responseBodyIssue = (pointer, flaw) => `its body${pointer && ` at ${pointer}`}: ${flaw}`
export const responseHeaderIssue = (name, flaw, isThere) =>
  `its header ${name}: ${flaw}${isThere ? '' : ' (across origins, Access-Control-Expose-Headers must name it)'}`
export const noResponse = (call, cause) =>
  `${call} got no response: ${endSentence(cause)} Check that the server runs and can be reached.`
export const responseCutOff = (call, cause) => `${call} got a response that was cut off: ${endSentence(cause)}`
export const responseTimeout = (call, limit) => `${call} was not answered within ${limit} ms.`
export const streamInterrupted = (call, items) =>
  `${call}: the stream was cut off after ${items} ${items === 1 ? 'item' : 'items'}, before its end.`
