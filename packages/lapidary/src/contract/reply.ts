/** Replies: a status, a body and headers that an endpoint declares; for its success and for its errors alike. */

import { isNullBodyStatus } from '../http/status.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { type Body, toContent } from './media/content.ts'
import type { Content } from './media/mediaType.ts'
import type { AnyParameter, Parameter } from './parameters/parameter.ts'

/** A declared answer. `Input` is what a handler returns, `Output` what a client gets. */
export interface Reply<Input, Output, Status extends number = number> {
  readonly status: Status
  readonly content: Content<unknown, unknown> | undefined
  readonly headers: Readonly<Record<string, AnyParameter>>
  readonly description: string | undefined
  /** Types only. */
  readonly '~types'?: { readonly input: Input; readonly output: Output } | undefined
}

/** A reply, whatever its body, headers and status are. */
// biome-ignore lint/suspicious/noExplicitAny: any reply is meant
export type AnyReply = Reply<any, any, any>

/** A body together with the headers that its reply declares. */
export interface WithHeaders<Value, Headers> {
  readonly body: Value
  readonly headers: Headers
}

/** The codecs of typed headers. */
export type HeaderCodecs<Headers> = { readonly [Name in keyof Headers]: Parameter<Headers[Name]> }

/** What may be said of a reply. */
export interface ReplyOptions<Headers> {
  /** Typed response headers; one that is `optional` may be left out. The handler returns `withHeaders(body, headers)`. */
  readonly headers: HeaderCodecs<Headers>
  readonly description?: string
}

/** What a handler returns when its reply declares headers: `withHeaders(users, { 'User-Count': 3 })`. */
export const withHeaders = <Value, const Headers>(body: Value, headers: Headers): WithHeaders<Value, Headers> => ({ body, headers })

/** What may be said of a reply without headers. */
export interface PlainReplyOptions {
  readonly headers?: never
  readonly description?: string
}

interface UntypedReplyOptions {
  readonly headers?: object
  readonly description?: string
}

// biome-ignore lint/suspicious/noExplicitAny: the signatures below say what it replies with
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

/** An answer of any status: `reply(202, Receipt)`; `reply(202)` without a body. */
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

/** 200 with a body: `ok(User)`, `ok(content(list(Person), json, html(page)))`. */
export function ok<Input, Output>(body: Body<Input, Output>, options?: PlainReplyOptions): Reply<Input, Output, 200>
export function ok<Input, Output, Headers>(
  body: Body<Input, Output>,
  options: ReplyOptions<Headers>,
): Reply<WithHeaders<Input, Headers>, WithHeaders<Output, Headers>, 200>
export function ok(body: Body<unknown, unknown>, options?: UntypedReplyOptions): Reply<unknown, unknown, 200> {
  return createReply(200, body, options)
}

/** 201. Without a body: `created({ headers: { Location: text } })`. */
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

/** 206, the part of a collection that a Range asked for; `Content-Range` and its like among the headers. */
export function partialContent<Input, Output, Headers>(
  body: Body<Input, Output>,
  options: ReplyOptions<Headers>,
): Reply<WithHeaders<Input, Headers>, WithHeaders<Output, Headers>, 206> {
  return createReply(206, body, options)
}

/** 204: done, and nothing to say. */
export const noContent: Reply<void, void, 204> = createReply(204, undefined)
