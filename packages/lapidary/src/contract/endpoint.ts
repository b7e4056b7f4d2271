/** `endpoint('GET /position/:x/:y', { … })`: the description of one operation. */

import { isHeaderName } from '../http/headerFields.ts'
import { type Captures, type Method, parseRoute, type RouteLine, type Segment } from '../http/route.ts'
import * as complaint from '../messages/developerErrors.ts'
import type { AuthScheme } from './auth.ts'
import { checkDefinition } from './endpointDefinition.ts'
import {
  addEtag,
  type ConditionsOf,
  checkEtag,
  type Etag,
  etagHeaderNames,
  type GotOf,
  type PreconditionOf,
  type RaisedOf,
} from './etag.ts'
import { type Body, toContent } from './media/content.ts'
import type { Content } from './media/mediaType.ts'
import type { AnyParameter, Codec, Parameter } from './parameters/parameter.ts'
import { text } from './parameters/text.ts'
import type { AnyReply, Reply } from './reply.ts'

/** What a handler gets. */
export interface Input<Params, Query, Headers, Body, User, Condition = undefined> {
  readonly params: Params
  readonly query: Query
  readonly headers: Headers
  readonly body: Body
  readonly user: User
  /** Of an endpoint with `etag: 'optional'` or `'required'`. */
  readonly precondition: Condition
}

// biome-ignore lint/suspicious/noExplicitAny: any scalar is meant
type CaptureCodecs = Readonly<Record<string, Codec<any>>>
type ParameterRecord = Readonly<Record<string, AnyParameter>>

/**
 * A described operation. Its types: what a handler gets (`In`) and returns (`Out`), what a caller writes (`Wire`) and gets (`Got`), which differ
 * where a schema's input and output do; and the replies that are its declared errors (`Raised`).
 */
export interface Endpoint<In, Wire, Out, Got, Raised = unknown> {
  readonly '~kind': 'endpoint'
  /** The route line, with the prefixes that it was put under: `GET /products/:id`. */
  readonly route: string
  readonly method: Method
  readonly segments: readonly Segment[]
  /** One codec for each capture, in the order of the path. */
  readonly params: CaptureCodecs
  readonly query: ParameterRecord
  readonly headers: ParameterRecord
  // biome-ignore lint/suspicious/noExplicitAny: any scheme is meant
  readonly auth: AuthScheme<any, any> | undefined
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
  readonly '~types'?: EndpointTypes<In, Wire, Out, Got>
  readonly '~raised'?: Raised
}

/** The types of an endpoint, where they can be looked up. */
interface EndpointTypes<In, Wire, Out, Got> {
  readonly in: In
  readonly wire: Wire
  readonly out: Out
  readonly got: Got
}

/**
 * One of the types of what is an endpoint, as its keys have said: `TypeOf<E['~types'], 'in'>`. Whoever asks by `E extends Endpoint<…>` has the
 * compiler compare all that an endpoint is, twice, which is most of what it then does for it.
 */
export type TypeOf<Known, Key> = NonNullable<Known>[Key & keyof NonNullable<Known>]

/** An endpoint, whatever it takes and answers. */
// biome-ignore lint/suspicious/noExplicitAny: any endpoint is meant
export type AnyEndpoint = Endpoint<any, any, any, any, any>

/** Values to show in documentation. What is left out is made from the schema. */
export interface Examples<BodyValue, ResponseValue> {
  readonly body?: BodyValue
  readonly response?: ResponseValue
}

/** A capture without a codec is text. */
type CapturedParams<Line extends string, Params> = {
  readonly [Name in Captures<Line>]: Name extends keyof Params ? Params[Name] : string
}

/** The codecs of these values; `Written` is what a caller may give for them. */
// biome-ignore lint/suspicious/noExplicitAny: each side says one half of a codec
type Codecs<Values, Written> = { readonly [Name in keyof Values]: Parameter<Values[Name], any> } & {
  // biome-ignore lint/suspicious/noExplicitAny: the other half
  readonly [Name in keyof Written]: Parameter<any, Written[Name]>
}

/** The parts of an operation, each of them optional but `response`. */
export interface EndpointDefinition<
  Line extends string,
  Params,
  Query,
  QueryWritten,
  Headers,
  HeadersWritten,
  User,
  BodyInput,
  BodyOutput,
  ReplyInput,
  ReplyOutput,
  Errors,
  Tag,
> {
  /** A scalar codec for each capture that is more than text. */
  readonly params?: {
    readonly [Name in keyof Params]: Name extends Captures<Line> ? Codec<Params[Name]> : `the route has no capture :${Name & string}`
  }
  readonly query?: Codecs<Query, QueryWritten>
  readonly headers?: Codecs<Headers, HeadersWritten>
  /** Who may call it; the handler gets what the check of this scheme gave as `user`. */
  // biome-ignore lint/suspicious/noExplicitAny: the credentials are between the scheme and its check
  readonly auth?: AuthScheme<User, any>
  /** A schema (JSON), a content or a medium. */
  readonly body?: Body<BodyInput, BodyOutput>
  readonly response: Reply<ReplyInput, ReplyOutput>
  /**
   * The errors that the handler itself raises. Those of the toolkit (400, 401, 404, 405, 406, 413, 415) need no mention. Of several with one status
   * the body says which it is: the first whose form it has.
   */
  readonly errors?: Errors
  /**
   * On a GET `true`: its answers carry an `ETag`, and a copy that is still good is not sent again (304). On a change at the same path `'optional'`, or
   * `'required'` of every request: it is made only while what is there is what `If-Match` names (412, 428), which its handler sees to by `precondition`.
   */
  readonly etag?: Tag | undefined
  /** Headers that every answer of this endpoint carries, its errors too: `{ 'Accept-Ranges': 'name' }`. */
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** One line. */
  readonly summary?: string
  readonly description?: string
  readonly examples?: Examples<NoInfer<BodyInput>, NoInfer<ReplyInput>>
}

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
    if (!isHeaderName(name)) throw new TypeError(complaint.invalidHeaderName(line, name))
    if (reservedHeaders.has(lower) || (etag !== undefined && etagHeaderNames.includes(lower)))
      throw new TypeError(complaint.reservedHeader(line, name))
    if (seen.has(lower)) throw new TypeError(complaint.duplicateHeader(line, name))
    seen.add(lower)
  }
}

function checkBody(line: string, method: Method, body: Content<unknown, unknown>): void {
  if (method === 'GET') throw new TypeError(complaint.bodyOnGet(line))
  const silent = body.media.find(({ reader }) => reader === undefined)
  if (silent !== undefined) throw new TypeError(complaint.unreadableRequestBody(line, silent.types[0]))
}

function completeParams(line: string, segments: readonly Segment[], given: CaptureCodecs): CaptureCodecs {
  const captures = segments.flatMap((segment) => ('capture' in segment ? [segment.capture] : []))
  for (const [name, codec] of Object.entries(given)) {
    if (!captures.includes(name)) throw new TypeError(complaint.codecWithoutCapture(line, name))
    if (typeof codec.parse !== 'function') throw new TypeError(complaint.invalidCaptureCodec(line, name))
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
  ReplyInput,
  ReplyOutput,
  Params = unknown,
  Query = unknown,
  QueryWritten = unknown,
  Headers = unknown,
  HeadersWritten = unknown,
  BodyInput = undefined,
  BodyOutput = undefined,
  User = undefined,
  // Not the element itself: within `under` that would be inferred from what may stand there, which raises "any".
  Errors extends readonly AnyReply[] = readonly [],
  const Tag extends Etag | undefined = undefined,
>(
  line: Line,
  definition: EndpointDefinition<
    Line,
    Params,
    Query,
    QueryWritten,
    Headers,
    HeadersWritten,
    User,
    BodyInput,
    BodyOutput,
    ReplyInput,
    ReplyOutput,
    Errors,
    Tag
  >,
): Endpoint<
  Input<CapturedParams<Line, Params>, Query, Headers & ConditionsOf<Tag>, BodyOutput, User, PreconditionOf<Tag>>,
  Input<CapturedParams<Line, Params>, QueryWritten, HeadersWritten & ConditionsOf<Tag>, BodyInput, User>,
  ReplyInput,
  GotOf<Tag, ReplyOutput>,
  Errors[number] | RaisedOf<Tag>
> {
  const { method, segments } = parseRoute(line)
  checkDefinition(line, definition ?? {})
  const { query = {}, auth, etag, errors: raised = [], responseHeaders: always = {}, summary, description } = definition
  const body = definition.body === undefined ? undefined : toContent(definition.body as Body<unknown, unknown>)
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
    params: completeParams(line, segments, (definition.params ?? {}) as CaptureCodecs),
    query: Object.freeze({ ...(query as ParameterRecord) }),
    headers: Object.freeze({ ...(headers as ParameterRecord) }),
    auth,
    body,
    response: response as Reply<unknown, unknown>,
    errors: Object.freeze([...errors]),
    etag,
    responseHeaders: Object.freeze({ ...always }),
    summary,
    description,
    examples: Object.freeze({ ...examples }),
  })
}
