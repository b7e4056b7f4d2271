/**
 * What was expected of a value, to follow the word "expected". Each is an export of its own, so that a bundle contains only those that it
 * can report. Import them as `import * as expectation from '../messages/expectations.ts'`.
 */

export const boundedInteger = (min: number, max: number): string => {
  if (max >= Number.MAX_SAFE_INTEGER) return `integer from ${min}`
  return min <= Number.MIN_SAFE_INTEGER ? `integer up to ${max}` : `integer from ${min} to ${max}`
}
export const integer = (min: number, max: number): string =>
  min === -max && max === Number.MAX_SAFE_INTEGER ? 'an integer such as 42, within ±9007199254740991' : `an ${boundedInteger(min, max)}`
export const amount = (min = 0, max: number | undefined): string => (max === undefined ? `${min} or more` : `${min} to ${max}`)
export const boundedText = (minLength: number | undefined, maxLength: number | undefined, pattern: string | undefined): string =>
  `text${(minLength ?? maxLength) === undefined ? '' : ` of ${amount(minLength, maxLength)} characters`}${pattern ? ` that matches ${pattern}` : ''}`
export const items = (minItems: number, maxItems: number | undefined, got: number): string =>
  `${amount(minItems, maxItems)} values, got ${got}`
export const uuidText = (): string => 'a UUID such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6'
export const instant = (): string => 'a date and a time with an offset, such as 2024-02-29T12:00:00Z'
export const noLeapSecond = (): string => 'a second from 00 to 59: leap seconds are not supported'
export const encodableValue = (reason: string): string => `a value that the schema can encode: ${reason}`
export const milliseconds = (): string => 'at most three digits after the second: milliseconds'
export const decimalNumber = (maxLength: number): string => `a decimal number such as 19.90, of at most ${maxLength} characters`
export const number = (): string => 'a number such as 1.5'
export const boolean = (): string => 'true or false'
export const calendarDate = (): string => 'a calendar date such as 2024-02-29'
export const oneOfNames = (names: readonly string[]): string => `one of ${names.join(', ')}`
export const furtherCheck = (what: string): string => `${what} that passes a further check`
export const oneValue = (count: number): string => `one value, got ${count}`
export const noEmptyValue = (delimiter: string): string => `values separated by ${JSON.stringify(delimiter)}, none of them empty`
export const present = (): string => 'a value, got nothing'
export const idempotencyKey = (maxLength: number): string =>
  `a text in quotation marks, of at most ${maxLength} characters with them, such as "8e03978e-40d5-43dd-bc93-6894a57f9324"`
export const percentEncoding = (): string => 'percent-encoded UTF-8'
export const pairs = (limit: number): string => `at most ${limit} pairs of a name and a value`
export const plainSegments = (): string => 'segments without an encoded slash, none of them "." or ".."'
export const shortLine = (maxLength: number): string => `a line of at most ${maxLength} bytes`
export const aFile = (): string => 'a file, got nothing'
export const partHeaders = (): string => 'a head of a part with lines such as Content-Disposition: form-data; name="title"'
export const partName = (): string => 'a part with Content-Disposition: form-data and a name'
export const shortPartName = (maxLength: number): string => `a name of at most ${maxLength} characters`
export const shortPartHead = (maxLength: number): string => `a head of at most ${maxLength} bytes for each part`
export const plainPart = (): string => 'a part without Content-Transfer-Encoding'
export const boundaryLine = (): string => 'CR LF after each boundary, and "--" after the last one'
export const lastBoundary = (): string => 'the last boundary, with "--" after it'
export const boundaryParameter = (): string => 'a Content-Type with a boundary of 1 to 70 characters'
export const fileOfType = (types: readonly string[]): string => `a file of type ${types.join(', ')}`
export const fileOfSize = (maxSize: number): string => `a file of at most ${maxSize} bytes`
export const utf8 = (): string => 'UTF-8 text'
export const jsonSyntax = (position: string | undefined): string =>
  `JSON${position === undefined ? '' : ` (the first error is at character ${position})`}`
export const jsonDepth = (limit: number): string => `JSON nested at most ${limit} deep`
export const exactNumber = (): string => 'a number within the range and precision of a 64-bit float'
export const eventOf = (names: readonly string[], got: string): string => `the event ${names.join(' or ')}, got ${JSON.stringify(got)}`
