/** Writes what a handler returned, as its reply declares it. */
import type { MediumDefinition, Written } from '../describe/medium.ts'
import { complaint } from '../describe/message.ts'
import type { Reply, WithHeaders } from '../describe/reply.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import type { Outgoing } from './kernel.ts'

/** Makes the answer from a handler's value; `offer` is the index that negotiation chose. @throws TypeError on a value that was not declared. */
export type Write = (value: unknown, offer: number) => Outgoing

/** A reply, compiled. */
export interface Writer {
  /** The media types offered, in order; none: there is no body. */
  readonly offers: readonly string[]
  readonly write: Write
}

/** Characters that cannot stand in a header: line breaks and other controls, and what is not Latin-1. */
const illegal = /[^\t\x20-\x7e\x80-\xff]/

/** Compiles the declared response headers: from their values to a flat list, behind the constant ones. */
function headerWriter(
  route: string,
  reply: Reply<unknown, unknown>,
): (values: Readonly<Record<string, unknown>>, constant: readonly string[]) => readonly string[] {
  const parameters = Object.entries(reply.headers)
  return (values, constant) => {
    const headers = [...constant]
    for (const [name, parameter] of parameters) {
      const texts = parameter.write(values[name])
      if (texts.length === 0) continue
      const text = texts.join(',')
      if (illegal.test(text)) throw new TypeError(complaint.responseHeader(route, name))
      headers.push(name, text)
    }
    return headers
  }
}

interface Offer {
  readonly type: string
  readonly headers: readonly string[]
  readonly body: (value: unknown) => Written
}

/** Every media type of a reply with the writer behind it. */
function offersOf(reply: Reply<unknown, unknown>): readonly Offer[] {
  const { content } = reply
  if (content === undefined) return []
  const schema = content.schema === undefined ? undefined : jsonSchemaOf(content.schema)
  const negotiated = content.media.length > 1 || content.media.some(isVaried)
  return content.media.flatMap(({ types, writer }) => {
    const body = writer(schema)
    return types.map((type) => ({ type, headers: Object.freeze(['Content-Type', type, ...(negotiated ? ['Vary', 'Accept'] : [])]), body }))
  })
}

/** Whether a medium goes by more than one name: `application/json` with and without its charset is one. */
const isVaried = ({ types }: MediumDefinition<never>): boolean => new Set(types.map((type) => type.split(';', 1)[0])).size > 1

/** Compiles a reply. */
export function writer(route: string, reply: Reply<unknown, unknown>): Writer {
  const { status } = reply
  const offers = offersOf(reply)
  const typed = Object.keys(reply.headers).length > 0 ? headerWriter(route, reply) : undefined
  const none: readonly string[] = Object.freeze([])

  const bodyOf = (value: unknown, offer: Offer): Written => {
    try {
      return offer.body(value)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw new TypeError(complaint.response(route, error.message), { cause: error })
    }
  }

  const write: Write = (value, index) => {
    const offer = offers[index]
    const constant = offer?.headers ?? none
    if (typed === undefined) return { status, headers: constant, body: offer === undefined ? null : bodyOf(value, offer) }
    if (typeof value !== 'object' || value === null || !('headers' in value)) throw new TypeError(complaint.missingHeaders(route))
    const { body, headers } = value as WithHeaders<unknown, Readonly<Record<string, unknown>>>
    return { status, headers: typed(headers, constant), body: offer === undefined ? null : bodyOf(body, offer) }
  }
  return Object.freeze({ offers: offers.map(({ type }) => type), write })
}
