/** Header lines as they came or as they leave, flat: name, value, name, value. Names come in any case (RFC 9110 §5.1). */
import * as complaint from '../describe/complaint.ts'

/** Whether a header line has this name, which is in lower case. */
export function isNamed(line: string, name: string): boolean {
  if (line.length !== name.length) return false
  if (line === name) return true
  for (let index = 0; index < name.length; index += 1) {
    const code = line.charCodeAt(index)
    if ((code >= 0x41 && code <= 0x5a ? code + 0x20 : code) !== name.charCodeAt(index)) return false
  }
  return true
}

/** The value under a name, which is in lower case; of several lines, the values joined by a comma. */
export function valueIn(lines: readonly string[], name: string): string | undefined {
  let found: string | undefined
  for (let index = 0; index < lines.length; index += 2) {
    if (!isNamed(lines[index] as string, name)) continue
    const value = lines[index + 1] as string
    found = found === undefined ? value : `${found}, ${value}`
  }
  return found
}

/**
 * The `Content-Length` that an answer states itself; undefined where it states none.
 *
 * @param length of its body, in bytes; undefined where that is not known, or where none is sent
 * @throws TypeError for a length that is not the body's, for two, and for a `Transfer-Encoding` besides a body of known length: the client would
 *   take the rest of this answer for the next one.
 */
export function statedLength(headers: readonly string[], length: number | undefined): number | undefined {
  const stated = valueIn(headers, 'content-length')
  if (length !== undefined && valueIn(headers, 'transfer-encoding') !== undefined) throw new TypeError(complaint.transferEncoding())
  if (stated === undefined) return undefined
  if (!/^\d{1,15}$/.test(stated)) throw new TypeError(complaint.contentLength(stated, undefined))
  if (length !== undefined && Number(stated) !== length) throw new TypeError(complaint.contentLength(stated, length))
  return Number(stated)
}
