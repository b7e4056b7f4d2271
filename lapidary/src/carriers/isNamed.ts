/** Names of headers, which come in any case (RFC 9110 §5.1). */

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
