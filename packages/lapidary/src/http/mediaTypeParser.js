/** Media types and ranges of them, as in Content-Type and Accept: one strict grammar (RFC 9110 §8.3.1, §12.5.1), scanned once from left to right. */
// Each pattern is sticky and none can be matched in two ways, so that the time is linear in the text.
const fieldTokenPattern = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y
const quotedStringPattern = /"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)"/y
const whitespacePattern = /[ \t]*/y
const qualityPattern = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/
function createScanner(text) {
  let at = 0
  return {
    take: (pattern) => {
      pattern.lastIndex = at
      const found = pattern.exec(text)
      if (found === null) return undefined
      at = pattern.lastIndex
      return found[1] ?? found[0]
    },
    sign: (sign) => {
      if (text[at] !== sign) return false
      at += 1
      return true
    },
    next: () => text[at],
  }
}
/** One type with its parameters, up to a comma or the end. */
function scanMediaType({ take, sign, next }) {
  const type = take(fieldTokenPattern)
  const subtype = type !== undefined && sign('/') ? take(fieldTokenPattern) : undefined
  if (subtype === undefined) return undefined
  const parameters = new Map()
  for (take(whitespacePattern); sign(';'); take(whitespacePattern)) {
    take(whitespacePattern)
    // A parameter may be empty (RFC 9110 §5.6.6), as in `application/json;`.
    const name = take(fieldTokenPattern)?.toLowerCase()
    if (name === undefined) continue
    const value = sign('=') ? (next() === '"' ? take(quotedStringPattern)?.replace(/\\(.)/gs, '$1') : take(fieldTokenPattern)) : undefined
    if (value === undefined || parameters.has(name)) return undefined
    parameters.set(name, value)
  }
  return next() === undefined || next() === ',' ? { essence: `${type}/${subtype}`.toLowerCase(), parameters } : undefined
}
/** The media type that a text names; undefined where it names none, or more than one. */
export function parseMediaType(text) {
  const scan = createScanner(text)
  scan.take(whitespacePattern)
  const found = scanMediaType(scan)
  return scan.next() === undefined ? found : undefined
}
/** What a media type is called without its parameters; a text that is none stays as it is. */
export const getEssence = (text) => parseMediaType(text)?.essence ?? text
/** The ranges of an Accept header; undefined where it cannot be parsed. */
export function parseAccept(text) {
  const scan = createScanner(text)
  const ranges = []
  while (scan.next() !== undefined) {
    scan.take(whitespacePattern)
    // Elements of a list may be empty (RFC 9110 §5.6.1).
    if (scan.sign(',') || scan.next() === undefined) continue
    const found = scanMediaType(scan)
    if (found === undefined || (found.essence.startsWith('*/') && found.essence !== '*/*')) return undefined
    const parameters = new Map(found.parameters)
    const quality = parameters.get('q') ?? '1'
    parameters.delete('q')
    if (!qualityPattern.test(quality)) return undefined
    ranges.push({ essence: found.essence, parameters, quality: Number(quality) })
  }
  return ranges
}
