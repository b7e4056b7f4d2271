/** Endpoints with ranges: real pages, of items that are made up. */

import type { AnyEndpoint } from '../describe/endpoint.ts'
import { typesOf } from '../describe/jsonSchema.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import { takes } from '../generate/calls.ts'
import { sampled } from '../generate/sampled.ts'
import { valuesOf } from '../generate/values.ts'
import { type Paging, pagingOf } from '../ranges/paging.ts'
import { draw, wordOf } from './draw.ts'
import type { Handle } from './handle.ts'
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

/** The handler of an endpoint that declares ranges; undefined for any other. */
export function pagedHandle({ name, endpoint }: Named, seed: number): Handle | undefined {
  const paging = pagingOf(endpoint.headers['Range'])
  if (paging === undefined || !Object.hasOwn(endpoint.query, 'range')) return undefined
  const known = new Map<string, readonly unknown[]>()
  const shown = (exampleOf(endpoint) as { readonly body?: unknown } | undefined)?.body
  const made = (place: string): readonly unknown[] =>
    distinct([...(Array.isArray(shown) ? shown : []), ...itemsOf(endpoint, draw(seed, name, place))], paging)

  return ({ params, query, headers }) => {
    const { range, ...others } = query
    const place = wordOf(params, others)
    const items = known.get(place) ?? made(place)
    // A few places: whoever asks for more of them waits until they are made again.
    if (known.size < 64) known.set(place, items)
    const input = { query: { range: range as string | undefined }, headers: { Range: headers['Range'] as string | undefined } }
    return paging.page(input, items)
  }
}
