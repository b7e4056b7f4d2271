/** What documentation says of an auth scheme: how to show who one is. */
import type { AuthScheme } from '../describe/auth.ts'

/** How to show who one is. Plain data. */
export interface Security {
  /** The name of the auth scheme. */
  name: string
  /** The first word of the challenge: `Basic`, `Bearer`. */
  scheme: string
  /** Empty where the challenge has none. */
  realm: string
  /** How credentials are written; empty where the scheme does not say. */
  description: string
  /** Request headers with somebody's credentials; none where the scheme shows no example. */
  headers: Record<string, string>
}

const realmPattern = /\brealm="((?:[^"\\]|\\.)*)"/i

/** What is said of a scheme. */
export function documentSecurity({ name, challenge, description = '', headers, example }: AuthScheme<unknown, unknown>): Security {
  const [scheme = ''] = challenge.split(' ', 1)
  const [, realm = ''] = realmPattern.exec(challenge) ?? []
  return {
    name,
    scheme,
    realm: realm.replace(/\\(.)/g, '$1'),
    description,
    headers: example === undefined ? {} : { ...headers?.(example) },
  }
}
