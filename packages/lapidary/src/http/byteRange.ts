/** Parses the Range header of a request for bytes (RFC 9110 §14.1.2). */

/** A range of bytes. */
export interface ByteRange {
  /** The position of the first byte, counted from 0. */
  readonly start: number
  readonly length: number
}

const singleRangePattern = /^bytes=[\t ]*(\d*)-(\d*)[\t ]*$/i

/**
 * Parses a Range header.
 *
 * @param size the size of the resource in bytes
 * @returns the range; `whole` where there is none to apply: no header, another unit, several ranges, or an invalid one, all of which a
 * server may ignore (RFC 9110 §14.2); `unsatisfiable` (416) where no byte of the range exists
 */
export function parseByteRange(text: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = (text === undefined ? null : singleRangePattern.exec(text)) ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    if (Number(last) === 0) return 'unsatisfiable'
    // The last bytes of an empty file are all of it, which `Content-Range` cannot express.
    return length === 0 ? 'whole' : { start: size - length, length }
  }
  const start = Number(first)
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last)
  if (end < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, length: Math.min(end, size - 1) - start + 1 }
}
