/** Calendar dates in text, `YYYY-MM-DD` (ISO 8601): days, not instants, so no time zone touches them. */
import { parseError } from '../../json-schema/parseError.js'
import * as complaint from '../../messages/developerErrors.js'
import { expectation } from '../../messages/problemMessages.js'
import { codec } from './parameter.js'

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/
function isCalendarDate(text) {
  const [, year, month, day] = datePattern.exec(text) ?? []
  if (year === undefined) return false
  const leap = (Number(year) % 4 === 0 && Number(year) % 100 !== 0) || Number(year) % 400 === 0
  const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return Number(day) >= 1 && Number(day) <= (lengths[Number(month) - 1] ?? 0)
}
/** A real day of the calendar, kept as its text: `2023-02-29` is refused. */
export const date = codec({
  name: 'date',
  parse: (text) => (isCalendarDate(text) ? text : parseError(expectation.date())),
  print: (day) => {
    if (typeof day !== 'string' || !isCalendarDate(day)) throw new TypeError(complaint.unencodableValue(day, expectation.date()))
    return day
  },
  schema: { type: 'string', format: 'date' },
  example: '2024-02-29',
})
