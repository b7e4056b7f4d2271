/** Tells the declared errors of an endpoint from everything else that a call may throw. */
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import type { AnyReply, Reply, WithHeaders } from '../contract/reply.ts'
import { type HttpError, isHttpError } from '../http/httpError.ts'

/** Problem details stand in the error itself, so that an error without a body of its own has none. */
// biome-ignore lint/suspicious/noExplicitAny: whatever its headers are, they stand in the error
type BodyOf<Output> = Output extends WithHeaders<infer Body, any> ? Body : Output extends void ? undefined : Output

/** The errors that these replies declare: a union that is told apart by `status`. */
export type DeclaredErrorOf<Raised> =
  // biome-ignore lint/suspicious/noExplicitAny: what a handler gives to it is of no concern here
  Raised extends Reply<any, infer Output, infer Status> ? HttpError<Status, BodyOf<Output>> : never

/** The reply whose form an error was found to have. */
const matchedReplies = new WeakMap<HttpError, AnyReply>()

/** The same error, known to have the form of a declared reply. */
export function markDeclared(error: HttpError, reply: AnyReply): HttpError {
  matchedReplies.set(error, reply)
  return error
}

/**
 * Whether an error is one that the endpoint declares, with its status and in its form; `error.status` then tells which, and types `error.body`:
 * `catch (error) { if (isDeclaredError(api.order, error) && error.status === 409) return error.body.again }`.
 */
export function isDeclaredError<E extends AnyEndpoint>(
  endpoint: E,
  error: unknown,
): error is DeclaredErrorOf<TypeOf<E['~types'], 'errors'>> {
  const reply = isHttpError(error) ? matchedReplies.get(error) : undefined
  return reply !== undefined && endpoint.errors.includes(reply)
}
