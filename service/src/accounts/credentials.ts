/** Verifies the credentials of requests. The first check hashes the password, later ones use the cache. */

import type { Account, Accounts, Awaitable } from '../store/store.ts'
import { type AttemptLimits, createAttemptLimiter } from './attemptLimiter.ts'
import { clientNetwork } from './clientNetwork.ts'
import { type CacheLimits, createCredentialCache } from './credentialCache.ts'
import { verifyPassword } from './password.ts'
import { nameProblem, normalizeText } from './rules.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** An authenticated account. */
export interface AccountHolder {
  readonly name: string
}

/**
 * Returns the account, or `undefined` for wrong credentials: in the same time for an unknown name and for a wrong password. `remote` is the
 * address of the client. The result for cached credentials is no promise if the store answers at once. Throws `TooManyAttempts`,
 * `TooManyLogins` and the errors of the store.
 */
export type VerifyCredentials = (credentials: Credentials, remote: string) => Awaitable<AccountHolder | undefined>

/**
 * Defaults: 10 failures from one address, or for one name from that address, in a window of 60 s; a lifetime of 60 s in the cache; 10,000
 * cached credentials, addresses, and pairs of address and name; `performance.now`.
 */
export type VerifierOptions = Partial<AttemptLimits & CacheLimits>

/**
 * Shares one lookup of a name among all requests in one turn of the event loop. The lookup costs as much as the rest of a small response.
 */
function oncePerTurn<Found>(find: (name: string) => Found): (name: string) => Found {
  const lookups = new Map<string, Found>()
  const clear = (): void => lookups.clear()
  return (name) => {
    const known = lookups.get(name)
    if (known !== undefined) return known
    const found = find(name)
    if (lookups.size === 0) setImmediate(clear)
    lookups.set(name, found)
    return found
  }
}

/** Creates a function that verifies credentials against the accounts. */
export function createVerifier(accounts: Pick<Accounts, 'find'>, options: VerifierOptions = {}): VerifyCredentials {
  const limits = { failures: 10, window: 60_000, lifetime: 60_000, capacity: 10_000, now: () => performance.now(), ...options }
  const cache = createCredentialCache(limits)
  const limitNetwork = createAttemptLimiter(limits)
  // A name alone has no limit. Otherwise a stranger could lock the owner out with wrong passwords.
  const limitNetworkAndName = createAttemptLimiter(limits)
  /** Running checks by network, digest and hash. Parallel requests with the same correct credentials share one check. */
  const running = new Map<string, Promise<AccountHolder | undefined>>()

  function decide(name: string, password: string, account: Account | undefined, remote: string): Awaitable<AccountHolder | undefined> {
    const digest = cache.digest(name, password)
    // The hash of a removed account, or of an old password, no longer matches.
    if (account !== undefined && cache.has(digest, account.hash)) return { name: account.name }
    const network = clientNetwork(remote)

    async function check(): Promise<AccountHolder | undefined> {
      // A success clears the count of the network, but not the counts of other names. So an attacker with an account gets no further
      // attempts. The digest replaces the name as a key, because a name may be long.
      const isRight = await limitNetwork(network, () =>
        limitNetworkAndName(cache.digest(name, network), () => verifyPassword(password, account?.hash)),
      )
      if (account === undefined || !isRight) return undefined
      // The account may have been removed, or its password changed, during the check.
      if ((await accounts.find(name))?.hash !== account.hash) return undefined
      cache.add(digest, account.hash)
      return { name: account.name }
    }

    const attempt = `${network} ${digest} ${account?.hash}`
    const twin = running.get(attempt)
    // Each wrong attempt is checked and counted by itself.
    if (twin !== undefined) return twin.then((holder) => holder ?? check(), check)
    const checked = check().finally(() => running.delete(attempt))
    running.set(attempt, checked)
    return checked
  }

  const find = oncePerTurn(accounts.find)

  return ({ username, password }, remote) => {
    const name = normalizeText(username)
    // Normalized first, so that equivalent spellings count as one attempt.
    const normalized = normalizeText(password)
    // An invalid name is not looked up. It takes as long as a name without an account.
    const account = nameProblem(name) === undefined ? find(name) : undefined
    return account instanceof Promise
      ? account.then((found) => decide(name, normalized, found, remote))
      : decide(name, normalized, account, remote)
  }
}
