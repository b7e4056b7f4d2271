/** The errors of a call: no response, an unexpected response, an interrupted stream, and the errors that an endpoint declares. */
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import type { DeclaredErrorOf } from '../contract/reply.ts'
import * as clientErrors from './clientErrorMessages.ts'

/**
 * Thrown when the server cannot be reached, or the connection ends before the response is complete. `cause` is the error of `fetch`.
 *
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { client, ConnectionError } from 'lapidary/client'
 *
 * const call = client({ hello: endpoint('GET /hello', { response: ok(text) }) }, 'http://127.0.0.1:8081')
 * try {
 *   console.log(await call.hello())
 * } catch (error) {
 *   if (error instanceof ConnectionError) console.log(error.cause)
 * }
 * ```
 */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError'
}

/**
 * Thrown for a response that the description does not allow: another status, media type, body or header.
 *
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { client, UnexpectedResponseError } from 'lapidary/client'
 *
 * const call = client({ hello: endpoint('GET /hello', { response: ok(text) }) }, 'http://127.0.0.1:8081')
 * try {
 *   console.log(await call.hello())
 * } catch (error) {
 *   if (error instanceof UnexpectedResponseError) console.log(error.status, error.detail)
 * }
 * ```
 */
export class UnexpectedResponseError extends Error {
  override readonly name: string = 'UnexpectedResponseError'
  // `declare`: the constructor sets each member once, and no field initializer makes bundles larger.
  declare readonly status: number
  /** The headers of the response. */
  declare readonly headers: Headers
  /** What is wrong with the response. */
  declare readonly detail: string

  /**
   * @param call what was called: `GET http://127.0.0.1:8081/hello`
   * @param failure has the error that a schema threw at the body
   */
  constructor(
    call: string,
    { status, headers }: Pick<Response, 'status' | 'headers'>,
    detail: string,
    failure?: { readonly cause?: unknown },
  ) {
    super(clientErrors.unexpectedResponse(call, status, detail), failure)
    this.status = status
    this.headers = headers
    this.detail = detail
  }
}

/**
 * Thrown by a stream that was cut off, after the items that arrived. A stream that ends without it is complete.
 *
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { client, StreamInterruptedError } from 'lapidary/client'
 *
 * const call = client({ hello: endpoint('GET /hello', { response: ok(text) }) }, 'http://127.0.0.1:8081')
 * try {
 *   console.log(await call.hello())
 * } catch (error) {
 *   if (error instanceof StreamInterruptedError) console.log(error.items)
 * }
 * ```
 */
export class StreamInterruptedError extends Error {
  override readonly name: string = 'StreamInterruptedError'
  /** How many items arrived. */
  declare readonly items: number

  constructor(call: string, items: number, cause: unknown) {
    super(clientErrors.streamInterrupted(call, items), { cause })
    this.items = items
  }
}

/** Returns the message of an error of `fetch`. Node puts it into the cause. */
export const getCauseMessage = ((error: Partial<Error & { readonly code: unknown }> | null | undefined) =>
  error?.cause instanceof Error ? getCauseMessage(error.cause) : String(error?.message || error?.code || error)) as (
  error: unknown,
) => string

/** What each declared error is declared as: a reply, or a part of a route of the light client. */
export const declaredForms: WeakMap<object, object> = new WeakMap()

/**
 * Whether an error is one that the endpoint declares, in its status and its form. Then `error.status` tells which one, and types
 * `error.body` and `error.headers`. The headers have the values of the declared ones by their declared names, and the texts of all headers by
 * their names in lower case.
 *
 * @example
 * ```ts
 * import { endpoint, noContent, reply } from 'lapidary'
 * import { client, isDeclaredError } from 'lapidary/client'
 * import { z } from 'zod'
 *
 * const api = {
 *   order: endpoint('POST /orders', { response: noContent, errors: [reply(409, z.object({ retryAt: z.string() }))] }),
 * }
 * const call = client(api, 'http://127.0.0.1:8081')
 * try {
 *   await call.order()
 * } catch (error) {
 *   if (isDeclaredError(api.order, error) && error.status === 409) console.log(error.body.retryAt)
 * }
 * ```
 */
export function isDeclaredError<E extends AnyEndpoint>(
  endpoint: E,
  error: unknown,
): error is DeclaredErrorOf<TypeOf<E['~types'], 'errors'>> {
  const form = declaredForms.get(Object(error))
  return endpoint.errors.some((reply) => reply === form)
}
