/** Finds the collections in an API: `POST /users` with a `Location`, and `GET /users/:id`, of one item. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { JsonSchema } from '../describe/jsonSchema.ts'
import { list } from '../describe/list.ts'
import { type Segment, shapeOf } from '../describe/route.ts'
import { jsonSchemaOf, type Schema } from '../describe/schema.ts'

/** An endpoint and its name. */
export interface Named {
  readonly name: string
  readonly endpoint: AnyEndpoint
}

/** A collection. Of its endpoints only these two must be there. */
export interface Shape {
  readonly create: Named
  readonly item: Named
  /** The schema of an item, as `item` answers it. */
  readonly schema: Schema
  /** The capture of `item` that tells items apart. */
  readonly capture: string
  /** The member of an item that says the same, where it has one; else the name of the capture. */
  readonly identifier: string
  readonly list: Named | undefined
  readonly replace: Named | undefined
  readonly change: Named | undefined
  readonly remove: Named | undefined
}

const textOf = (form: JsonSchema): string => JSON.stringify(form)

function withoutMember(form: JsonSchema, name: string): JsonSchema {
  const { [name]: _, ...properties } = form.properties ?? {}
  const { required = [], ...rest } = form
  const others = required.filter((member) => member !== name)
  return { ...rest, properties, required: others }
}

/** `id` of `/products/:id`, or `productId`: the name of the capture, or of the path and `Id`. */
function identifierIn(schema: Schema, segments: readonly Segment[], capture: string): string {
  const members = Object.keys(jsonSchemaOf(schema).properties ?? {})
  const before = segments.at(-2)
  const literal = before !== undefined && 'literal' in before ? before.literal.toLowerCase() : ''
  const isOfPath = (member: string): boolean => {
    const [, stem = ''] = /^(.+?)_?id$/i.exec(member) ?? []
    return stem !== '' && literal.startsWith(stem.toLowerCase())
  }
  return members.includes(capture) ? capture : (members.find((member) => member === 'id' || isOfPath(member)) ?? capture)
}

/** Whether a body is an item: the same form, or that form without its identifier, which the server then gives it. */
export function isItem(body: Schema | undefined, item: Schema, identifier: string): boolean {
  if (body === undefined) return false
  const [given, whole] = [jsonSchemaOf(body), jsonSchemaOf(item)]
  return textOf(given) === textOf(whole) || textOf(withoutMember(given, identifier)) === textOf(withoutMember(whole, identifier))
}

/** Whether a body is a list of items. */
export const isListOf = (body: Schema | undefined, item: Schema): boolean =>
  body !== undefined && textOf(jsonSchemaOf(body)) === textOf(jsonSchemaOf(list(item)))

const isCreating = ({ endpoint: { method, response, body } }: Named): boolean =>
  method === 'POST' &&
  response.status === 201 &&
  body?.schema !== undefined &&
  Object.keys(response.headers).some((name) => name.toLowerCase() === 'location')

/** The collections among these endpoints. */
export function shapesIn(all: readonly Named[]): readonly Shape[] {
  const at = (method: string, place: string): Named | undefined =>
    all.find(({ endpoint }) => endpoint.method === method && shapeOf(endpoint.segments) === place)
  return all.filter(isCreating).flatMap((create): readonly Shape[] => {
    const place = shapeOf(create.endpoint.segments)
    const item = at('GET', `${place}/:`)
    const last = item?.endpoint.segments.at(-1)
    const schema = item?.endpoint.response.content?.schema
    if (item === undefined || schema === undefined || last === undefined || !('capture' in last)) return []
    const { capture } = last
    const identifier = identifierIn(schema, item.endpoint.segments, capture)
    const isSame = (one: Named | undefined): one is Named => one !== undefined && isItem(one.endpoint.body?.schema, schema, identifier)
    if (!isSame(create)) return []
    const [whole, replace] = [at('GET', place), at('PUT', `${place}/:`)]
    return [
      {
        ...{ create, item, schema, capture, identifier },
        list: isListOf(whole?.endpoint.response.content?.schema, schema) ? whole : undefined,
        replace: isSame(replace) ? replace : undefined,
        change: at('PATCH', `${place}/:`),
        remove: at('DELETE', `${place}/:`),
      },
    ]
  })
}
