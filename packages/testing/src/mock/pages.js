/** Endpoints with ranges: real pages, of items that are made up. */
import { getJsonSchema, getPaging, getTypes } from 'lapidary/internal'
import { acceptsValue } from '../generate/calls.js'
import { sample } from '../generate/sample.js'
import { createArbitrary } from '../generate/values.js'
import { drawNumber, getResponseExample, toKey } from './responses.js'

/** More than the usual page holds, so that there is a next one. */
const pagedItemCount = 250
/** Items that a page can be made of, each with a key of its own. */
function keepDistinctItems(items, { getKey: keyOf, isRepresentable: isShown }) {
  const found = new Map()
  for (const item of items) {
    try {
      if (isShown(item) && !found.has(keyOf(item))) found.set(keyOf(item), item)
    } catch {
      // What a codec cannot say cannot be on a page.
    }
  }
  return [...found.values()]
}
/** Items that the schema allows; each in a list of its own, since the references of an item start at the schema of the list. */
function generateItems({ response }, drawn) {
  const schema = response.content?.schema
  if (schema === undefined) return []
  const form = getJsonSchema(schema)
  if (!getTypes(form).includes('array')) return []
  const lists = createArbitrary({ ...form, minItems: 1, maxItems: 1 }, (items) => acceptsValue(schema, items), 'plain')
  return lists === undefined ? [] : sample(lists, drawn, pagedItemCount).flatMap((items) => items)
}
/** How an endpoint that declares ranges answers; undefined for any other. */
export function createPager({ headers, query }) {
  const paging = getPaging(headers['Range'])
  if (paging === undefined || !Object.hasOwn(query, 'range')) return undefined
  return (given, items) => {
    const asked = {
      query: { range: given.query['range'] },
      headers: { Range: given.headers['Range'] },
    }
    return paging.page(asked, keepDistinctItems(items, paging))
  }
}
/** The handler of an endpoint that declares ranges; undefined for any other. */
export function createPageHandler({ name, endpoint }, seed) {
  const paged = createPager(endpoint)
  if (paged === undefined) return undefined
  const known = new Map()
  const shown = Object(getResponseExample(endpoint)).body
  return (given) => {
    const { range: _, ...others } = given.query
    const place = toKey(given.params, others)
    const items = known.get(place) ?? [...(Array.isArray(shown) ? shown : []), ...generateItems(endpoint, drawNumber(seed, name, place))]
    // A few places: whoever asks for more of them waits until they are made again.
    if (known.size < 64) known.set(place, items)
    return paged(given, items)
  }
}
