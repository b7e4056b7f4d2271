/** Handlers of endpoints with pagination: real pages of generated items. */
import type { AnyEndpoint, JsonSchema } from 'lapidary'
import { getJsonSchema, getTypes } from 'lapidary/internal'
import { link } from 'lapidary/links'
import { acceptsValue } from '../generate/calls.ts'
import { sample } from '../generate/sample.ts'
import { createArbitrary } from '../generate/values.ts'
import type { MockEndpoint } from './detectCollections.ts'
import { hashWords } from './hash.ts'
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
  if (getKey === undefined) return items.filter(isRepresentable)
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

/** Returns the items of the body of a page: of an array, or of the member of an object that has them. */
const getBodyItems = (body: unknown, { pagination }: AnyEndpoint): readonly unknown[] => {
  const items: unknown = pagination?.body === undefined ? body : Object(body)[pagination.body.items]
  return Array.isArray(items) ? items : []
}

/** Generates items of a page. Each is generated within a page of its own, because `$ref` starts at the schema of the page. */
function generateItems(endpoint: AnyEndpoint, seed: number): readonly unknown[] {
  const schema = endpoint.response.content?.schema
  if (schema === undefined) return []
  const jsonSchema = getJsonSchema(schema)
  const name = endpoint.pagination?.body?.items
  const listSchema = name === undefined ? jsonSchema : jsonSchema.properties?.[name]
  if (listSchema === undefined || !getTypes(listSchema).includes('array')) return []
  const oneItem: JsonSchema = { ...listSchema, minItems: 1, maxItems: 1 }
  const pageSchema = name === undefined ? oneItem : { ...jsonSchema, properties: { ...jsonSchema.properties, [name]: oneItem } }
  const pages = createArbitrary(pageSchema, (page) => acceptsValue(schema, page), 'plain')
  return pages === undefined ? [] : sample(pages, seed, pagedItemCount).flatMap((page) => getBodyItems(page, endpoint))
}

/** Responds with the requested page of these items. */
type RespondWithPage = (input: MockInput, items: readonly unknown[]) => Promise<unknown>

/** Creates the responder of an endpoint with pagination; `undefined` for other endpoints. */
export function createPager({ endpoint, described }: MockEndpoint): RespondWithPage | undefined {
  const { query, pagination } = endpoint
  if (pagination === undefined || !pagination.parameters.every((name) => Object.hasOwn(query, name))) return undefined
  return (input, items) =>
    pagination.page(input, keepDistinctItems(items, pagination), (selection) =>
      // The query alone: the mock may be at any path.
      link(described, { params: input.params, query: { ...input.query, ...selection } }).replace(/^[^?]*/, ''),
    )
}

/** Creates the handler of an endpoint with pagination; `undefined` for other endpoints. */
export function createPageHandler(operation: MockEndpoint, seed: number): AnyMockHandler | undefined {
  const { name, endpoint } = operation
  const respond = createPager(operation)
  if (respond === undefined) return undefined
  const cache = new Map<string, readonly unknown[]>()
  const example = Object(getResponseExample(endpoint)).body as unknown
  const exampleItems = getBodyItems(example, endpoint)
  return (input) => {
    const query = Object.fromEntries(Object.entries(input.query).filter(([key]) => endpoint.pagination?.parameters.includes(key) !== true))
    const place = toKey(input.params, query)
    const items = cache.get(place) ?? [...exampleItems, ...generateItems(endpoint, hashWords(seed, name, place))]
    if (cache.size < maxCachedPlaces) cache.set(place, items)
    return respond(input, items)
  }
}
