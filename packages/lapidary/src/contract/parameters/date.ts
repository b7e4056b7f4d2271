/** `date`: calendar dates in text, `YYYY-MM-DD` (ISO 8601). A date is a day, not an instant, so it has no time zone. */
import * as expectation from '../../messages/expectations.ts'
import { type CodecDefinition, createCallableCodec, createCodecDefinition, returnText, type SimpleCodec } from './parameter.ts'

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/

/** Whether a text is a day of the calendar. */
export function isCalendarDate(text: unknown): text is string {
  const [, year, month, day] = datePattern.exec(String(text)) ?? []
  if (typeof text !== 'string' || year === undefined) return false
  const isLeapYear = (Number(year) % 4 === 0 && Number(year) % 100 !== 0) || Number(year) % 400 === 0
  const lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return Number(day) >= 1 && Number(day) <= (lengths[Number(month) - 1] ?? 0)
}

const createDateDefinition = (): CodecDefinition<string> =>
  createCodecDefinition(returnText, isCalendarDate, expectation.calendarDate(), {
    name: 'date',
    schema: { type: 'string', format: 'date' },
    example: '2024-02-29',
  })

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
export const date: SimpleCodec<string> = /* @__PURE__ */ createCallableCodec(createDateDefinition)
