/** What an endpoint answers where nobody says otherwise: its example, or values that its reply allows. */
import type * as fc from 'fast-check'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { notImplemented } from '../describe/errors.ts'
import { removeEtag } from '../describe/etag.ts'
import { isJsonObject } from '../describe/jsonSchema.ts'
import { mockDetail } from '../describe/message.ts'
import type { AnyParameter } from '../describe/parameter.ts'
import type { ParameterValues } from '../describe/reading.ts'
import { ParseError } from '../describe/refusal.ts'
import { type AnyReply, withHeaders } from '../describe/reply.ts'
import { getJsonSchema, type Schema } from '../describe/schema.ts'
import { acceptsValue } from '../generate/calls.ts'
import { generateParameterTexts } from '../generate/parameters.ts'
import { sampleOne } from '../generate/sampled.ts'
import { generateResponseBodies } from './bodies.ts'
import { drawNumber } from './draw.ts'

/** What a reply is answered with, for a draw; `params` are the captures of the request. */
export type MakeResponse = (drawn: number, params: ParameterValues) => unknown

/** The same function, which makes its value when it is first asked for it. */
function memoize<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** An object whose members are those of these names that it has a place for, as far as its schema takes them: `/users/7` has the user 7. */
export function setMembers(value: unknown, schema: Schema | undefined, members: ParameterValues): unknown {
  if (schema === undefined || !isJsonObject(value)) return value
  const { properties = {} } = getJsonSchema(schema)
  return Object.entries(members).reduce<unknown>((here, [name, member]) => {
    const changed = { ...(here as ParameterValues), [name]: member }
    return Object.hasOwn(properties, name) && acceptsValue(schema, changed) ? changed : here
  }, value)
}

/** The value of a header: its examples where they are any, else whatever its codec reads. */
function createHeaderMaker(parameter: AnyParameter): (drawn: number) => unknown {
  const { examples, repeats, read } = parameter
  const texts = repeats ? examples : examples.slice(0, 1)
  const shown: unknown = read({ values: texts, isPresent: texts.length > 0 })
  if (!(shown instanceof ParseError)) return () => shown
  const values = memoize(() => generateParameterTexts(parameter, 'header'))
  return (drawn) => {
    const found = values()
    return found === undefined ? undefined : read({ values: sampleOne(found, drawn), isPresent: true })
  }
}

/** The values of the headers that a reply declares. */
export function createHeadersMaker({ headers }: AnyReply): (drawn: number) => ParameterValues {
  const makings = Object.entries(headers).map(([name, parameter]) => [name, createHeaderMaker(parameter)] as const)
  return (drawn) => Object.fromEntries(makings.map(([name, make]) => [name, make(drawNumber(drawn, name))]))
}

/** The body of a reply. @throws HttpError 501 where none can be made. */
function createBodyMaker(route: string, { content }: AnyReply): MakeResponse {
  if (content === undefined) return () => undefined
  const values = memoize((): fc.Arbitrary<unknown> | undefined => generateResponseBodies(content))
  return (drawn, params) => {
    const found = values()
    if (found === undefined) throw notImplemented({ detail: mockDetail.noExample(route) })
    return setMembers(sampleOne(found, drawn), content.schema, params)
  }
}

/** Whatever a reply allows, without an example. @throws HttpError 501 where nothing can be made. */
export function createReplyMaker(route: string, reply: AnyReply): MakeResponse {
  const [body, headers] = [createBodyMaker(route, reply), createHeadersMaker(reply)]
  return Object.keys(reply.headers).length === 0 ? body : (drawn, params) => withHeaders(body(drawn, params), headers(drawn))
}

/** The reply of an endpoint as its handler answers it: without the tag, which is not its business. */
export const getHandlerReply = ({ etag, response }: AnyEndpoint): AnyReply => (etag === true ? removeEtag(response) : response)

/** The example of what a handler answers; undefined where there is none. */
export function getResponseExample({ etag, examples, response }: AnyEndpoint): unknown {
  const { response: shown } = examples
  // With its tag alone, what was given stands beside no header.
  return etag === true && Object.keys(response.headers).length === 1 && isJsonObject(shown) ? shown['body'] : shown
}

/** What the handler of an endpoint answers. */
export function createSuccessMaker(endpoint: AnyEndpoint): MakeResponse {
  const example = getResponseExample(endpoint)
  return example === undefined ? createReplyMaker(endpoint.route, getHandlerReply(endpoint)) : () => example
}
