/** Numbers that options give: sizes in bytes, counts, and times. Of NaN each comparison is false, so that a limit would be none. */
import * as developerErrors from '../messages/developerErrors.ts'

/** The units of SI, and the binary ones of IEC 80000-13. */
type ByteUnit = 'B' | 'kB' | 'MB' | 'GB' | 'KiB' | 'MiB' | 'GiB'

const unitBytes: Readonly<Record<ByteUnit, number>> = { B: 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

/** A number of bytes, or a text such as `'5 MB'` (5,000,000 bytes) or `'5 MiB'` (5,242,880 bytes). */
export type ByteSize = number | `${number} ${ByteUnit}`

const byteSizePattern = /^(\d{1,15}(?:\.\d{1,9})?) ([kMG]?B|[KMG]iB)$/

/** The number of bytes; undefined where it is no size. */
export function parseByteSize(size: unknown): number | undefined {
  if (typeof size === 'number') return size >= 0 ? size : undefined
  const [, amount = '', unit = ''] = (typeof size === 'string' && byteSizePattern.exec(size)) || []
  return amount === '' ? undefined : Math.floor(Number(amount) * unitBytes[unit as ByteUnit])
}

/**
 * The number of bytes of a size.
 *
 * @param place Where the size stands, as the message begins: `serve()`.
 * @param option The name of the option there: `maxBodySize`.
 * @throws TypeError for what is no size.
 */
export function requireByteSize(place: string, option: string, size: ByteSize): number {
  const bytes = parseByteSize(size)
  if (bytes === undefined) throw new TypeError(developerErrors.invalidByteSize(place, option, size))
  return bytes
}

/** The size as a person reads it: `5 MB`, `1,000 bytes`. */
export const formatByteSize = (size: ByteSize): string => (typeof size === 'string' ? size : `${size.toLocaleString('en-US')} bytes`)

/**
 * Checks a number of things.
 *
 * @param place what the message begins with: `rangePagination(): options.name.limit`
 * @throws TypeError for anything but an integer from `least`
 */
export function requireInteger(place: string, count: number, least: number): number {
  if (!(Number.isSafeInteger(count) && count >= least)) throw new TypeError(developerErrors.invalidCount(place, count, least))
  return count
}

/** The same for a limit, of which `Infinity` is none. */
export const requireLimit = (place: string, limit: number, least: number): number =>
  limit === Number.POSITIVE_INFINITY ? limit : requireInteger(place, limit, least)

/** The longest delay of a timer: 24.8 days. A longer one fires at once, or throws. */
const maxDelay = 2 ** 31 - 1

/** The delay of a timer for a time. `Infinity` and what is longer than any timer become 24.8 days. */
export const toTimerDelay = (time: number): number => Math.min(maxDelay, time)

/** A limit of 0 could mean two things, so that there is none. A wait of 0 is none. */
type TimeKind = 'limit' | 'wait'

/** Whether a value is a time, as `requireTime` has it. */
export const isTime = (time: unknown, kind: TimeKind): boolean =>
  typeof time === 'number' && (kind === 'wait' ? time >= 0 : time > 0) && (time <= maxDelay || time === Number.POSITIVE_INFINITY)

/**
 * Checks a time in milliseconds. A limit is above 0 and a wait from 0, at most 2,147,483,647 (24.8 days); `Infinity` is no limit.
 *
 * @param place what the message begins with: `listen(): readerTimeout`
 * @throws TypeError for any other value
 */
export function requireTime(place: string, time: number, kind: TimeKind): number {
  if (!isTime(time, kind)) throw new TypeError(developerErrors.invalidTime(place, time, kind === 'wait'))
  return time
}
