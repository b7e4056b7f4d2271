/** Writes what a handler returned, as its reply declares it. */

import { atOnce } from '../describe/atOnce.ts'
import * as complaint from '../describe/complaint.ts'
import { isVaried } from '../describe/content.ts'
import { headerText, isAlone } from '../describe/headerField.ts'
import { json } from '../describe/json.ts'
import type { Written } from '../describe/medium.ts'
import type { AnyParameter } from '../describe/parameter.ts'
import type { Reply, WithHeaders } from '../describe/reply.ts'
import { jsonSchemaOf } from '../describe/schema.ts'
import { contentType } from './contentType.ts'
import type { Outgoing } from './kernel.ts'
import { programmed } from './programmed.ts'

/** Makes the answer from a handler's value; `offer` is the index that negotiation chose. @throws TypeError on a value that was not declared. */
export type Write = (value: unknown, offer: number) => Outgoing

/** A reply, compiled. */
export interface Writer {
  /** The media types offered, in order; none: there is no body. */
  readonly offers: readonly string[]
  readonly write: Write
  /** Whether a client can use nothing of the body before its end. */
  readonly isWhole: (offer: number) => boolean
  /** The body alone. */
  readonly body: (value: unknown, offer: number) => Outgoing['body']
}

/** Compiles the declared response headers: from their values to a flat list, behind the constant ones. */
function headerWriter(
  route: string,
  reply: Reply<unknown, unknown>,
): (values: Readonly<Record<string, unknown>>, constant: readonly string[]) => readonly string[] {
  const parameters = Object.entries(reply.headers).map(([name, parameter]) => [name, parameter, isAlone(name)] as const)
  const printed = (name: string, parameter: AnyParameter, value: unknown): readonly string[] => {
    try {
      return parameter.write(value).map((text) => atOnce(text, 'The codec'))
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      throw new TypeError(complaint.responseHeaderValue(route, name, error.message), { cause: error })
    }
  }
  return (values, constant) => {
    const headers = [...constant]
    const put = (name: string, texts: readonly string[], isList: boolean): void => {
      const text = headerText(texts, isList)
      if (text === undefined) throw new TypeError(complaint.responseHeader(route, name))
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

interface Offer {
  readonly type: string
  readonly headers: readonly string[]
  readonly isWhole: boolean
  readonly body: (value: unknown) => Written
}

const isWritten = (body: unknown): boolean =>
  typeof body === 'string' || body instanceof Uint8Array || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)

/** Every media type of a reply with the writer behind it. */
function offersOf(route: string, reply: Reply<unknown, unknown>, always: readonly string[]): readonly Offer[] {
  const { content } = reply
  if (content === undefined) return []
  const schema = content.schema === undefined ? undefined : jsonSchemaOf(content.schema)
  const varied = isVaried(content) ? ['Vary', 'Accept'] : []
  return content.media.flatMap((medium) => {
    const general = medium.writer(schema)
    const write = medium === json && schema !== undefined ? programmed(schema, general) : general
    const body = (value: unknown): Written => {
      try {
        const made = write(value)
        if (!isWritten(atOnce(made, `The writer of ${medium.types[0]}`)))
          throw new TypeError(complaint.notWritten(medium.types[0], typeof made))
        return made
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw new TypeError(complaint.response(route, error.message), { cause: error })
      }
    }
    const isWhole = medium.isWhole ?? false
    return medium.types.map((type) => ({ type, headers: Object.freeze([...contentType(type), ...varied, ...always]), isWhole, body }))
  })
}

/** Compiles a reply; `always` are the headers that every answer of its endpoint carries, flat. */
export function writer(route: string, reply: Reply<unknown, unknown>, always: readonly string[]): Writer {
  const { status } = reply
  const offers = offersOf(route, reply, always)
  const typed = Object.keys(reply.headers).length > 0 ? headerWriter(route, reply) : undefined

  const bodyOf: Writer['body'] = (value, index) => offers[index]?.body(value) ?? null

  const write: Write = (value, index) => {
    const constant = offers[index]?.headers ?? always
    if (typed === undefined) return { status, headers: constant, body: bodyOf(value, index), route }
    if (typeof value !== 'object' || value === null || !('headers' in value)) throw new TypeError(complaint.missingHeaders(route))
    const { body, headers } = value as WithHeaders<unknown, Readonly<Record<string, unknown>>>
    return { status, headers: typed(headers, constant), body: bodyOf(body, index), route }
  }
  const isWhole: Writer['isWhole'] = (index) => offers[index]?.isWhole ?? false
  return Object.freeze({ offers: offers.map(({ type }) => type), write, isWhole, body: bodyOf })
}
