/** Content negotiation: the choice of a media type by Accept (RFC 9110 §12.5.1). */
import { isInMediaRange, isMediaRange, type MediaRange, type ParsedMediaType, parseAccept, parseMediaType } from './mediaTypes.ts'
import { memoize } from './memoize.ts'

/** How precisely a range matches an offer: parameters before the subtype, before the type, before any type; -1: it does not match. */
function getSpecificity(range: MediaRange, offer: ParsedMediaType): number {
  for (const [name, value] of range.parameters) {
    if (offer.parameters.get(name)?.toLowerCase() !== value.toLowerCase()) return -1
  }
  if (range.essence === '*/*') return 0
  if (range.essence.endsWith('/*')) return offer.essence.startsWith(range.essence.slice(0, -1)) ? 1 : -1
  return range.essence === offer.essence ? 2 + range.parameters.size : -1
}

/**
 * Returns the quality of an offer: that of the most specific range that matches it. An offer that is a range itself is acceptable as soon
 * as one of its types is.
 */
function getOfferQuality(offer: ParsedMediaType, ranges: readonly MediaRange[]): number {
  const within = isMediaRange(offer.essence) ? ranges.filter(({ essence }) => isInMediaRange(essence, offer.essence)) : []
  return Math.max(getMatchQuality(offer, ranges), ...within.map((range) => range.quality))
}

function getMatchQuality(offer: ParsedMediaType, ranges: readonly MediaRange[]): number {
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
