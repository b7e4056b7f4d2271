/** Content negotiation by Accept (RFC 9110 §12.5.1). */
import { parseAccept, parseMediaType } from './mediaTypeParser.js'
import { memoize } from './memoize.js'

/** How closely a range names an offer: its parameters, then type and subtype, then the type, then anything; -1: it does not. */
function getSpecificity(range, offer) {
  for (const [name, value] of range.parameters) {
    if (offer.parameters.get(name)?.toLowerCase() !== value.toLowerCase()) return -1
  }
  if (range.essence === '*/*') return 0
  if (range.essence.endsWith('/*')) return offer.essence.startsWith(range.essence.slice(0, -1)) ? 1 : -1
  return range.essence === offer.essence ? 2 + range.parameters.size : -1
}
/** The quality of an offer: that of the range which names it most closely. */
function getOfferQuality(offer, ranges) {
  let closest = -1
  let quality = 0
  for (const range of ranges) {
    const here = getSpecificity(range, offer)
    if (here < closest || here < 0) continue
    quality = here === closest ? Math.max(quality, range.quality) : range.quality
    closest = here
  }
  return quality
}
/** Compiles the choice among the media types offered. No Accept, an empty one and one that cannot be parsed choose the first. */
export function createNegotiator(offered) {
  const offers = offered.map((type) => parseMediaType(type) ?? { essence: type, parameters: new Map() })
  const chosen = memoize((accept) => {
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
  return (accept) => (accept === undefined || accept === '*/*' ? 0 : chosen(accept))
}
