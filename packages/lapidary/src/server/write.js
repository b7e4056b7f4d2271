/** Writes what a handler returned, as its reply declares it. */
import { isNegotiated } from '../contract/media/content.js'
import { json } from '../contract/media/json.js'
import { createContentTypeHeaders, isSetCookie, joinHeaderValues } from '../http/headerFields.js'
import { requireSync } from '../http/promises.js'
import { compileWriter } from '../json-schema/compileWriter.js'
import { getMembers, resolveSchema } from '../json-schema/jsonSchema.js'
import { getJsonSchema } from '../json-schema/standardSchema.js'
import * as complaint from '../messages/developerErrors.js'

/** Compiles the declared response headers: from their values to a flat list, behind the constant ones. */
function createHeaderWriter(route, reply) {
  const parameters = Object.entries(reply.headers).map(([name, parameter]) => [name, parameter, isSetCookie(name)])
  const printed = (name, parameter, value) => {
    try {
      return parameter.write(value).map((text) => requireSync(text, 'The codec'))
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw new TypeError(complaint.invalidResponseHeader(route, name, error.message), { cause: error })
    }
  }
  return (values, constant) => {
    const headers = [...constant]
    const put = (name, texts, isList) => {
      const text = joinHeaderValues(texts, isList)
      if (text === undefined) throw new TypeError(complaint.unsendableResponseHeader(route, name))
      headers.push(name, text)
    }
    for (const [name, parameter, alone] of parameters) {
      const texts = printed(name, parameter, values[name])
      if (texts.length === 0) continue
      if (alone) for (const text of texts) put(name, [text], false)
      else put(name, texts, parameter.repeats)
    }
    return headers
  }
}
const isResponseBody = (body) =>
  typeof body === 'string' || body instanceof Uint8Array || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
/** Every media type of a reply with the writer behind it. */
function createOffers(route, reply, always) {
  const { content } = reply
  if (content === undefined) return []
  const schema = content.schema === undefined ? undefined : getJsonSchema(content.schema)
  const varied = isNegotiated(content) ? ['Vary', 'Accept'] : []
  return content.media.flatMap((medium) => {
    const general = medium.writer(schema)
    const write = medium === json && schema !== undefined ? compileWriter(schema, general) : general
    const writeBody = (value) => {
      try {
        const made = write(value)
        if (!isResponseBody(requireSync(made, `The writer of ${medium.types[0]}`)))
          throw new TypeError(complaint.invalidEncodedBody(medium.types[0], typeof made))
        return made
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw new TypeError(complaint.invalidResponse(route, error.message), { cause: error })
      }
    }
    const isWhole = medium.isAtomic ?? false
    return medium.types.map((type) => ({
      type,
      headers: Object.freeze([...createContentTypeHeaders(type), ...varied, ...always]),
      isWhole,
      writeBody,
    }))
  })
}
/** Compiles a reply; `always` are the headers that every answer of its endpoint carries, flat. */
export function createReplyWriter(route, reply, always) {
  const { status } = reply
  const offers = createOffers(route, reply, always)
  const typed = Object.keys(reply.headers).length > 0 ? createHeaderWriter(route, reply) : undefined
  const bodyOf = (value, index) => offers[index]?.writeBody(value) ?? null
  const write = (value, index) => {
    const constant = offers[index]?.headers ?? always
    if (typed === undefined) return { status, headers: constant, body: bodyOf(value, index), route }
    if (typeof value !== 'object' || value === null || !('headers' in value)) throw new TypeError(complaint.missingResponseHeaders(route))
    const { body, headers } = value
    return { status, headers: typed(headers, constant), body: bodyOf(body, index), route }
  }
  const isWhole = (index) => offers[index]?.isWhole ?? false
  return Object.freeze({ offers: offers.map(({ type }) => type), write, isWhole, writeBody: bodyOf })
}
const isSameMemberSchema = (one, other) => JSON.stringify(one) === JSON.stringify(other)
/** The members of a reply's body, where it is an object. */
function getBodyMembers({ content }) {
  if (content?.schema === undefined) return undefined
  const schema = getJsonSchema(content.schema)
  const here = resolveSchema(schema, schema)
  return here.properties === undefined ? undefined : getMembers(here)
}
/** A member of `second` that is lost where its body is taken for one of `first`; undefined where no body can be both, or nothing is lost. */
function findLostMember(first, second) {
  const [one, other] = [getBodyMembers(first), getBodyMembers(second)]
  if (one === undefined || other === undefined) return undefined
  for (const [name, schema] of Object.entries(one.properties)) {
    const there = Object.hasOwn(other.properties, name) ? other.properties[name] : undefined
    if (there === undefined ? one.required.includes(name) : !isSameMemberSchema(schema, there)) return undefined
  }
  return one.rest === undefined || one.rest === false
    ? Object.keys(other.properties).find((name) => !Object.hasOwn(one.properties, name))
    : undefined
}
/** @throws TypeError where a body of one error would be sent as another one that was declared before it. */
function checkDistinctErrors(route, errors) {
  errors.forEach((second, index) => {
    for (const first of errors.slice(0, index)) {
      if (first.status !== second.status || first.content?.media[0]?.types[0] !== second.content?.media[0]?.types[0]) continue
      const lost = findLostMember(first, second)
      if (lost !== undefined) throw new TypeError(complaint.indistinguishableErrors(route, second.status, lost))
    }
  })
}
/** Compiles the declared errors of an endpoint. @throws TypeError where two of one status cannot be told apart. */
export function createErrorWriters({ route, errors }, always) {
  // One without a body is problem details.
  const bodied = errors.filter(({ content }) => content !== undefined)
  checkDistinctErrors(route, bodied)
  const writers = new Map()
  for (const error of bodied) writers.set(error.status, [...(writers.get(error.status) ?? []), createReplyWriter(route, error, always)])
  return writers
}
