/** Replies: the status, the body and the headers of a response, of success or of an error. */
import { type ErrorHeaders, HttpError, type HttpErrorOptions } from '../http/httpError.ts'
import { isNullBodyStatus } from '../http/status.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { type Body, toContent } from './media/content.ts'
import type { Content } from './media/mediaType.ts'
import { text } from './media/text.ts'
import type { AnyParameter, Nothing, Parameter, WithOptional } from './parameters/parameter.ts'

/**
 * All errors of the client (`4XX`), all errors of the server (`5XX`), or any other response (`default`), as in OpenAPI. A reply of one status
 * comes before that of a range, and this before the default.
 */
export type StatusRange = '4XX' | '5XX' | 'default'

/** The status that stands for a range. */
const rangeStatuses: Readonly<Record<StatusRange, number>> = { '4XX': 400, '5XX': 500, default: 500 }

/** The number of a status; any number for a range. */
type StatusNumber<Status> = Status extends number ? Status : number

/** A declared response. `Input` is what a handler returns, `Output` what a client gets. */
export interface Reply<Input, Output, Status extends number = number> {
  /** Of an error of a range, the status that stands for the range where one is needed, as in an example. */
  readonly status: Status
  /** Several statuses: absent where the reply has one. `reply('4XX')` makes such a reply. */
  readonly range?: StatusRange
  readonly content: Content<unknown, unknown> | undefined
  readonly headers: Readonly<Record<string, AnyParameter>>
  readonly description: string | undefined
  /** The type and the title of the problem details that its body is; absent where the body is any other. `problem` makes such a reply. */
  readonly problem?: { readonly type: string; readonly title: string }
  /** Types only. */
  readonly '~types'?: { readonly input: Input; readonly output: Output } | undefined
}

/** A reply of any types. */
export type AnyReply = Reply<unknown, unknown>

/** A body together with the headers that its reply declares. */
export interface WithHeaders<Value, Headers> {
  readonly body: Value
  readonly headers: Headers
}

/** The codecs of typed headers. */
type HeaderCodecs<Headers> = { readonly [Name in keyof Headers]: Parameter<Headers[Name]> }

/** Options of a reply with headers. */
export interface ReplyOptions<Headers> {
  /** Response headers by name. A handler can leave out one that is `optional`. It returns `withHeaders(body, headers)`. */
  readonly headers: HeaderCodecs<Headers>
  readonly description?: string
}

/**
 * Returns a body with headers from a handler, if the reply declares headers.
 *
 * @example
 * ```ts
 * import { endpoint, int, list, ok, withHeaders } from 'lapidary'
 * import { serve } from 'lapidary/server'
 * import { z } from 'zod'
 *
 * const users = endpoint('GET /users', { response: ok(list(z.string()), { headers: { 'User-Count': int } }) })
 * const server = serve({ users }, { users: () => withHeaders(['Ann', 'Ben'], { 'User-Count': 2 }) })
 * ```
 */
export function withHeaders<const Headers>(headers: Headers): WithHeaders<undefined, Headers>
export function withHeaders<Value, const Headers>(body: Value, headers: Headers): WithHeaders<Value, Headers>
export function withHeaders(
  ...values: readonly [headers: unknown] | readonly [body: unknown, headers: unknown]
): WithHeaders<unknown, unknown> {
  return values.length === 1 ? { body: undefined, headers: values[0] } : { body: values[0], headers: values[1] }
}

/**
 * The status of a value of `respond`, in every copy of this package. A symbol: handlers return JSON that clients have sent, and any text could
 * be a member of it.
 */
export const statusKey: unique symbol = Symbol.for('lapidary.StatusValue')

/** The value of one of several declared responses, made by `respond`. */
export interface StatusValue<Status extends number, Value> {
  readonly [statusKey]: Status
  readonly value: Value
}

/**
 * Returns one of several declared responses from a handler: the response with this status. The first declared response needs no `respond`.
 *
 * @param value The value that a handler returns if this is the only response.
 * @example
 * ```ts
 * import { created, endpoint, reply, respond, seeOther, text, withHeaders } from 'lapidary'
 * import { serve } from 'lapidary/server'
 *
 * const order = endpoint('POST /orders', { body: text, response: [created, reply(202, text), seeOther] })
 * const server = serve(
 *   { order },
 *   {
 *     order: ({ body }) => {
 *       if (body === 'again') return respond(303, withHeaders({ Location: '/orders/1' }))
 *       return body.length > 9 ? respond(202, 'It takes a while.') : withHeaders({ Location: '/orders/2' })
 *     },
 *   },
 * )
 * ```
 */
export function respond<const Status extends number>(status: Status): StatusValue<Status, undefined>
export function respond<const Status extends number, const Value>(status: Status, value: Value): StatusValue<Status, Value>
export function respond(status: number, value?: unknown): StatusValue<number, unknown> {
  return { [statusKey]: status, value }
}

/** Whether a handler has returned the value of `respond`. */
export const isStatusValue = (value: unknown): value is StatusValue<number, unknown> =>
  typeof value === 'object' && value !== null && statusKey in value

/** Options of a reply without headers. */
interface PlainReplyOptions {
  readonly headers?: never
  readonly description?: string
}

interface UntypedReplyOptions {
  readonly headers?: object
  readonly description?: string
}

function createReply(
  key: number | StatusRange,
  body: Body<unknown, unknown> | undefined,
  options: UntypedReplyOptions = {},
  // biome-ignore lint/suspicious/noExplicitAny: each caller declares the types of its reply, which follow from its own arguments
): Reply<any, any, any> {
  const range = typeof key === 'string' && Object.hasOwn(rangeStatuses, key) ? { range: key } : {}
  const status = rangeStatuses[key as StatusRange] ?? (key as number)
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new TypeError(developerErrors.invalidStatus(status))
  if (body !== undefined && isNullBodyStatus(status)) throw new TypeError(developerErrors.bodyNotAllowed(status))
  const content = body === undefined ? undefined : toContent(body)
  if (content?.isOptional) throw new TypeError(developerErrors.optionalResponseBody(status))
  return Object.freeze({
    status,
    ...range,
    content,
    headers: Object.freeze({ ...options.headers }),
    description: options.description,
  })
}

/**
 * A reply of any status, or of a range of statuses: `4XX`, `5XX` or `default`. A range stands in `errors`, for the errors that have no reply
 * of their own.
 *
 * @param status From 200 to 599, or a range.
 * @param body Default: none.
 * @throws TypeError for another status, and for a body where the status forbids one.
 * @example
 * ```ts
 * import { endpoint, noContent, reply, text } from 'lapidary'
 *
 * const rename = endpoint('PUT /name', { body: text, response: noContent, errors: [reply(409, text), reply(423)] })
 * ```
 */
export function reply<const Status extends number | StatusRange>(
  status: Status,
  body?: undefined,
  options?: PlainReplyOptions,
): Reply<void, void, StatusNumber<Status>>
export function reply<const Status extends number | StatusRange, Input, Output>(
  status: Status,
  body: Body<Input, Output>,
  options?: PlainReplyOptions,
): Reply<Input, Output, StatusNumber<Status>>
export function reply<const Status extends number | StatusRange, Input, Output, Headers>(
  status: Status,
  body: Body<Input, Output>,
  options: ReplyOptions<Headers>,
): Reply<WithHeaders<Input, Headers>, WithHeaders<Output, Headers>, StatusNumber<Status>>
export function reply<const Status extends number | StatusRange, Headers>(
  status: Status,
  body: undefined,
  options: ReplyOptions<Headers>,
): Reply<WithHeaders<undefined, Headers>, WithHeaders<undefined, Headers>, StatusNumber<Status>>
export function reply(status: number | StatusRange, body?: Body<unknown, unknown>, options?: UntypedReplyOptions): Reply<unknown, unknown> {
  return createReply(status, body, options)
}

/**
 * 200 with a body.
 *
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 *
 * const hello = endpoint('GET /hello', { response: ok(text) })
 * ```
 */
export function ok<Input, Output>(body: Body<Input, Output>, options?: PlainReplyOptions): Reply<Input, Output, 200>
export function ok<Input, Output, Headers>(
  body: Body<Input, Output>,
  options: ReplyOptions<Headers>,
): Reply<WithHeaders<Input, Headers>, WithHeaders<Output, Headers>, 200>
export function ok(body: Body<unknown, unknown>, options?: UntypedReplyOptions): Reply<unknown, unknown, 200> {
  return createReply(200, body, options)
}

/** The header of a response that names another resource. */
export interface LocationHeader {
  readonly Location: string
}

const locationHeader = { Location: text }

/** Headers and `Location`, unless they have it themselves. */
type WithLocation<Headers> = 'location' extends Lowercase<keyof Headers & string> ? Headers : Headers & LocationHeader

const addLocation = (headers: object = {}): object =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'location') ? headers : { ...headers, ...locationHeader }

/** `created`: a reply, and a function that makes one. */
export interface Created extends Reply<WithHeaders<undefined, LocationHeader>, WithHeaders<undefined, LocationHeader>, 201> {
  <Headers>(
    options: ReplyOptions<Headers>,
  ): Reply<WithHeaders<undefined, WithLocation<Headers>>, WithHeaders<undefined, WithLocation<Headers>>, 201>
  <Input, Output>(
    body: Body<Input, Output>,
    options?: PlainReplyOptions,
  ): Reply<WithHeaders<Input, LocationHeader>, WithHeaders<Output, LocationHeader>, 201>
  <Input, Output, Headers>(
    body: Body<Input, Output>,
    options: ReplyOptions<Headers>,
  ): Reply<WithHeaders<Input, WithLocation<Headers>>, WithHeaders<Output, WithLocation<Headers>>, 201>
}

type StatusOrRange = Pick<AnyReply, 'status' | 'range'>

/** What a reply is declared for: `404`, `4XX`, `default`. */
export const getStatusKey = ({ status, range }: StatusOrRange): string => range ?? String(status)

/** Returns the replies of a status: those that name it, else those of its range, else the default. */
export function findReplies<R extends StatusOrRange>(replies: readonly R[], status: number): readonly R[] {
  for (const key of [String(status), `${Math.floor(status / 100)}XX`, 'default']) {
    const found = replies.filter((reply) => getStatusKey(reply) === key)
    if (found.length > 0) return found
  }
  return []
}

const isBody = (value: object): value is Body<unknown, unknown> => '~standard' in value || 'media' in value

function createCreatedReply(
  first: UntypedReplyOptions | Body<unknown, unknown>,
  second?: UntypedReplyOptions,
): Reply<unknown, unknown, 201> {
  const [body, options = {}] = isBody(first) ? [first, second] : [undefined, first]
  return createReply(201, body, { ...options, headers: addLocation(options.headers) })
}

const makeCreated = (): Created =>
  Object.freeze(Object.assign(createCreatedReply, createReply(201, undefined, { headers: locationHeader }))) as unknown as Created

/**
 * 201 with the `Location` of the new resource: `created` without a body, `created(Order)` with one.
 *
 * @example
 * ```ts
 * import { created, endpoint, int, text } from 'lapidary'
 *
 * const user = endpoint('POST /users', { body: text, response: created })
 * const order = endpoint('POST /orders', { body: text, response: created(text, { headers: { 'Queue-Length': int } }) })
 * ```
 */
export const created: Created = /* @__PURE__ */ makeCreated()

/**
 * 303 to the resource in `Location`, which the client gets next.
 *
 * @example
 * ```ts
 * import { endpoint, seeOther, text } from 'lapidary'
 *
 * const login = endpoint('POST /login', { body: text, response: seeOther })
 * ```
 */
export const seeOther: Reply<
  WithHeaders<undefined, LocationHeader>,
  WithHeaders<undefined, LocationHeader>,
  303
> = /* @__PURE__ */ createReply(303, undefined, { headers: locationHeader })

/**
 * 206: a part of a list that a request has asked for. Its headers include `Content-Range` or a similar one.
 *
 * @example
 * ```ts
 * import { endpoint, list, partialContent, text } from 'lapidary'
 * import { z } from 'zod'
 *
 * const page = endpoint('GET /names', { response: partialContent(list(z.string()), { headers: { 'Content-Range': text } }) })
 * ```
 */
export function partialContent<Input, Output, Headers>(
  body: Body<Input, Output>,
  options: ReplyOptions<Headers>,
): Reply<WithHeaders<Input, Headers>, WithHeaders<Output, Headers>, 206> {
  return createReply(206, body, options)
}

/** `noContent`: a reply, and a function that makes one. */
export interface NoContent extends Reply<void, void, 204> {
  <Headers>(options: ReplyOptions<Headers>): Reply<WithHeaders<undefined, Headers>, WithHeaders<undefined, Headers>, 204>
}

const makeNoContent = (): NoContent =>
  Object.freeze(
    Object.assign((options: UntypedReplyOptions) => createReply(204, undefined, options), createReply(204, undefined)),
  ) as unknown as NoContent

/**
 * 204, without a body: `noContent`, or `noContent({ headers })` with headers, for which the handler returns `withHeaders(headers)`.
 *
 * @example
 * ```ts
 * import { cookie, endpoint, noContent, setCookie, text } from 'lapidary'
 *
 * const remove = endpoint('DELETE /users/:id', { response: noContent })
 * const session = setCookie({ session: cookie(text) })
 * const logIn = endpoint('POST /session', { body: text, response: noContent({ headers: { 'Set-Cookie': session } }) })
 * ```
 */
export const noContent: NoContent = /* @__PURE__ */ makeNoContent()

/** The body of a declared error. Problem details are members of the error itself, so an error without a body has none. */
type BodyOf<Value> = Value extends WithHeaders<infer Body, unknown> ? Body : Value extends void ? undefined : Value

/** The headers that an error of a reply has. Those that the reply does not declare are texts. */
type HeadersOf<Value> = Value extends WithHeaders<unknown, infer Headers> ? WithOptional<Headers> : ErrorHeaders

/** The headers of an error that a client received: the values of the declared ones, and the texts of all. */
type ReceivedHeadersOf<Value> = Value extends WithHeaders<unknown, infer Headers> ? Headers & ErrorHeaders : ErrorHeaders

/** The errors of these replies, as a client gets them: a union by `status`. */
export type DeclaredErrorOf<Declared> =
  Declared extends Reply<unknown, infer Output, infer Status> ? HttpError<Status, BodyOf<Output>, ReceivedHeadersOf<Output>> : never

/** The errors of these replies, as a handler returns them: with the declared headers. */
export type ReturnedErrorOf<Declared> =
  Declared extends Reply<infer Input, unknown, infer Status> ? HttpError<Status, BodyOf<Input>, HeadersOf<Input>> : never

/** The options of an error of a reply. A declared body and declared headers must be given. */
type FailArguments<Declared> = Declared extends Reply<infer Input, unknown> ? FailOptions<BodyOf<Input>, HeadersOf<Input>> : never
type FailOptions<Body, Headers> = [Body] extends [undefined]
  ? Nothing extends Headers
    ? [options?: HttpErrorOptions<undefined, Headers>]
    : [options: HttpErrorOptions<undefined, Headers> & { readonly headers: Headers }]
  : [
      options: HttpErrorOptions<Body, Headers> & { readonly body: Body } & (Nothing extends Headers
          ? unknown
          : { readonly headers: Headers }),
    ]

/**
 * Throws a declared error: `find(id) ?? fail(404)`. TypeScript does not know that a call of `fail` ends the function: write `return
 * fail(404)`.
 */
export type Fail<Declared> = <const Status extends StatusOf<Declared>>(
  status: Status,
  ...options: FailArguments<ReplyOf<Declared, Status>>
) => never

/** The replies of a status, and those of its range. */
type ReplyOf<Declared, Status> = Declared extends AnyReply ? (Status extends Declared['status'] ? Declared : never) : never

type StatusOf<Declared> = Declared extends AnyReply ? Declared['status'] : never

/** The `fail` of every handler. */
export const fail = (status: number, options?: HttpErrorOptions): never => {
  throw new HttpError(status, options)
}
