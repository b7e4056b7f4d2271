/** What may stand in a header line: its name and its value (RFC 9110 §5). */

const headerNamePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Characters that cannot stand in a value: line breaks and other controls, and what is not Latin-1. */
const illegalValueCharacters = /[^\t\x20-\x7e\x80-\xff]/

/** Whether a text can be the name of a header. */
export const isHeaderName = (text: string): boolean => headerNamePattern.test(text)

/** Whether a value can be sent in a header as it is. */
export const isHeaderValue = (value: unknown): boolean => typeof value === 'string' && !illegalValueCharacters.test(value)

/** Whether each value has a line of its own: a cookie may have commas in it (RFC 9110 §5.3). The one that is no list and comes more than once. */
export const isSetCookie = (name: string): boolean => name.toLowerCase() === 'set-cookie'

/** The elements of a list in a header (RFC 9110 §5.6.1); empty ones do not count. */
export const splitHeaderList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '')

/** The text of one line that these values are read from again, each as it is; undefined where no line can hold them. */
export function joinHeaderValues(values: readonly string[], isList: boolean): string | undefined {
  const text = values.join(',')
  const read = isList ? splitHeaderList(text) : [text.trim()]
  // As many elements as values, with the same commas between them: they are the same.
  return values.every(isHeaderValue) && read.length === values.length && read.join() === text ? text : undefined
}
