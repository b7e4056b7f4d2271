/** `endpoint('GET /position/:x/:y', { … })`: the description of one operation. */

import { isHeaderName } from '../http/headerFields.ts'
import { type Method, parseRoute, type RouteLine, type Segment } from '../http/route.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { checkDefinition } from './endpointDefinition.ts'
import type {
  AnyAuthScheme,
  AnyBody,
  BodyInput,
  CodecsOfCaptures,
  InputOfCall,
  InputOfHandler,
  NoSchemaOfParameters,
  ParameterCodecs,
  ParameterRecord,
  ReplyInput,
  ReplyOnly,
} from './endpointTypes.ts'
import { addEtag, checkEtag, type Etag, etagHeaderNames, type RaisedOf, type TaggedReply } from './etag.ts'
import { toContent } from './media/content.ts'
import type { Content } from './media/mediaType.ts'
import type { Codec } from './parameters/parameter.ts'
import { text } from './parameters/text.ts'
import type { AnyReply, Reply } from './reply.ts'

// biome-ignore lint/suspicious/noExplicitAny: any scalar is meant
type CaptureCodecs = Readonly<Record<string, Codec<any>>>

/** A described operation; `T` names its types: `input` of its handler, `call` of its callers, `response` and `errors`. */
export interface Endpoint<T> {
  readonly '~kind': 'endpoint'
  /** The route line, with the prefixes that it was put under: `GET /products/:id`. */
  readonly route: string
  readonly method: Method
  readonly segments: readonly Segment[]
  /** One codec for each capture, in the order of the path. */
  readonly params: CaptureCodecs
  readonly query: ParameterRecord
  readonly headers: ParameterRecord
  readonly auth: AnyAuthScheme | undefined
  readonly body: Content<unknown, unknown> | undefined
  readonly response: Reply<unknown, unknown>
  readonly errors: readonly Reply<unknown, unknown>[]
  readonly etag: Etag | undefined
  /** Headers that every answer carries, an error's too. */
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly examples: Examples<unknown, unknown>
  /** Types only. */
  readonly '~types'?: T | undefined
}

/**
 * One of the types of an endpoint, by its name: `TypeOf<E['~types'], 'input'>`. Ask by the key `~types` whether something is an endpoint. With
 * `E extends Endpoint<…>` the compiler compares all members, which is most of what it then does for an endpoint.
 */
export type TypeOf<Known, Key> = NonNullable<Known>[Key & keyof NonNullable<Known>]

/** An endpoint, whatever it takes and answers. */
// biome-ignore lint/suspicious/noExplicitAny: any endpoint is meant
export type AnyEndpoint = Endpoint<any>

/** Values to show in documentation. What is left out is made from the schema. */
export interface Examples<BodyValue, ResponseValue> {
  readonly body?: BodyValue
  readonly response?: ResponseValue
}

/** The types of the parts of an operation, as they are written. A part that is not declared is `never`. */
interface PartTypes {
  route: string
  params: unknown
  query: unknown
  headers: unknown
  auth: unknown
  body: unknown
  response: unknown
  errors: unknown
  etag: unknown
}

/** The parts of an operation, each of them optional but `response`; `T` names their types. */
export interface EndpointDefinition<T extends PartTypes> {
  /** A scalar codec for each capture that is more than text. */
  readonly params?: CodecsOfCaptures<T['route'], T['params']>
  readonly query?: T['query']
  readonly headers?: T['headers']
  /** Who may call it; the handler gets what the check of this scheme gave as `user`. */
  readonly auth?: T['auth']
  /** A schema (JSON), a content or a medium. */
  readonly body?: T['body']
  readonly response: ReplyOnly<T['response']>
  /**
   * The errors that the handler itself raises. Those of the toolkit (400, 401, 404, 405, 406, 413, 415) need no mention. Of several with one status
   * the body says which it is: the first whose form it has.
   */
  readonly errors?: T['errors']
  /**
   * On a GET `true`: its answers carry an `ETag`, and a copy that is still good is not sent again (304). On a change at the same path `'optional'`, or
   * `'required'` of every request: it is made only while what is there is what `If-Match` names (412, 428), which its handler sees to by `precondition`.
   */
  readonly etag?: T['etag'] | undefined
  /** Headers that every answer of this endpoint carries, its errors too: `{ 'Accept-Ranges': 'name' }`. */
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** One line. */
  readonly summary?: string
  readonly description?: string
  readonly examples?: Examples<BodyInput<T['body']>, ReplyInput<T['response']>>
}

/** Any definition. */
type AnyDefinition = EndpointDefinition<{
  route: string
  params: CaptureCodecs
  query: ParameterRecord
  headers: ParameterRecord
  auth: AnyAuthScheme
  body: AnyBody
  response: AnyReply
  errors: readonly AnyReply[]
  etag: Etag | undefined
}>

/** Headers that are not the description's business: framing is the adapter's, media and auth are other words of the language. */
const reservedHeaders = new Set([
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'host',
  'accept',
  'authorization',
  'date',
  'vary',
])

function checkHeaders(line: string, headers: object, etag: Etag | undefined): void {
  const seen = new Set<string>()
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase()
    if (!isHeaderName(name)) throw new TypeError(developerErrors.invalidHeaderName(line, name))
    if (reservedHeaders.has(lower) || (etag !== undefined && etagHeaderNames.includes(lower)))
      throw new TypeError(developerErrors.reservedHeader(line, name))
    if (seen.has(lower)) throw new TypeError(developerErrors.duplicateHeader(line, name))
    seen.add(lower)
  }
}

function checkBody(line: string, method: Method, body: Content<unknown, unknown>): void {
  if (method === 'GET') throw new TypeError(developerErrors.bodyOnGet(line))
  const silent = body.media.find(({ reader }) => reader === undefined)
  if (silent !== undefined) throw new TypeError(developerErrors.unreadableRequestBody(line, silent.types[0]))
}

function completeParams(line: string, segments: readonly Segment[], given: CaptureCodecs): CaptureCodecs {
  const captures = segments.flatMap((segment) => ('capture' in segment ? [segment.capture] : []))
  for (const [name, codec] of Object.entries(given)) {
    if (!captures.includes(name)) throw new TypeError(developerErrors.codecWithoutCapture(line, name))
    if (typeof codec.parse !== 'function') throw new TypeError(developerErrors.invalidCaptureCodec(line, name))
  }
  return Object.freeze(Object.fromEntries(captures.map((name) => [name, given[name] ?? text])))
}

/**
 * Describes an operation: its route line, what it takes and what it answers.
 *
 * @throws TypeError with a cure when the description contradicts itself: a codec without its capture, a body on GET, a bad header name.
 */
export function endpoint<
  const Line extends RouteLine,
  Response,
  Params extends object = object,
  Query extends ParameterCodecs | NoSchemaOfParameters = never,
  Headers extends ParameterCodecs | NoSchemaOfParameters = never,
  Scheme extends AnyAuthScheme = never,
  Body extends AnyBody = never,
  Errors extends readonly AnyReply[] = never,
  const Tag extends Etag | undefined = undefined,
>(
  line: Line,
  definition: EndpointDefinition<{
    route: Line
    params: Params
    query: Query
    headers: Headers
    auth: Scheme
    body: Body
    response: Response
    errors: Errors
    etag: Tag
  }>,
): Endpoint<{
  input: InputOfHandler<Line, Params, Query, Headers, Body, Scheme, Tag>
  call: InputOfCall<Line, Params, Query, Headers, Body, Tag>
  response: Tag extends true ? TaggedReply<Response> : Response
  errors: Errors[number] | RaisedOf<Tag>
}>
export function endpoint(line: string, definition: AnyDefinition): AnyEndpoint {
  const { method, segments } = parseRoute(line)
  checkDefinition(line, definition ?? {})
  const { query = {}, auth, etag, errors: raised = [], responseHeaders: always = {}, summary, description } = definition
  const body = definition.body === undefined ? undefined : toContent(definition.body)
  if (body !== undefined) checkBody(line, method, body)
  const given = { headers: definition.headers ?? {}, response: definition.response, errors: raised, examples: definition.examples ?? {} }
  for (const declared of [given.headers, { ...given.response.headers, ...always }, ...raised.map((error) => error.headers)])
    checkHeaders(line, declared, etag)
  if (etag !== undefined) checkEtag(line, method, etag, given.response)
  const { headers, response, errors, examples } = etag === undefined ? given : addEtag(etag, given)
  return Object.freeze({
    '~kind': 'endpoint' as const,
    route: line,
    method,
    segments: Object.freeze(segments),
    params: completeParams(line, segments, definition.params ?? {}),
    query: Object.freeze({ ...query }),
    headers: Object.freeze({ ...(headers as ParameterRecord) }),
    auth,
    body,
    response,
    errors: Object.freeze([...errors]),
    etag,
    responseHeaders: Object.freeze({ ...always }),
    summary,
    description,
    examples: Object.freeze({ ...examples }),
  })
}
