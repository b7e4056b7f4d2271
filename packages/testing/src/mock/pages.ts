/** Handlers of endpoints with range pagination: real pages of generated items. */

import type { AnyEndpoint } from 'lapidary'
import { getJsonSchema, getTypes } from 'lapidary/internal'
import { acceptsValue } from '../generate/calls.ts'
import { hashWords } from '../generate/hash.ts'
import { sample } from '../generate/sample.ts'
import { createArbitrary } from '../generate/values.ts'
import type { MockEndpoint } from './detectCollections.ts'
import { type AnyMockHandler, getResponseExample, type MockInput, toKey } from './responses.ts'

/** The number of generated items: more than a page usually has. */
const pagedItemCount = 250

/** The number of requests whose items are kept. The items of others are generated for each request. */
const maxCachedPlaces = 64

/** Keeps the items that a page can contain, each with a key of its own. */
function keepDistinctItems(
  items: readonly unknown[],
  { getKey, isRepresentable }: NonNullable<AnyEndpoint['pagination']>,
): readonly unknown[] {
  const byKey = new Map<string | number, unknown>()
  for (const item of items) {
    try {
      if (isRepresentable(item) && !byKey.has(getKey(item))) byKey.set(getKey(item), item)
    } catch {
      // A codec cannot write the item.
    }
  }
  return [...byKey.values()]
}

/** Generates items of a list. Each is generated within a list of its own, because `$ref` starts at the schema of the list. */
function generateItems({ response }: AnyEndpoint, seed: number): readonly unknown[] {
  const schema = response.content?.schema
  if (schema === undefined) return []
  const jsonSchema = getJsonSchema(schema)
  if (!getTypes(jsonSchema).includes('array')) return []
  const lists = createArbitrary({ ...jsonSchema, minItems: 1, maxItems: 1 }, (items) => acceptsValue(schema, items), 'plain')
  return lists === undefined ? [] : sample(lists, seed, pagedItemCount).flatMap((items) => items as readonly unknown[])
}

/** Responds with the requested page of these items. */
type RespondWithPage = (input: MockInput, items: readonly unknown[]) => Promise<unknown>

/** Creates the responder of an endpoint with range pagination; `undefined` for other endpoints. */
export function createPager({ headers, query, pagination }: AnyEndpoint): RespondWithPage | undefined {
  if (pagination === undefined || !Object.hasOwn(headers, 'Range') || !Object.hasOwn(query, 'range')) return undefined
  return (input, items) => {
    const range = {
      query: { range: input.query['range'] as string | undefined },
      headers: { Range: input.headers['Range'] as string | undefined },
    }
    return pagination.page(range, keepDistinctItems(items, pagination))
  }
}

/** Creates the handler of an endpoint with range pagination; `undefined` for other endpoints. */
export function createPageHandler({ name, endpoint }: MockEndpoint, seed: number): AnyMockHandler | undefined {
  const respond = createPager(endpoint)
  if (respond === undefined) return undefined
  const cache = new Map<string, readonly unknown[]>()
  const example = Object(getResponseExample(endpoint)).body as unknown
  const exampleItems = Array.isArray(example) ? example : []
  return (input) => {
    const { range: _, ...query } = input.query
    const place = toKey(input.params, query)
    const items = cache.get(place) ?? [...exampleItems, ...generateItems(endpoint, hashWords(seed, name, place))]
    if (cache.size < maxCachedPlaces) cache.set(place, items)
    return respond(input, items)
  }
}
