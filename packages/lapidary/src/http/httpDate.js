/** Reads the date of a request header, in the three forms of RFC 9110 §5.6.7. */
const httpDatePatterns = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/, // Sun, 06 Nov 1994 08:49:37 GMT
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/, // Sunday, 06-Nov-94 08:49:37 GMT
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/, // Sun Nov  6 08:49:37 1994
]
/** Whole seconds since 1970, or `undefined` where the text is no HTTP date. */
export function parseHttpDate(text) {
  if (!httpDatePatterns.some((form) => form.test(text))) return undefined
  // The third form names no zone; without one it would be read as local time.
  const milliseconds = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000
}
