/** Verifies the credentials of requests. The first check hashes the password, later ones use the cache. */
import { hash, randomBytes } from 'node:crypto'
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Account, Accounts, Awaitable } from '../store/store.ts'
import { type AttemptLimits, createAttemptLimiter } from './attemptLimiter.ts'
import { verifyPassword } from './password.ts'
import { nameProblem, normalizeText } from './rules.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** An authenticated account. */
interface AccountHolder {
  readonly name: string
}

/**
 * Returns the account, or `undefined` for wrong credentials: in the same time for an unknown name and for a wrong password. `remote` is the
 * address of the client. The result for cached credentials is no promise if the store answers at once. Throws an HttpError 429
 * or 503 for too many attempts, and the errors of the store.
 */
export type VerifyCredentials = (credentials: Credentials, remote: string) => Awaitable<AccountHolder | undefined>

interface CacheLimits extends Pick<AttemptLimits, 'capacity' | 'now'> {
  /** How long correct credentials stay cached, in milliseconds. */
  readonly lifetime: number
}

/**
 * Defaults: 10 failures from one address, or for one name from that address, in a window of 60 s; a lifetime of 60 s in the cache; 10,000
 * cached credentials, addresses, and pairs of address and name; `performance.now`.
 */
export type VerifierOptions = Partial<AttemptLimits & CacheLimits>

/** Remembers for a short time which credentials were correct, without storing them. */
export function createCredentialCache({ lifetime, capacity, now }: CacheLimits) {
  const key = randomBytes(32).toString('base64')
  /** By digest: the hash of the account that the password was checked against, and the time when it is forgotten. */
  const entries = new Map<string, { readonly hash: string; readonly until: number }>()
  return {
    /**
     * Identifies credentials without revealing them. The length separates ("a", "bc") from ("ab", "c"). Digests never leave the process, so
     * that length extension is no threat, and one plain hash takes a quarter of the time of an HMAC.
     */
    digest: (name: string, password: string): string => hash('sha256', `${key}${name.length}:${name}${password}`, 'base64'),
    /** Whether the credentials of this digest were recently correct for this hash. */
    has: (digest: string, accountHash: string): boolean => {
      const entry = entries.get(digest)
      if (entry?.hash === accountHash && now() < entry.until) return true
      entries.delete(digest)
      return false
    },
    add: (digest: string, accountHash: string): void => {
      // Deleted first, so that the entries are in the order of their expiry.
      entries.delete(digest)
      entries.set(digest, { hash: accountHash, until: now() + lifetime })
      const [oldest] = entries.keys()
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
    },
  }
}

/** An IPv4 address, alone or mapped into IPv6, as it is. The /64 network of an IPv6 address, which one customer has. Any other text as it is. */
export function clientNetwork(remote: string): string {
  if (!isIPv6(remote)) return remote
  const address = ipaddr.IPv6.parse(remote.replace(/%.*/, ''))
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

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
