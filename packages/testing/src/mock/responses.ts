/** What an endpoint answers where nobody says otherwise: its example, or values that its reply allows. */

import * as fc from 'fast-check'
import {
  type AnyEndpoint,
  type AnyReply,
  type Content,
  errors,
  HttpError,
  type HttpErrorOptions,
  htmlTemplate,
  isParseError,
  type JsonSchema,
  type MediaTypeDefinition,
  type Precondition,
  type Schema,
  withHeaders,
} from 'lapidary'
import {
  type AnyParameter,
  getJsonSchema as formOf,
  getEssence,
  getJsonSchema,
  getTypes,
  isJsonObject,
  mockDetail,
  type ParameterValues,
  removeEtag,
} from 'lapidary/internal'
import type { HttpRequest } from 'lapidary/server'
import { acceptsValue, canRoundTrip } from '../generate/calls.ts'
import { generateParameterTexts } from '../generate/parameterTexts.ts'
import { sample, sampleOne } from '../generate/sample.ts'
import { createArbitrary } from '../generate/values.ts'

// Bodies to answer with: what a content allows, and each of its media can write.

type AnyResponseContent = Content<unknown, unknown>

const plainTextValues = createArbitrary({ type: 'string' }, undefined, 'plain') ?? fc.constant('text')

/** What stands in media without a schema: the first of these that all of them write. */
const schemalessBodies: readonly fc.Arbitrary<unknown>[] = [
  fc.dictionary(fc.constantFrom('name', 'note', 'place'), plainTextValues, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  plainTextValues,
  fc.uint8Array({ minLength: 1, maxLength: 40 }),
]

/** Whole, and not in pieces: whatever can be walked would be written somehow. */
const isWrittenWhole = ({ media }: AnyResponseContent, value: unknown): boolean =>
  media.every((medium) => {
    try {
      const written = medium.writer(undefined)(value)
      return typeof written === 'string' || written instanceof Uint8Array
    } catch {
      return false
    }
  })

const isWrittenByAll = ({ media }: AnyResponseContent, form: JsonSchema | undefined, value: unknown): boolean =>
  media.every((medium) => canRoundTrip(medium, form, value))

function isStreamContent({ media: [medium] }: AnyResponseContent, form: JsonSchema, series: readonly unknown[]): boolean {
  try {
    const written = medium?.writer(form)(series)
    return typeof written === 'object' && Symbol.asyncIterator in written
  } catch {
    return false
  }
}

/** The values that a content may have; undefined where none can be found. */
export function generateResponseBodies(content: AnyResponseContent): fc.Arbitrary<unknown> | undefined {
  const { schema } = content
  if (schema === undefined)
    return schemalessBodies.find((kind) =>
      sample(kind, 1, 5).every((value) => isWrittenWhole(content, value) && isWrittenByAll(content, undefined, value)),
    )
  const form = formOf(schema)
  const isList = getTypes(form).includes('array')
  const one = createArbitrary(form, (value) => acceptsValue(schema, value), 'plain')
  if (one === undefined) return undefined
  // A medium that walks whatever it is given, such as that of `lines`, takes a series of what its schema describes.
  if (!isList && isStreamContent(content, form, sample(one, 1, 2))) return fc.array(one, { minLength: 2, maxLength: 4 })
  return createArbitrary(form, (value) => acceptsValue(schema, value) && isWrittenByAll(content, form, value), 'plain')
}

// Draws: numbers that look like chance, and are the same for the same words every time.

/** FNV-1a, and the last step of MurmurHash3: words that are almost alike give numbers that are not. */
export function drawNumber(...words: readonly unknown[]): number {
  const text = words.join('\n')
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b)
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35)
  return sum ^ (sum >>> 16)
}

/** A number from 0 to less than 1. */
export const drawFraction = (...words: readonly unknown[]): number => (drawNumber(...words) >>> 0) / 2 ** 32

const replaceBigInt = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** What two requests have in common that are to get the same answer, as a word of a draw. */
export const toKey = (...values: readonly unknown[]): string => JSON.stringify(values, replaceBigInt)

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
  if (!isParseError(shown)) return () => shown
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
    if (found === undefined) throw errors.notImplemented({ detail: mockDetail.noExample(route) })
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

// Errors in the form that an endpoint declares for them.

/** The header lines of an error: those that its reply declares, printed. */
function writeErrorHeaders(values: Readonly<Record<string, unknown>>, error: AnyEndpoint['response']): Readonly<Record<string, string>> {
  const lines = Object.entries(error.headers).map(([name, { write }]) => [name, write(values[name]).join(',')] as const)
  return Object.fromEntries(lines.filter(([, text]) => text !== ''))
}

/** The headers of an error, and those of its reply that it has not itself, in whatever case. */
function mergeErrorHeaders(
  own: HttpErrorOptions['headers'] = {},
  shown: Readonly<Record<string, string>>,
): NonNullable<HttpErrorOptions['headers']> {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  return { ...own, ...Object.fromEntries(Object.entries(shown).filter(([name]) => !names.has(name.toLowerCase()))) }
}

/** An error of this status as the endpoint declares it, body and headers included; undeclared, it is problem details with these words. */
export function createDeclaredError({ route, errors }: AnyEndpoint, status: number, options: HttpErrorOptions): HttpError {
  const reply = errors.find((error) => error.status === status)
  if (reply === undefined) return new HttpError(status, options)
  const drawn = drawNumber(route, status)
  const headers = mergeErrorHeaders(options.headers, writeErrorHeaders(createHeadersMaker(reply)(drawn), reply))
  if (reply.content === undefined) return new HttpError(status, { ...options, headers })
  const body = createReplyMaker(route, { ...reply, headers: {} })(drawn, {})
  return new HttpError(status, { ...options, headers, body })
}

// Stands in for what only a handler could make: a page whose values nothing describes.

type AnyPageMediaType = MediaTypeDefinition<unknown>

/** The same medium, which writes one sentence, whatever it is given. */
function writePlaceholder(medium: AnyPageMediaType, route: string): AnyPageMediaType {
  const sentence = mockDetail.page(route)
  const isPage = getEssence(medium.types[0]) === 'text/html'
  const text = isPage ? htmlTemplate`<!doctype html>\n<title>${route}</title>\n<p>${sentence}</p>\n`.html : sentence
  return { ...medium, writer: () => () => text }
}

/**
 * The same endpoint, which answers with a sentence where no value can be made for its media: they have no schema, no example, and nothing that reads
 * them would miss anything.
 */
export function withPlaceholderPage(endpoint: AnyEndpoint): AnyEndpoint {
  const { response, route } = endpoint
  const { content } = response
  if (content === undefined || content.schema !== undefined || getResponseExample(endpoint) !== undefined) return endpoint
  if (content.media.some(({ reader, streamReader }) => reader !== undefined || streamReader !== undefined)) return endpoint
  if (generateResponseBodies(content) !== undefined) return endpoint
  const media = content.media.map((medium) => writePlaceholder(medium, route))
  return { ...endpoint, response: { ...response, content: { schema: undefined, media } } }
}

// What handlers of a mock have in common.

/** What any handler gets. */
export interface MockInput {
  readonly params: ParameterValues
  readonly query: ParameterValues
  readonly headers: ParameterValues
  readonly body: unknown
  readonly user: unknown
  readonly precondition?: Precondition | undefined
}

/** A handler, of whatever endpoint. */
export type AnyMockHandler = (given: MockInput, incoming: HttpRequest) => unknown
