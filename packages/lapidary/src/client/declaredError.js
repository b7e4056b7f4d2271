import { HttpError } from '../http/httpError.js'

/** The reply whose form an error was found to have. */
const matchedReplies = new WeakMap()
/** The same error, known to have the form of a declared reply. */
export function markDeclared(error, reply) {
  matchedReplies.set(error, reply)
  return error
}
/**
 * Whether an error is one that the endpoint declares, with its status and in its form; `error.status` then tells which, and types `error.body`:
 * `catch (error) { if (raised(api.order, error) && error.status === 409) return error.body.again }`.
 */
// biome-ignore lint/suspicious/noExplicitAny: only the declared errors matter here
export function isDeclaredError(endpoint, error) {
  const reply = error instanceof HttpError ? matchedReplies.get(error) : undefined
  return reply !== undefined && endpoint.errors.includes(reply)
}
