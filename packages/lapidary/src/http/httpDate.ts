/** Parses the date of a request header in the three formats of RFC 9110 §5.6.7. */

const httpDatePatterns: readonly RegExp[] = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/, // Sun, 06 Nov 1994 08:49:37 GMT
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/, // Sunday, 06-Nov-94 08:49:37 GMT
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/, // Sun Nov  6 08:49:37 1994
]

/** Parses a date. Returns whole seconds since 1970; undefined for an invalid date. */
export function parseHttpDate(text: string): number | undefined {
  if (!httpDatePatterns.some((pattern) => pattern.test(text))) return undefined
  // The third format names no time zone, and would be parsed as local time.
  const milliseconds = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}
