/** What an endpoint answers where nobody says otherwise: its example, or values that its reply allows. */
import type * as fc from 'fast-check'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { notImplemented } from '../describe/errors.ts'
import { untagged } from '../describe/etag.ts'
import { isObject } from '../describe/jsonSchema.ts'
import { mocked } from '../describe/message.ts'
import type { AnyParameter } from '../describe/parameter.ts'
import type { Values } from '../describe/reading.ts'
import { Refusal } from '../describe/refusal.ts'
import { type AnyReply, withHeaders } from '../describe/reply.ts'
import { jsonSchemaOf, type Schema } from '../describe/schema.ts'
import { takes } from '../generate/calls.ts'
import { textsFor } from '../generate/parameters.ts'
import { sampledOne } from '../generate/sampled.ts'
import { bodiesOf } from './bodies.ts'
import { draw } from './draw.ts'

/** What a reply is answered with, for a draw; `params` are the captures of the request. */
export type Making = (drawn: number, params: Values) => unknown

/** The same function, which makes its value when it is first asked for it. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** An object whose members are those of these names that it has a place for, as far as its schema takes them: `/users/7` has the user 7. */
export function named(value: unknown, schema: Schema | undefined, members: Values): unknown {
  if (schema === undefined || !isObject(value)) return value
  const { properties = {} } = jsonSchemaOf(schema)
  return Object.entries(members).reduce<unknown>((here, [name, member]) => {
    const changed = { ...(here as Values), [name]: member }
    return Object.hasOwn(properties, name) && takes(schema, changed) ? changed : here
  }, value)
}

/** The value of a header: its examples where they are any, else whatever its codec reads. */
function headerMaking(parameter: AnyParameter): (drawn: number) => unknown {
  const { examples, repeats, read } = parameter
  const texts = repeats ? examples : examples.slice(0, 1)
  const shown: unknown = read({ texts, named: texts.length > 0 })
  if (!(shown instanceof Refusal)) return () => shown
  const values = once(() => textsFor(parameter, 'header'))
  return (drawn) => {
    const found = values()
    return found === undefined ? undefined : read({ texts: sampledOne(found, drawn), named: true })
  }
}

/** The values of the headers that a reply declares. */
export function headersMaking({ headers }: AnyReply): (drawn: number) => Values {
  const makings = Object.entries(headers).map(([name, parameter]) => [name, headerMaking(parameter)] as const)
  return (drawn) => Object.fromEntries(makings.map(([name, make]) => [name, make(draw(drawn, name))]))
}

/** The body of a reply. @throws HttpError 501 where none can be made. */
function bodyMaking(route: string, { content }: AnyReply): Making {
  if (content === undefined) return () => undefined
  const values = once((): fc.Arbitrary<unknown> | undefined => bodiesOf(content))
  return (drawn, params) => {
    const found = values()
    if (found === undefined) throw notImplemented({ detail: mocked.noExample(route) })
    return named(sampledOne(found, drawn), content.schema, params)
  }
}

/** Whatever a reply allows, without an example. @throws HttpError 501 where nothing can be made. */
export function replyMaking(route: string, reply: AnyReply): Making {
  const [body, headers] = [bodyMaking(route, reply), headersMaking(reply)]
  return Object.keys(reply.headers).length === 0 ? body : (drawn, params) => withHeaders(body(drawn, params), headers(drawn))
}

/** The reply of an endpoint as its handler answers it: without the tag, which is not its business. */
export const replyOf = ({ etag, response }: AnyEndpoint): AnyReply => (etag === true ? untagged(response) : response)

/** The example of what a handler answers; undefined where there is none. */
export function exampleOf({ etag, examples, response }: AnyEndpoint): unknown {
  const { response: shown } = examples
  // With its tag alone, what was given stands beside no header.
  return etag === true && Object.keys(response.headers).length === 1 && isObject(shown) ? shown['body'] : shown
}

/** What the handler of an endpoint answers. */
export function successMaking(endpoint: AnyEndpoint): Making {
  const example = exampleOf(endpoint)
  return example === undefined ? replyMaking(endpoint.route, replyOf(endpoint)) : () => example
}
