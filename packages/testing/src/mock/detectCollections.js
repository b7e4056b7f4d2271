/** Finds the collections in an API: `POST /users` with a `Location`, and `GET /users/:id`, of one item. */
import { list } from 'lapidary'
import { getJsonSchema, getPathShape } from 'lapidary/internal'

const stringifySchema = (form) => JSON.stringify(form)
function omitMember(form, name) {
  const { [name]: _, ...properties } = form.properties ?? {}
  const { required = [], ...rest } = form
  const others = required.filter((member) => member !== name)
  return { ...rest, properties, required: others }
}
/** `id` of `/products/:id`, or `productId`: the name of the capture, or of the path and `Id`. */
function findIdentifierMember(schema, segments, capture) {
  const members = Object.keys(getJsonSchema(schema).properties ?? {})
  const before = segments.at(-2)
  const literal = before !== undefined && 'literal' in before ? before.literal.toLowerCase() : ''
  const isOfPath = (member) => {
    const [, stem = ''] = /^(.+?)_?id$/i.exec(member) ?? []
    return stem !== '' && literal.startsWith(stem.toLowerCase())
  }
  return members.includes(capture) ? capture : (members.find((member) => member === 'id' || isOfPath(member)) ?? capture)
}
/** Whether a body is an item: the same form, or that form without its identifier, which the server then gives it. */
export function isItemSchema(body, item, identifier) {
  if (body === undefined) return false
  const [given, whole] = [getJsonSchema(body), getJsonSchema(item)]
  return (
    stringifySchema(given) === stringifySchema(whole) ||
    stringifySchema(omitMember(given, identifier)) === stringifySchema(omitMember(whole, identifier))
  )
}
/** Whether a body is a list of items. */
export const isListSchema = (body, item) =>
  body !== undefined && stringifySchema(getJsonSchema(body)) === stringifySchema(getJsonSchema(list(item)))
const isCreateEndpoint = ({ endpoint: { method, response, body } }) =>
  method === 'POST' &&
  response.status === 201 &&
  body?.schema !== undefined &&
  Object.keys(response.headers).some((name) => name.toLowerCase() === 'location')
/** The collections among these endpoints. */
export function detectCollections(all) {
  const at = (method, place) => all.find(({ endpoint }) => endpoint.method === method && getPathShape(endpoint.segments) === place)
  return all.filter(isCreateEndpoint).flatMap((create) => {
    const place = getPathShape(create.endpoint.segments)
    const item = at('GET', `${place}/:`)
    const last = item?.endpoint.segments.at(-1)
    const schema = item?.endpoint.response.content?.schema
    if (item === undefined || schema === undefined || last === undefined || !('capture' in last)) return []
    const { capture } = last
    const identifier = findIdentifierMember(schema, item.endpoint.segments, capture)
    const isSame = (one) => one !== undefined && isItemSchema(one.endpoint.body?.schema, schema, identifier)
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
