/** Finds the collections of an API: `POST /users` with a Location, and `GET /users/:id` of one item. */
import { type AnyEndpoint, type JsonSchema, list, type Schema, type Segment } from 'lapidary'
import { getJsonSchema, getPathShape, isJsonObject, isSameSchema } from 'lapidary/internal'
import { getDefinitionName } from '../diff/sharedDefinitions.ts'

/** An endpoint with its name. */
export interface MockEndpoint {
  readonly name: string
  /** As the mock serves it: what its handler returns are values of the wire. */
  readonly endpoint: AnyEndpoint
  /** As it is described: it writes the parameters that its handler gets. */
  readonly described: AnyEndpoint
}

/** A collection. Only `create` and `item` are required. */
export interface DetectedCollection {
  readonly create: MockEndpoint
  readonly item: MockEndpoint
  /** The schema of the response of `item`. */
  readonly schema: Schema
  /** The capture of `item` that identifies an item. */
  readonly capture: string
  /** The member of an item that identifies it; the name of the capture if there is none. */
  readonly identifier: string
  readonly list: MockEndpoint | undefined
  readonly replace: MockEndpoint | undefined
  readonly change: MockEndpoint | undefined
  readonly remove: MockEndpoint | undefined
}

/** Finds the endpoint of a method at a path; see `getPathShape`. */
export const findEndpoint = <E extends MockEndpoint>(endpoints: readonly E[], method: string, path: string): E | undefined =>
  endpoints.find(({ endpoint }) => endpoint.method === method && getPathShape(endpoint.segments) === path)

/** The JSON Schema of a schema without one of its members. */
function omitMember(schema: Schema, member: string): JsonSchema {
  const { properties: { [member]: _, ...properties } = {}, required = [], ...rest } = getJsonSchema(schema)
  return { ...rest, properties, required: required.filter((name) => name !== member) }
}

const isSame = (one: Schema, other: Schema): boolean => isSameSchema(getJsonSchema(one), getJsonSchema(other))

/** Finds the identifier of an item: the name of the capture, `id`, or the path and `Id` (`productId` of `/products/:id`). */
export function findIdentifierMember(schema: Schema, segments: readonly Segment[], capture: string): string {
  const members = Object.keys(getJsonSchema(schema).properties ?? {})
  const previous = segments.at(-2)
  const literal = previous !== undefined && 'literal' in previous ? previous.literal.toLowerCase() : ''
  const isNamedByPath = (member: string): boolean => {
    const [, stem = ''] = /^(.+?)_?id$/i.exec(member) ?? []
    return stem !== '' && literal.startsWith(stem.toLowerCase())
  }
  return members.includes(capture) ? capture : (members.find((member) => member === 'id' || isNamedByPath(member)) ?? capture)
}

/** Whether a body is an item, or an item without its identifier, which the server then assigns. */
export const isItemSchema = (body: Schema | undefined, item: Schema, identifier: string): boolean =>
  body !== undefined && (isSame(body, item) || isSameSchema(omitMember(body, identifier), omitMember(item, identifier)))

const getProperties = (schema: Schema): Readonly<Record<string, JsonSchema>> => getJsonSchema(schema).properties ?? {}

/** Whether each member of a body is the member of an item, so that the server sets the others: an identifier, a time. */
export function isItemPart(body: Schema | undefined, item: Schema): boolean {
  if (body === undefined || getJsonSchema(item).type !== 'object' || getJsonSchema(body).type !== 'object') return false
  const [members, own] = [getProperties(item), Object.entries(getProperties(body))]
  const getDefinitions = (schema: Schema): JsonSchema => ({ $defs: getJsonSchema(schema).$defs ?? {} })
  const isShared = isSameSchema(getDefinitions(body), getDefinitions(item))
  const isMember = ([name, schema]: readonly [string, JsonSchema]): boolean =>
    Object.hasOwn(members, name) && isSameSchema(members[name] ?? {}, schema) && (isShared || !JSON.stringify(schema).includes('"$ref"'))
  return own.length > 0 && own.every(isMember)
}

/** The names of the members of an item that a body does not have: those that the server sets. */
export const listServerMembers = (body: Schema | undefined, item: Schema): readonly string[] =>
  body === undefined ? [] : Object.keys(getProperties(item)).filter((name) => !Object.hasOwn(getProperties(body), name))

/** Whether the items of a list are a reference to the schema of an item: a document shares it. */
function refersToItem(body: Schema, item: Schema): boolean {
  const { $defs = {}, items, ...rest } = getJsonSchema(body)
  const own = getJsonSchema(item)
  const reference = isJsonObject(items) && Object.keys(items).length === 1 ? (getDefinitionName(String(items['$ref'])) ?? '') : ''
  if (!isSameSchema(rest, { type: 'array' }) || !Object.hasOwn($defs, reference)) return false
  // The list has the definition of its items besides those that they need.
  const needed = Object.entries($defs).filter(([name]) => Object.hasOwn(own.$defs ?? {}, name))
  return isSameSchema({ ...$defs[reference], ...(needed.length === 0 ? {} : { $defs: Object.fromEntries(needed) }) }, own)
}

/** Whether a body is a list of items. */
export const isListSchema = (body: Schema | undefined, item: Schema): boolean =>
  body !== undefined && (isSame(body, list(item)) || refersToItem(body, item))

/** Whether an endpoint returns items: as a list, or as the member of a page that has them. */
function returnsItems({ endpoint: { response, pagination } }: MockEndpoint, item: Schema): boolean {
  const body = response.content?.schema
  if (body === undefined || pagination?.body === undefined) return isListSchema(body, item)
  return isSameSchema(getProperties(body)[pagination.body.items] ?? {}, getJsonSchema(list(item)))
}

const isCreateEndpoint = ({ endpoint: { method, response, body } }: MockEndpoint): boolean =>
  method === 'POST' &&
  response.status === 201 &&
  body?.schema !== undefined &&
  Object.keys(response.headers).some((name) => name.toLowerCase() === 'location')

/** Finds the collections among these endpoints. */
export function detectCollections(endpoints: readonly MockEndpoint[]): readonly DetectedCollection[] {
  const findAt = (method: string, path: string): MockEndpoint | undefined => findEndpoint(endpoints, method, path)
  return endpoints.filter(isCreateEndpoint).flatMap((create): readonly DetectedCollection[] => {
    const path = getPathShape(create.endpoint.segments)
    const item = findAt('GET', `${path}/:`)
    const lastSegment = item?.endpoint.segments.at(-1)
    const schema = item?.endpoint.response.content?.schema
    if (item === undefined || schema === undefined || lastSegment === undefined || !('capture' in lastSegment)) return []
    const { capture } = lastSegment
    const identifier = findIdentifierMember(schema, item.endpoint.segments, capture)
    const takesItem = (candidate: MockEndpoint | undefined): boolean =>
      isItemSchema(candidate?.endpoint.body?.schema, schema, identifier) || isItemPart(candidate?.endpoint.body?.schema, schema)
    if (!takesItem(create)) return []
    const [listing, replace] = [findAt('GET', path), findAt('PUT', `${path}/:`)]
    return [
      {
        ...{ create, item, schema, capture, identifier },
        list: listing !== undefined && returnsItems(listing, schema) ? listing : undefined,
        replace: takesItem(replace) ? replace : undefined,
        change: findAt('PATCH', `${path}/:`),
        remove: findAt('DELETE', `${path}/:`),
      },
    ]
  })
}
