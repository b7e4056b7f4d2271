/** Media types (RFC 9110 §8.3.1), and the ranges of Accept (§12.5.1). */

/** A media type and its parameters. */
export interface ParsedMediaType {
  /** In lower case: `application/json`; in a range also `text/*` and any type. */
  readonly essence: string
  /** Parameters by their lower-case names. The values are unquoted. */
  readonly parameters: ReadonlyMap<string, string>
}

/** A media range and its weight in an Accept header. */
export interface MediaRange extends ParsedMediaType {
  /** From 0 (not acceptable) to 1. */
  readonly quality: number
}

// Each pattern is sticky and unambiguous, so the time is linear in the length of the text.
const fieldTokenPattern = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y
const quotedStringPattern = /"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)"/y
const whitespacePattern = /[ \t]*/y
const qualityPattern = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/

interface HeaderScanner {
  /** Consumes what the pattern matches here. Returns its group, if it has one. */
  readonly take: (pattern: RegExp) => string | undefined
  /** Consumes a character. Returns whether it is here. */
  readonly skip: (character: string) => boolean
  readonly next: () => string | undefined
}

function createScanner(text: string): HeaderScanner {
  let at = 0
  return {
    take: (pattern) => {
      pattern.lastIndex = at
      const found = pattern.exec(text)
      if (found === null) return undefined
      at = pattern.lastIndex
      return found[1] ?? found[0]
    },
    skip: (character) => {
      if (text[at] !== character) return false
      at += 1
      return true
    },
    next: () => text[at],
  }
}

/** A type with its parameters, up to a comma or the end. */
function scanMediaType({ take, skip, next }: HeaderScanner): ParsedMediaType | undefined {
  const type = take(fieldTokenPattern)
  const subtype = type !== undefined && skip('/') ? take(fieldTokenPattern) : undefined
  if (subtype === undefined) return undefined
  const parameters = new Map<string, string>()
  for (take(whitespacePattern); skip(';'); take(whitespacePattern)) {
    take(whitespacePattern)
    // A parameter may be empty (RFC 9110 §5.6.6), as in `application/json;`.
    const name = take(fieldTokenPattern)?.toLowerCase()
    if (name === undefined) continue
    const value = skip('=') ? (next() === '"' ? take(quotedStringPattern)?.replace(/\\(.)/gs, '$1') : take(fieldTokenPattern)) : undefined
    if (value === undefined || parameters.has(name)) return undefined
    parameters.set(name, value)
  }
  return next() === undefined || next() === ',' ? { essence: `${type}/${subtype}`.toLowerCase(), parameters } : undefined
}

/** The media type of a Content-Type header; undefined for a malformed text, and for one with several types. */
export function parseMediaType(text: string): ParsedMediaType | undefined {
  const scan = createScanner(text)
  scan.take(whitespacePattern)
  const found = scanMediaType(scan)
  return scan.next() === undefined ? found : undefined
}

/** The media type without parameters (WHATWG MIME Sniffing). A malformed text stays unchanged. */
export const getEssence = (text: string): string => parseMediaType(text)?.essence ?? text

/** Whether an essence is a range: `image/*`, or any type. */
export const isMediaRange = (essence: string): boolean => essence.endsWith('/*')

/** Whether a media type, or each type of a range, is in a range; a media type is in itself. Both are essences. */
export const isInMediaRange = (essence: string, range: string): boolean =>
  essence === range || range === '*/*' || (isMediaRange(range) && essence.startsWith(range.slice(0, -1)))

/** The value of a media type, else that of the most specific range that it is in. */
export const getByMediaType = <Value>(values: ReadonlyMap<string, Value>, essence: string): Value | undefined =>
  values.get(essence) ?? values.get(`${essence.split('/', 1)[0]}/*`) ?? values.get('*/*')

/** Whether an essence is that of JSON: a "JSON MIME type" (WHATWG MIME Sniffing §4.6). */
export const isJsonEssence = (essence: string): boolean =>
  essence === 'application/json' || essence === 'text/json' || essence.endsWith('+json')

/** The media ranges of an Accept header; undefined for a malformed one. */
export function parseAccept(text: string): readonly MediaRange[] | undefined {
  const scan = createScanner(text)
  const ranges: MediaRange[] = []
  while (scan.next() !== undefined) {
    scan.take(whitespacePattern)
    // Elements of a list may be empty (RFC 9110 §5.6.1).
    if (scan.skip(',') || scan.next() === undefined) continue
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
