/** Header lines as they came or as they leave, flat: name, value, name, value. Names come in any case (RFC 9110 §5.1). */

/** Whether a header line has this name, which is in lower case. */
export function isHeaderNamed(line: string, name: string): boolean {
  if (line.length !== name.length) return false
  if (line === name) return true
  for (let index = 0; index < name.length; index += 1) {
    const code = line.charCodeAt(index)
    if ((code >= 0x41 && code <= 0x5a ? code + 0x20 : code) !== name.charCodeAt(index)) return false
  }
  return true
}

/** The value under a name, which is in lower case; of several lines, the values joined by a comma. */
export function getHeader(lines: readonly string[], name: string): string | undefined {
  let found: string | undefined
  let others: string[] | undefined
  for (let index = 0; index < lines.length; index += 2) {
    if (!isHeaderNamed(lines[index] as string, name)) continue
    const value = lines[index + 1] as string
    if (found === undefined) found = value
    else if (others === undefined) others = [value]
    else others.push(value)
  }
  return others === undefined ? found : [found, ...others].join(', ')
}
