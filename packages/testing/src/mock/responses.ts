/** What a mock responds with: examples of the description, or values that its schemas allow. */

import * as fc from 'fast-check'
import {
  type AnyEndpoint,
  type AnyParameter,
  type AnyReply,
  type Content,
  errors,
  HttpError,
  type HttpErrorOptions,
  htmlTemplate,
  isParseError,
  type JsonSchema,
  type Precondition,
  type Schema,
  withHeaders,
} from 'lapidary'
import {
  findReplies,
  getEssence,
  getJsonSchema,
  getTypes,
  isJsonObject,
  isPromise,
  isReadable,
  isStatusValue,
  listExamples,
  removeEtag,
} from 'lapidary/internal'
import type { HttpRequest } from 'lapidary/server'
import { type AnyMediaType, acceptsValue, canRoundTrip } from '../generate/calls.ts'
import { generateParameterTexts } from '../generate/parameterTexts.ts'
import { sample, sampleOne } from '../generate/sample.ts'
import { createArbitrary } from '../generate/values.ts'
import { mockDetail } from '../testingMessages.ts'
import { hashWords } from './hash.ts'

/** The input of the handler of any endpoint. */
export interface MockInput {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly cookies: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly user: unknown
  readonly precondition?: Precondition | undefined
}

/** A handler of any endpoint. */
export type AnyMockHandler = (input: MockInput, request: HttpRequest) => unknown

const replaceBigInt = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** Serializes the values that make two requests equal. */
export const toKey = (...values: readonly unknown[]): string => JSON.stringify(values, replaceBigInt)

type AnyContent = Content<unknown, unknown>

const plainTextValues = createArbitrary({ type: 'string' }, undefined, 'plain') ?? fc.constant('text')

/** Candidates for a body without a schema. The first that all media types can write is used. */
const schemalessBodies: readonly fc.Arbitrary<unknown>[] = [
  fc.dictionary(fc.constantFrom('name', 'note', 'place'), plainTextValues, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  plainTextValues,
  fc.uint8Array({ minLength: 1, maxLength: 40 }),
]

/** Whether all media types write a value as one text or one byte array. A stream would accept every iterable value. */
const isWrittenWhole = ({ media }: AnyContent, value: unknown): boolean =>
  media.every((mediaType) => {
    try {
      const encoded = mediaType.writer(undefined)(value)
      return typeof encoded === 'string' || encoded instanceof Uint8Array
    } catch {
      return false
    }
  })

const isWrittenByAll = ({ media }: AnyContent, jsonSchema: JsonSchema | undefined, value: unknown): boolean =>
  media.every((mediaType) => canRoundTrip(mediaType, jsonSchema, value))

/** Whether the first media type writes these items as a stream. */
function isStreamContent({ media: [mediaType] }: AnyContent, jsonSchema: JsonSchema, items: readonly unknown[]): boolean {
  try {
    const encoded = mediaType?.writer(jsonSchema)(items)
    return typeof encoded === 'object' && Symbol.asyncIterator in encoded
  } catch {
    return false
  }
}

/** Creates a small file of the first declared type, or of some type of a range. The same number gives the same bytes. */
function createFile({ media: [mediaType] }: AnyContent, number: number): Blob {
  const lines = Array.from({ length: 20 }, (_, index) => `${index + 1},${(hashWords(number, index) >>> 0).toString(36)}\n`)
  return new Blob(lines, { type: (mediaType?.types[0] ?? '').replaceAll('*', 'x') })
}

/** Generates bodies that a content allows; `undefined` if no value was found. */
export function generateResponseBodies(content: AnyContent): fc.Arbitrary<unknown> | undefined {
  const { schema } = content
  if (content.isDownload) return fc.nat().map((number) => createFile(content, number))
  if (schema === undefined)
    return schemalessBodies.find((bodies) =>
      sample(bodies, 1, 5).every((value) => isWrittenWhole(content, value) && isWrittenByAll(content, undefined, value)),
    )
  const jsonSchema = getJsonSchema(schema)
  // A body that is read as a whole list has the schema of the list.
  const isArray = getTypes(jsonSchema).includes('array') && content.media.every(({ streamReader }) => streamReader === undefined)
  const items = createArbitrary(jsonSchema, (value) => acceptsValue(schema, value), 'plain')
  if (items === undefined) return undefined
  // The schema of a stream, such as `ndjson`, describes one item.
  if (!isArray && isStreamContent(content, jsonSchema, sample(items, 1, 2))) {
    const kinds = (jsonSchema.anyOf ?? []).map((kind) => createArbitrary(kind, (value) => acceptsValue(schema, value), 'plain', jsonSchema))
    // One item of each kind, such as one event of each name.
    if (kinds.length > 1 && kinds.every((kind) => kind !== undefined)) return fc.tuple(...kinds)
    return fc.array(items, { minLength: 2, maxLength: 4 })
  }
  return createArbitrary(jsonSchema, (value) => acceptsValue(schema, value) && isWrittenByAll(content, jsonSchema, value), 'plain')
}

/** Creates the result of a handler from a seed and the captures of the request. */
type CreateResult = (seed: number, params: Readonly<Record<string, unknown>>) => unknown

/** Delays a computation until its value is first needed. */
function lazy<Value>(compute: () => Value): () => Value {
  let computed: { readonly value: Value } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}

/** Sets members that an object declares, as far as its schema accepts them: `/users/7` has the user with the `id` 7. */
export function setMembers(value: unknown, schema: Schema | undefined, members: Readonly<Record<string, unknown>>): unknown {
  if (schema === undefined || !isJsonObject(value)) return value
  const { properties = {} } = getJsonSchema(schema)
  return Object.entries(members).reduce<unknown>((current, [name, member]) => {
    const changed = { ...(current as Readonly<Record<string, unknown>>), [name]: member }
    return Object.hasOwn(properties, name) && acceptsValue(schema, changed) ? changed : current
  }, value)
}

/** Creates values of a header: its examples if it has some, else generated values. */
function createHeaderValues(parameter: AnyParameter): (seed: number) => unknown {
  const { examples, repeats, read } = parameter
  const texts = repeats ? examples : examples.slice(0, 1)
  const example: unknown = read({ values: texts, isPresent: texts.length > 0 })
  if (!isParseError(example)) return () => example
  const getTexts = lazy(() => generateParameterTexts(parameter, 'header'))
  return (seed) => {
    const generated = getTexts()
    return generated === undefined ? undefined : read({ values: sampleOne(generated, seed), isPresent: true })
  }
}

/** Creates the headers that a reply declares. */
export function createReplyHeaders({ headers }: AnyReply): (seed: number) => Readonly<Record<string, unknown>> {
  const creators = Object.entries(headers).map(([name, parameter]) => [name, createHeaderValues(parameter)] as const)
  return (seed) => Object.fromEntries(creators.map(([name, createValue]) => [name, createValue(hashWords(seed, name))]))
}

/** Creates the body of a reply. @throws HttpError 501 if no value was found */
function createReplyBody(route: string, { content }: AnyReply): CreateResult {
  if (content === undefined) return () => undefined
  const getBodies = lazy(() => generateResponseBodies(content))
  return (seed, params) => {
    const bodies = getBodies()
    if (bodies === undefined) throw errors.notImplemented({ detail: mockDetail.noExample(route) })
    return setMembers(sampleOne(bodies, seed), content.schema, params)
  }
}

/** Creates what a handler returns for a reply, without regard to examples. @throws HttpError 501 if no value was found */
export function createReplyResult(route: string, reply: AnyReply): CreateResult {
  const [createBody, createHeaders] = [createReplyBody(route, reply), createReplyHeaders(reply)]
  if (Object.keys(reply.headers).length === 0) return createBody
  return (seed, params) => withHeaders(createBody(seed, params), createHeaders(seed))
}

/** Returns the reply as the handler sees it: the server adds the ETag. */
export const getHandlerReply = ({ etag, response }: AnyEndpoint): AnyReply => (etag === true ? removeEtag(response) : response)

/** Returns the first example of what the handler returns for the usual reply; `undefined` if there is none. */
export const getResponseExample = (endpoint: AnyEndpoint): unknown =>
  listExamples(endpoint).find(({ response }) => response !== undefined && !isStatusValue(response))?.response

/** Returns what a handler gets for the body of an example. */
function parseExampleBody({ body: declared }: AnyEndpoint, body: unknown): unknown {
  const result = declared?.schema?.['~standard'].validate(body)
  return result === undefined || isPromise(result) || result.issues !== undefined ? body : result.value
}

/** Creates what the handler of an endpoint returns on success: the example with the body of the request, else the first. */
export function createSuccessResult(endpoint: AnyEndpoint): (seed: number, input: Pick<MockInput, 'params' | 'body'>) => unknown {
  const pairs = listExamples(endpoint).filter(({ body, response }) => body !== undefined && response !== undefined)
  const byBody = new Map(pairs.map(({ body, response }) => [toKey(parseExampleBody(endpoint, body)), response]))
  const example = getResponseExample(endpoint)
  const createResult = createReplyResult(endpoint.route, getHandlerReply(endpoint))
  return (seed, { params, body }) => {
    // An example may be null.
    const ofBody = byBody.size > 1 ? byBody.get(toKey(body)) : undefined
    const found = ofBody === undefined ? example : ofBody
    return found === undefined ? createResult(seed, params) : found
  }
}

/** Writes the declared headers of an error. */
function writeErrorHeaders(values: Readonly<Record<string, unknown>>, reply: AnyReply): NonNullable<HttpErrorOptions['headers']> {
  const lines = Object.entries(reply.headers).map(([name, { write }]) => {
    const texts = write(values[name])
    return [name, name.toLowerCase() === 'set-cookie' ? texts : texts.join(',')] as const
  })
  return Object.fromEntries(lines.filter(([, text]) => text.length > 0))
}

/** Adds the headers that an error does not have yet, by their names in any case. */
function addErrorHeaders(
  headers: HttpErrorOptions['headers'] = {},
  defaults: NonNullable<HttpErrorOptions['headers']>,
): NonNullable<HttpErrorOptions['headers']> {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  return { ...headers, ...Object.fromEntries(Object.entries(defaults).filter(([name]) => !names.has(name.toLowerCase()))) }
}

/** Creates an error as the endpoint declares it, with its body and headers. An undeclared error has problem details. */
export function createDeclaredError({ route, errors: replies }: AnyEndpoint, status: number, options: HttpErrorOptions): HttpError {
  const [reply] = findReplies(replies, status)
  if (reply === undefined) return new HttpError(status, options)
  const seed = hashWords(route, status)
  const headers = addErrorHeaders(options.headers, writeErrorHeaders(createReplyHeaders(reply)(seed), reply))
  if (reply.content === undefined) return new HttpError(status, { ...options, headers })
  const body = createReplyResult(route, { ...reply, headers: {} })(seed, {})
  return new HttpError(status, { ...options, headers, body })
}

/** Returns a media type that writes one sentence in place of every value. */
function writePlaceholder(mediaType: AnyMediaType, route: string): AnyMediaType {
  const sentence = mockDetail.page(route)
  const isHtml = getEssence(mediaType.types[0]) === 'text/html'
  const text = isHtml ? htmlTemplate`<!doctype html>\n<title>${route}</title>\n<p>${sentence}</p>\n`.html : sentence
  return { ...mediaType, writer: () => () => text }
}

/**
 * Lets an endpoint respond with a sentence if only its handler could create a value: no schema, no example, and a media type without a
 * reader.
 */
export function withPlaceholderPage(endpoint: AnyEndpoint): AnyEndpoint {
  const { response, route } = endpoint
  const { content } = response
  if (content === undefined || content.schema !== undefined || getResponseExample(endpoint) !== undefined) return endpoint
  if (content.media.some(isReadable)) return endpoint
  if (generateResponseBodies(content) !== undefined) return endpoint
  const media = content.media.map((mediaType) => writePlaceholder(mediaType, route))
  const page = { ...response, content: { schema: undefined, media } }
  return { ...endpoint, response: page, responses: [page, ...endpoint.responses.slice(1)] }
}
