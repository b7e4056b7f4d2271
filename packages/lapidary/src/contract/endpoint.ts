/** `endpoint('GET /position/:x/:y', { … })`: one operation of an API. */
import type { ByteSize } from '../http/limits.ts'
import { parseRoute, type RouteLine, type Segment } from '../http/route.ts'
import type { Schema } from '../json-schema/standardSchema.ts'
import { type AnyAuth, getInvalidCredentials, listAlternatives } from './auth/alternatives.ts'
import { addDeprecation, type Deprecation } from './deprecation.ts'
import { createDownload, type Download } from './download.ts'
import { checkDefinition } from './endpointDefinition.ts'
import { checkMaxBodySize, checkParts, checkRawBody, completeParams, type EndpointMeta, type EndpointParts } from './endpointParts.ts'
import type {
  AnyBody,
  BodyInput,
  CodecsOfCaptures,
  CookieCodecs,
  HandlerOutput,
  InputOfCall,
  InputOfHandler,
  ParameterCodecs,
  Replies,
  RepliesOnly,
} from './endpointTypes.ts'
import { addEtag, type Etag, type EtagErrorsOf, type TaggedReply } from './etag.ts'
import { checkExamples, type Examples } from './examples.ts'
import { addIdempotencyKey, checkSignedRequest, type Idempotent } from './idempotency.ts'
import { toContent } from './media/content.ts'
import type { ParameterRecord } from './parameters/parameter.ts'
import { createParameterPart, type ParameterGroup, type ParameterPart } from './parameters/parameterGroups.ts'
import { addRateLimit, listPolicies, type RateLimit, type RateLimitPolicy } from './rateLimit.ts'
import type { AnyReply, WithHeaders } from './reply.ts'

/**
 * Makes pages of any items, for a program that has only the API, such as a mock or a checker. `rangePagination`, `cursorPagination` and
 * `pagePagination` of `lapidary/pagination` create it.
 */
export interface Pagination {
  /** What selects a page: a range, the cursor of the page before it, or its number. */
  readonly kind: 'range' | 'cursor' | 'page'
  /** The query parameters that select a page. */
  readonly parameters: readonly string[]
  /** The names of the members of a body that is an object; undefined: the body is the array of the items. */
  readonly body: { readonly items: string; readonly next?: string; readonly total?: string } | undefined
  /**
   * Returns the page that a request asks for, with its headers.
   *
   * @param link returns the URL of a page at these query parameters
   * @throws HttpError 400 for a range or a cursor that is malformed, 416 for a field without ranges.
   */
  readonly page: (
    input: { readonly headers: object; readonly query: object },
    items: readonly unknown[],
    link?: (query: Readonly<Record<string, unknown>>) => string,
  ) => Promise<WithHeaders<unknown, object>>
  /** Decodes an item of the wire; absent where that is the item itself. @throws Error for a value that the schema of an item does not accept */
  readonly decodeItem?: (item: unknown) => unknown
  /** Returns what distinguishes any two items; undefined where the description does not say it. */
  readonly getKey: ((item: unknown) => string | number) | undefined
  /** Whether the codecs of the fields can write an item. @throws what a codec or a function of the application throws. */
  readonly isRepresentable: (item: unknown) => boolean
}

/** The parts of a request that select a page: the header `Range`, or the same text as the query parameter `range`. */
export interface RangeInput {
  readonly headers: { readonly Range: string | undefined }
  readonly query: { readonly range: string | undefined }
}

/** An operation. `T` names its types: the `input` of its handler, the `call` of its callers, `response` and `errors`. */
export interface Endpoint<T> extends EndpointParts {
  readonly '~kind': 'endpoint'
  readonly segments: readonly Segment[]
  /** The schemas that describe several parameters of a part. */
  readonly parameterGroups: Readonly<Record<'params' | 'query' | 'headers' | 'cookies', readonly ParameterGroup[]>>
  readonly etag: Etag | undefined
  readonly idempotent: Idempotent | undefined
  readonly rawBody: true | undefined
  /** In milliseconds; undefined: that of the middleware `timeout`; `Infinity`: none. */
  readonly timeout: number | undefined
  /** Its policies, and those of its groups; none: an empty list. */
  readonly rateLimit: readonly RateLimitPolicy[]
  readonly pagination: Pagination | undefined
  readonly deprecated: true | Deprecation | undefined
  /** What the server adds to a download; undefined for any other endpoint. */
  readonly download: Download | undefined
  readonly meta: EndpointMeta | undefined
  readonly tags: readonly string[] | undefined
  readonly summary: string | undefined
  readonly description: string | undefined
  readonly examples: Examples<unknown, unknown>
  /** Types only. */
  readonly '~types'?: T | undefined
}

/**
 * One of the types of an endpoint, by its name: `TypeOf<E['~types'], 'input'>`. Ask by the key `~types` whether something is an endpoint.
 * With `E extends Endpoint<…>` the compiler compares all members, which is most of what it then does for an endpoint.
 */
export type TypeOf<Known, Key> = NonNullable<Known>[Key & keyof NonNullable<Known>]

/** An endpoint of any types. */
// biome-ignore lint/suspicious/noExplicitAny: the types of its call and its errors are looked up in it, and `unknown` has none to find
export type AnyEndpoint = Endpoint<any>

/** The types of the parts of an operation, as they are written. A part that is not declared is `never`. */
interface PartTypes {
  route: string
  params: unknown
  query: unknown
  headers: unknown
  cookies: unknown
  auth: unknown
  body: unknown
  response: unknown
  errors: unknown
  etag: unknown
  rawBody: unknown
}

/** The parts of an operation that do not shape its types. */
// Apart from the others: the compiler makes the members of a generic interface anew for each endpoint, and shares those of this one.
interface EndpointOptions {
  /**
   * On POST and PATCH: a client can send the same request again, with the same `Idempotency-Key`, and gets the first response again. With
   * `'required'` a request without a key gets 400. You need not declare the errors 409 and 422 of this option.
   */
  readonly idempotent?: Idempotent
  /**
   * The largest request body, such as `'5 MB'`, or a number of bytes; a larger body gets 413.
   *
   * @default the `maxBodySize` of `serve`
   */
  readonly maxBodySize?: ByteSize
  /**
   * How long a response may take, without the time in which the body arrives. After that the client gets 503 with `Retry-After`, and the
   * `signal` of the request fires. This option replaces the time of the middleware `timeout`. A time limit is a number of milliseconds above 0
   * and at most 2,147,483,647 (24.8 days); `Infinity` is no limit, not even that of the middleware.
   *
   * @default no limit but that of the middleware
   */
  readonly timeout?: number
  /**
   * How many requests a client may make: one policy, or several, such as for a second and for a day. The middleware `rateLimit` enforces it, by
   * 429 with `Retry-After`; you need not declare this error. Every response says in `RateLimit` how much is left.
   *
   * @default no limit but those of the groups
   */
  readonly rateLimit?: RateLimit
  /** Makes pages of any items, for a mock. `rangePagination`, `cursorPagination` and `pagePagination` create it, with the other parts. */
  readonly pagination?: Pagination
  /** Constant headers of every response of this endpoint, errors included: `{ 'Accept-Ranges': 'name' }`. */
  readonly responseHeaders?: Readonly<Record<string, string>>
  /**
   * Says that clients should stop using the endpoint. The documentation says so, and every response, errors included, has headers with the
   * dates and the link.
   */
  readonly deprecated?: true | Deprecation
  /**
   * What the application knows of the endpoint, such as the role that it needs. Guards, providers, middleware and the access log read it. No
   * document has it. `EndpointMeta` declares its members.
   */
  readonly meta?: EndpointMeta
  /** The tags of OpenAPI. They replace the tags that the option `tags` of `openapi` returns. */
  readonly tags?: readonly string[]
  /** One line for documentation. */
  readonly summary?: string
  readonly description?: string
}

/** The parts of an operation. All but `response` are optional; `T` names their types. */
export interface EndpointDefinition<T extends PartTypes> extends EndpointOptions {
  /** A codec or a schema for each capture that is more than text, or one schema of an object for all of them. */
  readonly params?: CodecsOfCaptures<T['route'], T['params']>
  /** Query parameters by name, each a codec or a schema; or one schema of an object for all of them. */
  readonly query?: T['query']
  /** Request headers by name, in the same forms as the query parameters. */
  readonly headers?: T['headers']
  /** Cookies of the request by name: codecs or schemas with one text, optional or with a default where it may be absent. */
  readonly cookies?: T['cookies']
  /**
   * The auth scheme that a caller needs, or several by `either`, `both` and `optional`. The handler gets `user` from its authenticator.
   */
  readonly auth?: T['auth']
  /** A schema (its value is JSON), a content or a media type; `optional` of one of them where a request can leave it out. */
  readonly body?: T['body']
  /** The reply of success; or a list of replies, the usual one first. */
  readonly response: RepliesOnly<T['response']>
  /**
   * The errors that the handler throws, returns or raises by `fail`. Errors of the toolkit (400, 401, 403, 404, 405, 406, 413, 415) need no
   * declaration. If several errors have one status, the first one with a schema that matches the body counts.
   */
  readonly errors?: T['errors']
  /**
   * On a GET, `true`: responses have an `ETag`, and a client that has the current representation gets 304. On a change at the same path,
   * `'optional'` or `'required'`: the change is made only if the resource still has an ETag of `If-Match`, else the response is 412;
   * `'required'` rejects a request without `If-Match` (428). The handler checks it by `precondition`.
   */
  readonly etag?: T['etag'] | undefined
  /**
   * Whether the handler, its providers and its authenticator get the bytes of the body as they arrived, for the signature of a webhook. The
   * body is then read before the credentials are checked. Not with a stream or a form with files, which are not read as a whole.
   */
  readonly rawBody?: T['rawBody'] | undefined
  /** Values to show: `{ body, response }`, or several by name: `{ ruby: { body, response, summary }, … }`. */
  readonly examples?: Examples<BodyInput<T['body']>, HandlerOutput<T['response'], never>>
}

/** Any definition. */
type AnyDefinition = EndpointDefinition<{
  route: string
  params: ParameterCodecs
  query: ParameterCodecs
  headers: ParameterCodecs
  cookies: ParameterCodecs
  auth: AnyAuth
  body: AnyBody
  response: AnyReply | Replies
  errors: readonly AnyReply[]
  etag: Etag | undefined
  rawBody: true | undefined
}>

const toReplies = (response: AnyReply | Replies): Replies => (Array.isArray(response) ? (response as Replies) : [response as AnyReply])

/**
 * Describes an operation: what it takes and what it returns.
 *
 * @param line The method and the path: `GET /users/:id`.
 * @throws TypeError, with the cure, for a definition that contradicts itself: a codec without its capture, a body on GET, an invalid header
 * name. `serve` reports endpoints that contradict each other, and schemas that have no JSON Schema.
 * @example
 * ```ts
 * import { endpoint, int, ok, reply } from 'lapidary'
 * import { z } from 'zod'
 *
 * const User = z.object({ name: z.string() })
 * const user = endpoint('GET /users/:id', { params: { id: int }, response: ok(User), errors: [reply(404)] })
 * ```
 */
export function endpoint<
  const Line extends RouteLine,
  const Response,
  Params extends object = object,
  Query extends ParameterCodecs | Schema = never,
  Headers extends ParameterCodecs | Schema = never,
  Cookies extends CookieCodecs | Schema = never,
  Who extends AnyAuth = never,
  Body extends AnyBody = never,
  Errors extends readonly AnyReply[] = never,
  const Tag extends Etag | undefined = undefined,
  Raw extends true | undefined = undefined,
>(
  line: Line,
  definition: EndpointDefinition<{
    route: Line
    params: Params
    query: Query
    headers: Headers
    cookies: Cookies
    auth: Who
    body: Body
    response: Response
    errors: Errors
    etag: Tag
    rawBody: Raw
  }>,
): Endpoint<{
  input: InputOfHandler<Line, Params, Query, Headers, Cookies, Body, Who, Tag, Errors[number], Raw>
  call: InputOfCall<Line, Params, Query, Headers, Cookies, Body, Tag>
  response: Tag extends true ? TaggedReply<Response> : Response
  errors: Errors[number] | EtagErrorsOf<Tag>
}>
export function endpoint(line: string, definition: AnyDefinition): AnyEndpoint {
  const { method, segments } = parseRoute(line)
  checkDefinition(line, definition ?? {})
  const { auth, etag, idempotent, maxBodySize, rawBody, timeout, pagination, deprecated, meta, tags, summary, description } = definition
  const { examples = {} } = definition
  const createPart = (part: 'params' | 'query' | 'headers' | 'cookies'): ParameterPart =>
    createParameterPart(`${line}: ${part}`, (definition[part] ?? {}) as ParameterRecord, part === 'query')
  const [params, query, headers, cookies] = [createPart('params'), createPart('query'), createPart('headers'), createPart('cookies')]
  const responses = toReplies(definition.response)
  const declared: EndpointParts = {
    route: line,
    method,
    params: completeParams(line, segments, params),
    query: query.parameters,
    headers: headers.parameters,
    cookies: cookies.parameters,
    auth: auth && listAlternatives(auth),
    invalidCredentials: getInvalidCredentials(auth),
    body: definition.body === undefined ? undefined : toContent(definition.body),
    response: responses[0],
    responses,
    errors: definition.errors ?? [],
    maxBodySize,
    responseHeaders: definition.responseHeaders ?? {},
  }
  checkParts(declared)
  const rateLimit = listPolicies(line, definition.rateLimit)
  checkExamples(line, examples)
  checkMaxBodySize(declared)
  checkRawBody(declared, rawBody)
  checkSignedRequest(declared, rawBody, idempotent)
  // Each word returns the parts with what it adds to them.
  const parts = addRateLimit(addDeprecation(addIdempotencyKey(addEtag(declared, etag), idempotent), deprecated), rateLimit)
  return Object.freeze({
    '~kind': 'endpoint' as const,
    ...parts,
    segments: Object.freeze(segments),
    query: Object.freeze(parts.query),
    headers: Object.freeze(parts.headers),
    cookies: Object.freeze(parts.cookies),
    parameterGroups: Object.freeze({ params: params.groups, query: query.groups, headers: headers.groups, cookies: cookies.groups }),
    responses: Object.freeze([...parts.responses]),
    errors: Object.freeze([...parts.errors]),
    responseHeaders: Object.freeze({ ...parts.responseHeaders }),
    etag,
    idempotent,
    rawBody,
    timeout,
    rateLimit,
    pagination,
    deprecated,
    download: createDownload(parts, etag),
    meta: meta && Object.freeze({ ...meta }),
    tags,
    summary,
    description,
    examples,
  })
}
