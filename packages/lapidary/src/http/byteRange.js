/** Reads `Range: bytes=…` against the size of what is asked for (RFC 9110 §14.1.2). */
const singleRangePattern = /^bytes=[\t ]*(\d*)-(\d*)[\t ]*$/i
/**
 * The one range that `text` asks for. `whole` where it asks for none that counts: no header, another unit, several ranges,
 * or a text that is no range, all of which RFC 9110 §14.2 lets a server ignore. `unsatisfiable` (416) where no byte of it exists.
 */
export function parseByteRange(text, size) {
  const [, first = '', last = ''] = (text === undefined ? null : singleRangePattern.exec(text)) ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    if (Number(last) === 0) return 'unsatisfiable'
    // The last bytes of an empty file are all of it, and `Content-Range` has no way to say so.
    return length === 0 ? 'whole' : { start: size - length, length }
  }
  const start = Number(first)
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last)
  if (end < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, length: Math.min(end, size - 1) - start + 1 }
}
