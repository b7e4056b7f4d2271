/** The error responses of the light client. */
import { declaredForms } from '../client/errors.ts'
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import type { DeclaredErrorOf } from '../contract/reply.ts'
import type { HttpError, Problem } from '../http/httpError.ts'
import type { LightRoute, ReceivedRoute } from './lightRoute.ts'

/** An `HttpError` without the table of all reason phrases: it has the phrase that was sent. */
class ReceivedError extends Error {
  override name = 'HttpError'
  get [Symbol.for('lapidary.HttpError')](): true {
    return true
  }
}

/** Makes the error of a response. It is a declared one if its status, its media type and its problem type are. */
export async function createReceivedError({ route, errors = [] }: LightRoute, received: ReceivedRoute): Promise<Error> {
  const { call, url, type, response, blob } = received
  const { status, statusText: reason, headers } = response
  const text = await (await blob()).text()
  let value: unknown = text || undefined
  try {
    value = JSON.parse(text)
  } catch {}
  const problem: Problem | undefined =
    type === 'application/problem+json' ? { type: 'about:blank', title: reason, status, ...(value as Partial<Problem>) } : undefined
  const [, media] =
    errors.find(
      ([declared, { types, problem: problemType }]) =>
        // The routes have a status before its range, and this before the default.
        [status, `${`${status}`[0]}XX`, 'default'].includes(declared) &&
        (problemType ? problemType === problem?.type : types ? types.includes(type) : problem !== undefined || text === ''),
    ) ?? []
  const { detail, errors: flaws } = problem ?? {}
  const members = {
    status,
    reason,
    body: problem ? undefined : value,
    headers: Object.fromEntries(headers),
    detail,
    errors: flaws,
    received: { route, url, problem },
  } satisfies Partial<Record<keyof HttpError, unknown>>
  const error = Object.assign(
    new ReceivedError(`${call} answered ${status}${reason && ` ${reason}`}${detail ? `: ${detail}` : ''}`),
    members,
  )
  if (media)
    try {
      const declaredHeaders = media.readHeaders?.(received)
      error.body = await media.read?.(received)
      Object.assign(error.headers, declaredHeaders)
      declaredForms.set(error, media)
    } catch {
      // It has another form than the declared one.
    }
  return error
}

/**
 * Whether an error is one that the endpoint declares: its status, its media type, and the `type` of problem details. Then `error.status`
 * tells which one, and types `error.body` and `error.headers`.
 *
 * @param route The route of the endpoint.
 * @example
 * ```ts
 * import { endpoint, noContent, reply } from 'lapidary'
 * import { isDeclaredError, none, type Route } from 'lapidary/light'
 *
 * const order = endpoint('POST /orders', { response: noContent, errors: [reply(409)] })
 * // In a page: import type { api } from './api.ts', and import { routes } from './api.routes.ts'.
 * const route: Route = { route: 'POST /orders', responses: [[204, none]], errors: [[409, none]] }
 * const isConflict = (error: unknown): boolean => isDeclaredError<typeof order>(route, error) && error.status === 409
 * ```
 */
export const isDeclaredLightError = <E extends AnyEndpoint = never>(
  { errors = [] }: LightRoute,
  error: unknown,
): error is DeclaredErrorOf<TypeOf<E['~types'], 'errors'>> => {
  const form = declaredForms.get(Object(error))
  return errors.some(([, declared]) => declared === form)
}
