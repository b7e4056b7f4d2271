/** Endpoints with ranges: real pages, of items that are made up. */

import type { AnyEndpoint } from '../describe/endpoint.ts'
import { typesOf } from '../describe/jsonSchema.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import { takes } from '../generate/calls.ts'
import { sampled } from '../generate/sampled.ts'
import { valuesOf } from '../generate/values.ts'
import { type Paging, pagingOf } from '../ranges/paging.ts'
import { draw, wordOf } from './draw.ts'
import type { Given, Handle } from './handle.ts'
import type { Named } from './shapes.ts'
import { exampleOf } from './success.ts'

/** More than the usual page holds, so that there is a next one. */
const itemsInAll = 250

/** Items that a page can be made of, each with a key of its own. */
function distinct(items: readonly unknown[], { keyOf, isShown }: Paging): readonly unknown[] {
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
function itemsOf({ response }: AnyEndpoint, drawn: number): readonly unknown[] {
  const schema = response.content?.schema
  if (schema === undefined) return []
  const form = jsonSchemaOf(schema)
  if (!typesOf(form).includes('array')) return []
  const lists = valuesOf({ ...form, minItems: 1, maxItems: 1 }, (items) => takes(schema, items), 'plain')
  return lists === undefined ? [] : sampled(lists, drawn, itemsInAll).flatMap((items) => items as readonly unknown[])
}

/** Answers with the page that a request asks for, of these items. */
export type Paged = (given: Given, items: readonly unknown[]) => Promise<unknown>

/** How an endpoint that declares ranges answers; undefined for any other. */
export function pagedBy({ headers, query }: AnyEndpoint): Paged | undefined {
  const paging = pagingOf(headers['Range'])
  if (paging === undefined || !Object.hasOwn(query, 'range')) return undefined
  return (given, items) => {
    const asked = {
      query: { range: given.query['range'] as string | undefined },
      headers: { Range: given.headers['Range'] as string | undefined },
    }
    return paging.page(asked, distinct(items, paging))
  }
}

/** The handler of an endpoint that declares ranges; undefined for any other. */
export function pagedHandle({ name, endpoint }: Named, seed: number): Handle | undefined {
  const paged = pagedBy(endpoint)
  if (paged === undefined) return undefined
  const known = new Map<string, readonly unknown[]>()
  const shown = Object(exampleOf(endpoint)).body as unknown
  return (given) => {
    const { range: _, ...others } = given.query
    const place = wordOf(given.params, others)
    const items = known.get(place) ?? [...(Array.isArray(shown) ? shown : []), ...itemsOf(endpoint, draw(seed, name, place))]
    // A few places: whoever asks for more of them waits until they are made again.
    if (known.size < 64) known.set(place, items)
    return paged(given, items)
  }
}
