/** Finds the collections in an API: `POST /users` with a `Location`, and `GET /users/:id`, of one item. */
import { type AnyEndpoint, type JsonSchema, list, type Schema, type Segment } from 'lapidary'
import { getJsonSchema, getPathShape } from 'lapidary/internal'

/** An endpoint and its name. */
export interface MockEndpoint {
  readonly name: string
  readonly endpoint: AnyEndpoint
}

/** A collection. Of its endpoints only these two must be there. */
export interface DetectedCollection {
  readonly create: MockEndpoint
  readonly item: MockEndpoint
  /** The schema of an item, as `item` answers it. */
  readonly schema: Schema
  /** The capture of `item` that tells items apart. */
  readonly capture: string
  /** The member of an item that says the same, where it has one; else the name of the capture. */
  readonly identifier: string
  readonly list: MockEndpoint | undefined
  readonly replace: MockEndpoint | undefined
  readonly change: MockEndpoint | undefined
  readonly remove: MockEndpoint | undefined
}

const stringifySchema = (form: JsonSchema): string => JSON.stringify(form)

function omitMember(form: JsonSchema, name: string): JsonSchema {
  const { [name]: _, ...properties } = form.properties ?? {}
  const { required = [], ...rest } = form
  const others = required.filter((member) => member !== name)
  return { ...rest, properties, required: others }
}

/** `id` of `/products/:id`, or `productId`: the name of the capture, or of the path and `Id`. */
function findIdentifierMember(schema: Schema, segments: readonly Segment[], capture: string): string {
  const members = Object.keys(getJsonSchema(schema).properties ?? {})
  const before = segments.at(-2)
  const literal = before !== undefined && 'literal' in before ? before.literal.toLowerCase() : ''
  const isOfPath = (member: string): boolean => {
    const [, stem = ''] = /^(.+?)_?id$/i.exec(member) ?? []
    return stem !== '' && literal.startsWith(stem.toLowerCase())
  }
  return members.includes(capture) ? capture : (members.find((member) => member === 'id' || isOfPath(member)) ?? capture)
}

/** Whether a body is an item: the same form, or that form without its identifier, which the server then gives it. */
export function isItemSchema(body: Schema | undefined, item: Schema, identifier: string): boolean {
  if (body === undefined) return false
  const [given, whole] = [getJsonSchema(body), getJsonSchema(item)]
  return (
    stringifySchema(given) === stringifySchema(whole) ||
    stringifySchema(omitMember(given, identifier)) === stringifySchema(omitMember(whole, identifier))
  )
}

/** Whether a body is a list of items. */
export const isListSchema = (body: Schema | undefined, item: Schema): boolean =>
  body !== undefined && stringifySchema(getJsonSchema(body)) === stringifySchema(getJsonSchema(list(item)))

const isCreateEndpoint = ({ endpoint: { method, response, body } }: MockEndpoint): boolean =>
  method === 'POST' &&
  response.status === 201 &&
  body?.schema !== undefined &&
  Object.keys(response.headers).some((name) => name.toLowerCase() === 'location')

/** The collections among these endpoints. */
export function detectCollections(all: readonly MockEndpoint[]): readonly DetectedCollection[] {
  const at = (method: string, place: string): MockEndpoint | undefined =>
    all.find(({ endpoint }) => endpoint.method === method && getPathShape(endpoint.segments) === place)
  return all.filter(isCreateEndpoint).flatMap((create): readonly DetectedCollection[] => {
    const place = getPathShape(create.endpoint.segments)
    const item = at('GET', `${place}/:`)
    const last = item?.endpoint.segments.at(-1)
    const schema = item?.endpoint.response.content?.schema
    if (item === undefined || schema === undefined || last === undefined || !('capture' in last)) return []
    const { capture } = last
    const identifier = findIdentifierMember(schema, item.endpoint.segments, capture)
    const isSame = (one: MockEndpoint | undefined): one is MockEndpoint =>
      one !== undefined && isItemSchema(one.endpoint.body?.schema, schema, identifier)
    if (!isSame(create)) return []
    const [whole, replace] = [at('GET', place), at('PUT', `${place}/:`)]
    return [
      {
        ...{ create, item, schema, capture, identifier },
        list: isListSchema(whole?.endpoint.response.content?.schema, schema) ? whole : undefined,
        replace: isSame(replace) ? replace : undefined,
        change: at('PATCH', `${place}/:`),
        remove: at('DELETE', `${place}/:`),
      },
    ]
  })
}
