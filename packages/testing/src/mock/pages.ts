/** Endpoints with ranges: real pages, of items that are made up. */

import type { AnyEndpoint } from 'lapidary'
import { getJsonSchema, getPaging, getTypes, type Paging } from 'lapidary/internal'
import { acceptsValue } from '../generate/calls.ts'
import { sample } from '../generate/sample.ts'
import { createArbitrary } from '../generate/values.ts'
import type { MockEndpoint } from './detectCollections.ts'
import type { AnyMockHandler, MockInput } from './responses.ts'
import { drawNumber, getResponseExample, toKey } from './responses.ts'

/** More than the usual page holds, so that there is a next one. */
const pagedItemCount = 250

/** Items that a page can be made of, each with a key of its own. */
function keepDistinctItems(items: readonly unknown[], { getKey: keyOf, isRepresentable: isShown }: Paging): readonly unknown[] {
  const found = new Map<string | number, unknown>()
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
function generateItems({ response }: AnyEndpoint, drawn: number): readonly unknown[] {
  const schema = response.content?.schema
  if (schema === undefined) return []
  const form = getJsonSchema(schema)
  if (!getTypes(form).includes('array')) return []
  const lists = createArbitrary({ ...form, minItems: 1, maxItems: 1 }, (items) => acceptsValue(schema, items), 'plain')
  return lists === undefined ? [] : sample(lists, drawn, pagedItemCount).flatMap((items) => items as readonly unknown[])
}

/** Answers with the page that a request asks for, of these items. */
export type RespondWithPage = (given: MockInput, items: readonly unknown[]) => Promise<unknown>

/** How an endpoint that declares ranges answers; undefined for any other. */
export function createPager({ headers, query }: AnyEndpoint): RespondWithPage | undefined {
  const paging = getPaging(headers['Range'])
  if (paging === undefined || !Object.hasOwn(query, 'range')) return undefined
  return (given, items) => {
    const asked = {
      query: { range: given.query['range'] as string | undefined },
      headers: { Range: given.headers['Range'] as string | undefined },
    }
    return paging.page(asked, keepDistinctItems(items, paging))
  }
}

/** The handler of an endpoint that declares ranges; undefined for any other. */
export function createPageHandler({ name, endpoint }: MockEndpoint, seed: number): AnyMockHandler | undefined {
  const paged = createPager(endpoint)
  if (paged === undefined) return undefined
  const known = new Map<string, readonly unknown[]>()
  const shown = Object(getResponseExample(endpoint)).body as unknown
  return (given) => {
    const { range: _, ...others } = given.query
    const place = toKey(given.params, others)
    const items = known.get(place) ?? [...(Array.isArray(shown) ? shown : []), ...generateItems(endpoint, drawNumber(seed, name, place))]
    // A few places: whoever asks for more of them waits until they are made again.
    if (known.size < 64) known.set(place, items)
    return paged(given, items)
  }
}
