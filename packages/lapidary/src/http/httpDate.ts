/** Parses the date of a request header in the three formats of RFC 9110 §5.6.7. */

const timePattern = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)'

const httpDatePatterns: readonly RegExp[] = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${timePattern} GMT$`),
  // Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\\d{2}) ${timePattern} GMT$`),
  // Sun Nov  6 08:49:37 1994
  new RegExp(`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${timePattern} (?<year>\\d{4})$`),
]

const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A year of two digits that would be more than 50 years ahead is in the past (§5.6.7). */
function readYear(text: string): number {
  if (text.length === 4) return Number(text)
  const current = new Date().getUTCFullYear()
  const year = current - (current % 100) + Number(text)
  if (year > current + 50) return year - 100
  return year + 100 <= current + 50 ? year + 100 : year
}

/** Parses a date. Returns whole seconds since 1970; undefined for an invalid date, such as 31 February. */
export function parseHttpDate(text: string): number | undefined {
  for (const pattern of httpDatePatterns) {
    const { day, month = '', year = '', hour, minute, second } = pattern.exec(text)?.groups ?? {}
    if (day === undefined) continue
    const date = new Date(Date.UTC(readYear(year), monthNames.indexOf(month), Number(day)))
    // A Date makes 3 March of 31 February, and the year 1994 of the year 94.
    const isCalendarDay =
      date.getUTCDate() === Number(day) &&
      monthNames[date.getUTCMonth()] === month &&
      date.getUTCFullYear() % 10 ** year.length === Number(year)
    return isCalendarDay ? date.getTime() / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) : undefined
  }
  return undefined
}
