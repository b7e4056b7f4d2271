/** Replies: the status, the body and the headers of a response, of success or of an error. */

import { isNullBodyStatus } from '../http/status.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { type Body, toContent } from './media/content.ts'
import type { Content } from './media/mediaType.ts'
import type { AnyParameter, Parameter } from './parameters/parameter.ts'

/** A declared response. `Input` is what a handler returns, `Output` what a client gets. */
export interface Reply<Input, Output, Status extends number = number> {
  readonly status: Status
  readonly content: Content<unknown, unknown> | undefined
  readonly headers: Readonly<Record<string, AnyParameter>>
  readonly description: string | undefined
  /** Types only. */
  readonly '~types'?: { readonly input: Input; readonly output: Output } | undefined
}

/** A reply of any types. */
// biome-ignore lint/suspicious/noExplicitAny: any reply is meant
export type AnyReply = Reply<any, any, any>

/** A body together with the headers that its reply declares. */
export interface WithHeaders<Value, Headers> {
  readonly body: Value
  readonly headers: Headers
}

/** The codecs of typed headers. */
export type HeaderCodecs<Headers> = { readonly [Name in keyof Headers]: Parameter<Headers[Name]> }

/** Options of a reply with headers. */
export interface ReplyOptions<Headers> {
  /** Response headers by name. A handler can leave out one that is `optional`. It returns `withHeaders(body, headers)`. */
  readonly headers: HeaderCodecs<Headers>
  readonly description?: string
}

/**
 * The return value of a handler whose reply declares headers.
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
export const withHeaders = <Value, const Headers>(body: Value, headers: Headers): WithHeaders<Value, Headers> => ({ body, headers })

/** Options of a reply without headers. */
export interface PlainReplyOptions {
  readonly headers?: never
  readonly description?: string
}

interface UntypedReplyOptions {
  readonly headers?: object
  readonly description?: string
}

// biome-ignore lint/suspicious/noExplicitAny: the overloads have the types
function createReply(status: number, body: Body<unknown, unknown> | undefined, options: UntypedReplyOptions = {}): Reply<any, any, any> {
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new TypeError(developerErrors.invalidStatus(status))
  if (body !== undefined && isNullBodyStatus(status)) throw new TypeError(developerErrors.bodyNotAllowed(status))
  return Object.freeze({
    status,
    content: body === undefined ? undefined : toContent(body),
    headers: Object.freeze({ ...options.headers }),
    description: options.description,
  })
}

/**
 * A reply of any status.
 *
 * @param status From 200 to 599.
 * @param body Default: none.
 * @throws TypeError for another status, and for a body where the status forbids one.
 * @example
 * ```ts
 * import { endpoint, noContent, reply, text } from 'lapidary'
 *
 * const rename = endpoint('PUT /name', { body: text, response: noContent, errors: [reply(409, text), reply(423)] })
 * ```
 */
export function reply<const Status extends number>(status: Status, body?: undefined, options?: PlainReplyOptions): Reply<void, void, Status>
export function reply<const Status extends number, Input, Output>(
  status: Status,
  body: Body<Input, Output>,
  options?: PlainReplyOptions,
): Reply<Input, Output, Status>
export function reply<const Status extends number, Input, Output, Headers>(
  status: Status,
  body: Body<Input, Output>,
  options: ReplyOptions<Headers>,
): Reply<WithHeaders<Input, Headers>, WithHeaders<Output, Headers>, Status>
export function reply<const Status extends number, Headers>(
  status: Status,
  body: undefined,
  options: ReplyOptions<Headers>,
): Reply<WithHeaders<undefined, Headers>, WithHeaders<undefined, Headers>, Status>
export function reply(status: number, body?: Body<unknown, unknown>, options?: UntypedReplyOptions): Reply<unknown, unknown> {
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

/**
 * 201, with or without a body.
 *
 * @example
 * ```ts
 * import { created, endpoint, text } from 'lapidary'
 *
 * const create = endpoint('POST /users', { body: text, response: created({ headers: { Location: text } }) })
 * ```
 */
export function created<Headers>(
  options: ReplyOptions<Headers>,
): Reply<WithHeaders<undefined, Headers>, WithHeaders<undefined, Headers>, 201>
export function created<Input, Output, Headers>(
  body: Body<Input, Output>,
  options: ReplyOptions<Headers>,
): Reply<WithHeaders<Input, Headers>, WithHeaders<Output, Headers>, 201>
export function created(
  first: ReplyOptions<unknown> | Body<unknown, unknown>,
  options?: UntypedReplyOptions,
): Reply<unknown, unknown, 201> {
  return options === undefined
    ? createReply(201, undefined, first as ReplyOptions<unknown>)
    : createReply(201, first as Body<unknown, unknown>, options)
}

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

/**
 * 204, without a body.
 *
 * @example
 * ```ts
 * import { endpoint, noContent } from 'lapidary'
 *
 * const remove = endpoint('DELETE /users/:id', { response: noContent })
 * ```
 */
export const noContent: Reply<void, void, 204> = createReply(204, undefined)
