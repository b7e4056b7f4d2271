/** Writes what a handler returned, as its reply declares it. */

import type { AnyEndpoint } from '../contract/endpoint.ts'
import { isNegotiated } from '../contract/media/content.ts'
import { json } from '../contract/media/json.ts'
import type { EncodedBody } from '../contract/media/mediaType.ts'
import type { AnyParameter } from '../contract/parameters/parameter.ts'
import type { AnyReply, Reply, WithHeaders } from '../contract/reply.ts'
import { createContentTypeHeaders, isSetCookie, joinHeaderValues } from '../http/headerFields.ts'
import type { HttpResponse } from '../http/httpHandler.ts'
import { requireSync } from '../http/promises.ts'
import { compileWriter } from '../json-schema/compileWriter.ts'
import { getMembers, resolveSchema } from '../json-schema/jsonSchema.ts'
import { getJsonSchema } from '../json-schema/standardSchema.ts'
import * as complaint from '../messages/developerErrors.ts'

/** Makes the answer from a handler's value; `offer` is the index that negotiation chose. @throws TypeError on a value that was not declared. */
export type WriteReply = (value: unknown, offer: number) => HttpResponse

/** A reply, compiled. */
export interface ReplyWriter {
  /** The media types offered, in order; none: there is no body. */
  readonly offers: readonly string[]
  readonly write: WriteReply
  /** Whether a client can use nothing of the body before its end. */
  readonly isWhole: (offer: number) => boolean
  /** The body alone. */
  readonly writeBody: (value: unknown, offer: number) => HttpResponse['body']
}

/** Compiles the declared response headers: from their values to a flat list, behind the constant ones. */
function createHeaderWriter(
  route: string,
  reply: Reply<unknown, unknown>,
): (values: Readonly<Record<string, unknown>>, constant: readonly string[]) => readonly string[] {
  const parameters = Object.entries(reply.headers).map(([name, parameter]) => [name, parameter, isSetCookie(name)] as const)
  const printed = (name: string, parameter: AnyParameter, value: unknown): readonly string[] => {
    try {
      return parameter.write(value).map((text) => requireSync(text, 'The codec'))
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw new TypeError(complaint.invalidResponseHeader(route, name, error.message), { cause: error })
    }
  }
  return (values, constant) => {
    const headers = [...constant]
    const put = (name: string, texts: readonly string[], isList: boolean): void => {
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

interface MediaOffer {
  readonly type: string
  readonly headers: readonly string[]
  readonly isWhole: boolean
  readonly writeBody: (value: unknown) => EncodedBody
}

const isResponseBody = (body: unknown): boolean =>
  typeof body === 'string' || body instanceof Uint8Array || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)

/** Every media type of a reply with the writer behind it. */
function createOffers(route: string, reply: Reply<unknown, unknown>, always: readonly string[]): readonly MediaOffer[] {
  const { content } = reply
  if (content === undefined) return []
  const schema = content.schema === undefined ? undefined : getJsonSchema(content.schema)
  const varied = isNegotiated(content) ? ['Vary', 'Accept'] : []
  return content.media.flatMap((medium) => {
    const general = medium.writer(schema)
    const write = medium === json && schema !== undefined ? compileWriter(schema, general) : general
    const writeBody = (value: unknown): EncodedBody => {
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
export function createReplyWriter(route: string, reply: Reply<unknown, unknown>, always: readonly string[]): ReplyWriter {
  const { status } = reply
  const offers = createOffers(route, reply, always)
  const typed = Object.keys(reply.headers).length > 0 ? createHeaderWriter(route, reply) : undefined

  const bodyOf: ReplyWriter['writeBody'] = (value, index) => offers[index]?.writeBody(value) ?? null

  const write: WriteReply = (value, index) => {
    const constant = offers[index]?.headers ?? always
    if (typed === undefined) return { status, headers: constant, body: bodyOf(value, index), route }
    if (typeof value !== 'object' || value === null || !('headers' in value)) throw new TypeError(complaint.missingResponseHeaders(route))
    const { body, headers } = value as WithHeaders<unknown, Readonly<Record<string, unknown>>>
    return { status, headers: typed(headers, constant), body: bodyOf(body, index), route }
  }
  const isWhole: ReplyWriter['isWhole'] = (index) => offers[index]?.isWhole ?? false
  return Object.freeze({ offers: offers.map(({ type }) => type), write, isWhole, writeBody: bodyOf })
}

// The writers of declared errors: of one status there may be several, and the body says which of them it is.

/** The writers of the declared errors that have bodies, by status, in the order of their declaration. */
export type ErrorBodyWriters = ReadonlyMap<number, readonly ReplyWriter[]>

const isSameMemberSchema = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The members of a reply's body, where it is an object. */
function getBodyMembers({ content }: AnyReply): ReturnType<typeof getMembers> | undefined {
  if (content?.schema === undefined) return undefined
  const schema = getJsonSchema(content.schema)
  const here = resolveSchema(schema, schema)
  return here.properties === undefined ? undefined : getMembers(here)
}

/** A member of `second` that is lost where its body is taken for one of `first`; undefined where no body can be both, or nothing is lost. */
function findLostMember(first: AnyReply, second: AnyReply): string | undefined {
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
function checkDistinctErrors(route: string, errors: readonly AnyReply[]): void {
  errors.forEach((second, index) => {
    for (const first of errors.slice(0, index)) {
      if (first.status !== second.status || first.content?.media[0]?.types[0] !== second.content?.media[0]?.types[0]) continue
      const lost = findLostMember(first, second)
      if (lost !== undefined) throw new TypeError(complaint.indistinguishableErrors(route, second.status, lost))
    }
  })
}

/** Compiles the declared errors of an endpoint. @throws TypeError where two of one status cannot be told apart. */
export function createErrorWriters({ route, errors }: AnyEndpoint, always: readonly string[]): ErrorBodyWriters {
  // One without a body is problem details.
  const bodied = errors.filter(({ content }) => content !== undefined)
  checkDistinctErrors(route, bodied)
  const writers = new Map<number, readonly ReplyWriter[]>()
  for (const error of bodied) writers.set(error.status, [...(writers.get(error.status) ?? []), createReplyWriter(route, error, always)])
  return writers
}
