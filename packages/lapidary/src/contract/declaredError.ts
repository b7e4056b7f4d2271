/** The declared errors of an endpoint: as types, and as `fail`, which ends a handler with one of them. */
import { HttpError, type HttpErrorOptions } from '../http/httpError.ts'
import type { AnyReply, Reply, WithHeaders } from './reply.ts'

/** The body of a declared error. Problem details are members of the error itself, so an error without a body has none. */
type BodyOf<Value> = Value extends WithHeaders<infer Body, unknown> ? Body : Value extends void ? undefined : Value

/** The errors of these replies: a union by `status`. */
export type DeclaredErrorOf<Declared> =
  Declared extends Reply<unknown, infer Output, infer Status> ? HttpError<Status, BodyOf<Output>> : never

/** The options of an error with this body. Only a declared body must be given. */
type FailOptions<Body> = [Body] extends [undefined]
  ? [options?: HttpErrorOptions<undefined>]
  : [options: HttpErrorOptions<Body> & { readonly body: Body }]

type InputOf<Declared> = Declared extends Reply<infer Input, unknown> ? BodyOf<Input> : never

/**
 * Throws a declared error: `find(id) ?? fail(404)`. TypeScript does not know that a statement with it ends the function: write `return
 * fail(404)`.
 */
export type Fail<Declared> = <const Status extends StatusOf<Declared>>(
  status: Status,
  ...options: FailOptions<InputOf<Extract<Declared, { readonly status: Status }>>>
) => never

type StatusOf<Declared> = Declared extends AnyReply ? Declared['status'] : never

/** The `fail` of every handler. */
export const fail = (status: number, options?: HttpErrorOptions): never => {
  throw new HttpError(status, options)
}
