/** Media types (RFC 9110 §8.3.1), and the choice of one by Accept (§12.5.1). */
import { memoize } from './memoize.ts'

/** A media type and its parameters. */
export interface ParsedMediaType {
  /** In lower case: `application/json`; in a range also `text/*` and any type. */
  readonly essence: string
  /** Parameters by their lower-case names. The values are unquoted. */
  readonly parameters: ReadonlyMap<string, string>
}

/** A media range and its weight in an Accept header. */
interface MediaRange extends ParsedMediaType {
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

/** How precisely a range matches an offer: parameters before the subtype, before the type, before any type; -1: it does not match. */
function getSpecificity(range: MediaRange, offer: ParsedMediaType): number {
  for (const [name, value] of range.parameters) {
    if (offer.parameters.get(name)?.toLowerCase() !== value.toLowerCase()) return -1
  }
  if (range.essence === '*/*') return 0
  if (range.essence.endsWith('/*')) return offer.essence.startsWith(range.essence.slice(0, -1)) ? 1 : -1
  return range.essence === offer.essence ? 2 + range.parameters.size : -1
}

/** Returns the quality of an offer: that of the most specific range that matches it. */
function getOfferQuality(offer: ParsedMediaType, ranges: readonly MediaRange[]): number {
  let specificity = -1
  let quality = 0
  for (const range of ranges) {
    const rangeSpecificity = getSpecificity(range, offer)
    if (rangeSpecificity < specificity || rangeSpecificity < 0) continue
    quality = rangeSpecificity === specificity ? Math.max(quality, range.quality) : range.quality
    specificity = rangeSpecificity
  }
  return quality
}

/** Returns the index of the offer to send, or -1 if none is acceptable. Among equal qualities the first offer wins. */
export type Negotiator = (accept: string | undefined) => number

/** Creates the negotiator of media types. Without Accept, and with one that is empty or malformed, the first offer is sent. */
export function createNegotiator(types: readonly string[]): Negotiator {
  const offers = types.map((type) => parseMediaType(type) ?? { essence: type, parameters: new Map<string, string>() })
  const negotiate = memoize((accept: string): number => {
    const ranges = parseAccept(accept)
    if (ranges === undefined || ranges.length === 0) return 0
    let best = -1
    let highest = 0
    offers.forEach((offer, index) => {
      const quality = getOfferQuality(offer, ranges)
      if (quality <= highest) return
      best = index
      highest = quality
    })
    return best
  })
  return (accept) => (accept === undefined || accept === '*/*' ? 0 : negotiate(accept))
}
