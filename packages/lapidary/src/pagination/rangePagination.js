/** `rangePagination(Color, fields, options)`: pagination by the Range header as a part of the description. */
import { text } from '../contract/parameters/text.js'
import { withHeaders } from '../contract/reply.js'
import { percentEncode } from '../http/percentEncoding.js'
import { createDeclaration, defaultRangeOptions } from './declaration.js'
import { computeNextRange } from './nextRange.js'
import { hasRoundTrip, isNameable, printRange, printValue } from './range.js'
import { createRangeReader } from './rangeRequest.js'
import { createArraySource } from './source.js'
import { createRangeTokens } from './token.js'

const getRelativeTarget = (range) => `?range=${percentEncode(range)}`
/** Within the angle brackets of a Link there are only characters that a URI has (RFC 3986 §2). */
const nonUriCharacter = /[^!#-;=?-[\]_a-z~]/u
const formatNextLink = (target) =>
  `<${nonUriCharacter.test(target) ? target.replace(new RegExp(nonUriCharacter, 'gu'), percentEncode) : target}>; rel="next"`
/** What a source is asked for. */
function createPageQuery({ range: { value, order, offset }, position: place }, field, limit) {
  if (place !== undefined) return { field, order, after: { value: place.value, key: place.key }, offset, limit }
  return value === undefined ? { field, order, offset, limit } : { field, order, after: { value }, offset, limit }
}
/** Declares the ranges of a collection of `item`, on the fields given. */
export function rangePagination(item, fields, options) {
  const known = Object.fromEntries(
    Object.keys(fields).map((name) => [
      name,
      { codec: fields[name].codec, options: { ...defaultRangeOptions, ...options.options?.[name] } },
    ]),
  )
  const fallback = { ...(known[options.default]?.options ?? defaultRangeOptions), field: options.default, value: undefined }
  const { codec: keyCodec, get: keyIn } = typeof options.key === 'function' ? { codec: text, get: options.key } : options.key
  const places = createRangeTokens(known, keyCodec)
  const askedBy = createRangeReader(known, fallback, places)
  async function page(input, given, { maxLimit: most = 1_000, link = getRelativeTarget } = {}) {
    const asked = askedBy(input)
    const { field, order } = asked.range
    const limit = Math.min(asked.range.limit, most)
    const { codec, get: valueIn } = fields[field]
    const source = 'page' in given ? given : createArraySource(given, fields, keyIn)
    const total = await source.count()
    // One more than is sent tells whether there is a next page.
    const rows = limit === 0 ? [] : await source.page(createPageQuery(asked, field, limit + 1))
    const items = rows.slice(0, limit)
    const [first, last, beyond] = [items[0], items[items.length - 1], rows[limit]]
    const printed = (one) => printValue(valueIn(one), codec)
    const range = first === undefined || last === undefined ? undefined : `${field} ${printed(first)}..${printed(last)}`
    if (last === undefined || beyond === undefined) {
      return withHeaders(items, { 'Total-Count': total, 'Content-Range': range, 'Next-Range': undefined, Link: undefined })
    }
    const plain = await computeNextRange(asked, items, beyond, source, {
      getValue: valueIn,
      getKey: keyIn,
      isNameable: (value) => isNameable(value, codec),
    })
    const after = places.write(field, { value: valueIn(last), key: keyIn(last), plain, order })
    return withHeaders(items, {
      'Total-Count': total,
      'Content-Range': range,
      'Next-Range': printRange({ field, value: plain.value, offset: plain.offset, limit, order }, known),
      Link:
        after === undefined
          ? undefined
          : formatNextLink(link(printRange({ field, value: undefined, after, offset: 0, limit, order }, known))),
    })
  }
  const isShown = (one) =>
    hasRoundTrip(keyIn(one), keyCodec) &&
    Object.values(fields).every(({ codec, get: of }) => {
      const value = of(one)
      return value === null || hasRoundTrip(value, codec)
    })
  const paging = { page, getKey: keyIn, isRepresentable: isShown }
  return Object.freeze({ declaration: createDeclaration(item, known, fallback, paging), page })
}
