/** `dateTime`: instants in text (RFC 3339 §5.6). */
import { parseError } from '../../json-schema/parseError.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import * as expectation from '../../messages/expectations.ts'
import { isCalendarDate } from './date.ts'
import { type CodecDefinition, createCallableCodec, type SimpleCodec } from './parameter.ts'

/** The day, the minute, the second, three digits of a fraction, what is left of it, and the offset. */
const instantPattern =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(?:\.(\d{1,3})(\d*))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i

/** The instants of the years 0000 to 9999, which four digits can write. */
const isWritable = (instant: unknown): instant is Date => instant instanceof Date && /^\d{4}-/.test(JSON.stringify(instant).slice(1))

function parseInstant(text: string): Date | ReturnType<typeof parseError> {
  const [, day = '', minute = '', second = '', fraction = '', rest = '', offset = ''] = instantPattern.exec(text) ?? []
  if (!isCalendarDate(day)) return parseError(expectation.instant())
  if (second === '60') return parseError(expectation.noLeapSecond())
  if (/[1-9]/.test(rest)) return parseError(expectation.milliseconds())
  const instant = new Date(`${day}T${minute}:${second}.${fraction.padEnd(3, '0')}${offset.toUpperCase()}`)
  return isWritable(instant) ? instant : parseError(expectation.instant())
}

const createDateTimeDefinition = (): CodecDefinition<Date> => ({
  name: 'date-time',
  parse: parseInstant,
  print: (instant) => {
    if (!isWritable(instant)) throw new TypeError(developerErrors.unencodableValue(instant, 'a valid Date of the years 0 to 9999'))
    return instant.toISOString()
  },
  schema: { type: 'string', format: 'date-time' },
  example: new Date('2024-02-29T12:00:00Z'),
})

/**
 * An instant with its offset, such as `2024-02-29T12:00:00Z` or `2024-02-29T13:00:00+01:00`, as a `Date`. It is written with `Z` and
 * milliseconds. A leap second is an error, and so are digits after the milliseconds that are not zero, because a `Date` cannot hold them.
 *
 * @example
 * ```ts
 * import { dateTime, endpoint, noContent } from 'lapidary'
 *
 * const log = endpoint('GET /log', { query: { since: dateTime }, response: noContent })
 * ```
 */
export const dateTime: SimpleCodec<Date> = /* @__PURE__ */ createCallableCodec(createDateTimeDefinition)
