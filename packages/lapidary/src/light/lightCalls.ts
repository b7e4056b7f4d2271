/** What a call of the light client adds where its route needs it: credentials, and an Idempotency-Key. */
import { type HeaderRecord, selectCredentials } from '../client/request.ts'
import { createIdempotencyKey, retry } from '../client/retry.ts'
import { type AnyAuthScheme, type AuthScheme, authScheme } from '../contract/auth/authScheme.ts'
import { idempotencyKeyHeader } from '../contract/idempotency.ts'
import type { LightRoute } from './lightRoute.ts'

/**
 * Selects the credentials of the first alternative that a client has all of, and writes them.
 *
 * @example
 * ```ts
 * import { basic, either, json, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /me', auth: either([basic('people')]), responses: [[200, json]] }
 * ```
 */
export const lightAuth =
  (...alternatives: readonly (readonly AnyAuthScheme[])[]): NonNullable<LightRoute['auth']> =>
  async (given) => {
    const auth = alternatives.map((schemes) => schemes.map((scheme) => ({ scheme, scopes: [] })))
    const parts = await Promise.all(selectCredentials({ auth }, given).map(({ write }) => write()))
    return {
      headers: Object.assign({}, ...parts.map(({ headers }) => headers)),
      query: parts.flatMap(({ query }) => Object.entries(query)),
    }
  }

/** What credentials of a scheme of one's own add to a request. */
interface CustomCredentials {
  readonly headers?: HeaderRecord
  readonly query?: Readonly<Record<string, string>>
}

/**
 * An auth scheme whose functions stand in the description: its credentials are the headers and query parameters themselves.
 *
 * @example
 * ```ts
 * import { customScheme, either, json, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /me', auth: either([customScheme('keys')]), responses: [[200, json]] }
 * ```
 */
export const lightScheme = (name: string): AuthScheme<unknown, CustomCredentials> =>
  authScheme<unknown, CustomCredentials>({
    name,
    challenge: name,
    credentials: () => undefined,
    headers: ({ headers = {} }) => headers,
    query: ({ query = {} }) => query,
    openapi: {},
  })

/**
 * Makes attempts with one key.
 *
 * @example
 * ```ts
 * import { idempotent, json, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'POST /payments', body: json, responses: [[200, json]], idempotent }
 * ```
 */
export const lightIdempotent: NonNullable<LightRoute['idempotent']> = (route, key, attempt, retries, signal) => {
  const headers = { [idempotencyKeyHeader]: `"${createIdempotencyKey(route, key).replace(/["\\]/g, '\\$&')}"` }
  return retry(() => attempt(headers), retries, signal)
}
