/** What a client shows where an endpoint asks who is calling. */
import type { AuthScheme } from '../describe/auth.ts'
import * as complaint from '../describe/complaint.ts'

/** The headers that show someone's credentials for one auth scheme. */
export interface Credentials {
  // biome-ignore lint/suspicious/noExplicitAny: any scheme is meant
  readonly scheme: AuthScheme<any, any>
  readonly headers: () => Promise<Readonly<Record<string, string>>>
}

/**
 * Ties a scheme to what a client shows for it: `credentials(people, { username: 'ann', password })`. A function is asked at each call, so that a
 * token may be renewed.
 *
 * @throws TypeError for a scheme that does not say how credentials are sent.
 */
export function credentials<User, Shown>(scheme: AuthScheme<User, Shown>, shown: Shown | (() => Shown | Promise<Shown>)): Credentials {
  const { headers } = scheme
  if (headers === undefined) throw new TypeError(complaint.authSchemeWithoutHeaders(scheme.name))
  // Credentials are data: a function stands for them.
  const ask = typeof shown === 'function' ? (shown as () => Shown | Promise<Shown>) : (): Shown => shown
  return Object.freeze({ scheme, headers: async () => headers(await ask()) })
}
