/** `date`: calendar dates in text, `YYYY-MM-DD` (ISO 8601). A date is a day, not an instant, so it has no time zone. */

import { parseError } from '../../json-schema/parseError.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { expectation } from '../../messages/problemMessages.ts'
import { type Codec, codec } from './parameter.ts'

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/

function isCalendarDate(text: string): boolean {
  const [, year, month, day] = datePattern.exec(text) ?? []
  if (year === undefined) return false
  const isLeapYear = (Number(year) % 4 === 0 && Number(year) % 100 !== 0) || Number(year) % 400 === 0
  const lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return Number(day) >= 1 && Number(day) <= (lengths[Number(month) - 1] ?? 0)
}

/**
 * A calendar date, kept as its text. `2023-02-29` is an error.
 *
 * @example
 * ```ts
 * import { date, endpoint, ok, text } from 'lapidary'
 *
 * const report = endpoint('GET /reports/:day', { params: { day: date }, response: ok(text) })
 * ```
 */
export const date: Codec<string> = codec({
  name: 'date',
  parse: (text) => (isCalendarDate(text) ? text : parseError(expectation.date())),
  print: (day) => {
    if (typeof day !== 'string' || !isCalendarDate(day)) throw new TypeError(developerErrors.unencodableValue(day, expectation.date()))
    return day
  },
  schema: { type: 'string', format: 'date' },
  example: '2024-02-29',
})
