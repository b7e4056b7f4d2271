/** Messages of a client about responses. Each is a separate export, so that a bundle contains only those that it can throw. */

/** A cause as the end of a sentence, with one period. */
const endSentence = (text: string): string => text.replace(/\.?$/, '.')

export const unexpectedResponse = (call: string, status: number, flaw: string): string =>
  `${call} answered ${status}, but not as the API declares: ${endSentence(flaw)}`
export const declaredStatuses = (declared: readonly (number | string)[]): string => `the API declares ${declared.join(', ')}`
export const opaqueRedirect = (): string => 'it is a redirection, whose target browsers hide'
export const responseTooLarge = (limit: number): string => `more than ${limit} bytes. Set a larger maxResponseSize`
export const unexpectedContentType = (type: string, declared: readonly string[]): string =>
  `expected the Content-Type ${declared.join(' or ')}, got ${type || 'none'}`
export const responseNotText = (): string => 'its body is not UTF-8 text. Use link() and fetch()'
export const responseBodyIssue = (pointer: string, flaw: string): string => `its body${pointer && ` at ${pointer}`}: ${flaw}`
export const bodyNotJson = (): string => 'its body: expected JSON'
export const responseHeaderIssue = (name: string, flaw: string, isPresent: boolean): string =>
  `its header ${name}: ${flaw}${isPresent ? '' : ' (across origins, Access-Control-Expose-Headers must name it)'}`
export const noResponse = (call: string, cause: string): string =>
  `${call} got no response: ${endSentence(cause)} Check that the server runs and can be reached.`
export const responseCutOff = (call: string, cause: string): string => `${call} got a response that was cut off: ${endSentence(cause)}`
export const responseTimeout = (call: string, limit: number): string => `${call} was not answered within ${limit} ms.`
export const streamInterrupted = (call: string, items: number): string =>
  `${call}: the stream was cut off after ${items} ${items === 1 ? 'item' : 'items'}.`
