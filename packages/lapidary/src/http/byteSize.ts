/** Sizes in bytes, as numbers or with a unit. */
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
