/** Checks the credentials of a request against the accounts: slowly the first time, quickly while they are remembered as right. */

import type { Account, Accounts, Awaitable } from '../store/store.ts'
import { attempts, type Outcome } from './attempts.ts'
import { memory } from './memory.ts'
import { accountName, nameComplaint } from './name.ts'
import { origin } from './origin.ts'
import { matches, normalPassword } from './password.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

/** Who somebody is, once it is proven. */
export interface Member {
  readonly name: string
}

/**
 * Answers who it is, or nothing for wrong credentials, an unknown name and a wrong password alike and in the same time.
 * `remote` is the peer's address. Throws `TooManyAttempts`, `TooManyLogins`, and what the store throws. Remembered credentials are answered
 * at once, without a promise when the store answers so.
 */
export type Verify = (credentials: Credentials, remote: string) => Awaitable<Member | undefined>

export interface VerifierOptions {
  /** Failures in one window, from one address or for one name from that address, after which attempts from there are refused. Default 10. */
  readonly failures?: number
  /** The window, in milliseconds. Default 60,000. */
  readonly window?: number
  /** How long right credentials are remembered, in milliseconds. Default 60,000. */
  readonly lifetime?: number
  /** How many credentials, addresses, and pairs of address and name are remembered at most. Default 10,000 each. */
  readonly capacity?: number
  /** Milliseconds now, from a clock that is never set back. Default `performance.now`. */
  readonly now?: () => number
}

/**
 * The same look, once for all who ask in one turn of the event loop: what changes within the milliseconds that a turn lasts is seen from the next one
 * on. It costs as much as all the rest of a small answer.
 */
function onceATurn<Found>(look: (name: string) => Found): (name: string) => Found {
  const looks = new Map<string, Found>()
  const forget = (): void => looks.clear()
  return (name) => {
    const known = looks.get(name)
    if (known !== undefined) return known
    const found = look(name)
    if (looks.size === 0) setImmediate(forget)
    looks.set(name, found)
    return found
  }
}

const isPromise = <Value>(value: Awaitable<Value>): value is Promise<Value> => value instanceof Promise

export function verifier(accounts: Pick<Accounts, 'find'>, options: VerifierOptions = {}): Verify {
  const { failures = 10, window = 60_000, lifetime = 60_000, capacity = 10_000, now = () => performance.now() } = options
  const right = memory({ lifetime, capacity, now })
  const byOrigin = attempts({ failures, window, keys: capacity, now })
  // A name alone is never limited: wrong passwords from elsewhere would lock its owner out.
  const byOriginAndName = attempts({ failures, window, keys: capacity, now })
  /** Checks under way, by origin, digest and hash: a right attempt that is made several times at once is checked once. */
  const running = new Map<string, Promise<Member | undefined>>()

  async function check(
    name: string,
    password: string,
    account: Account | undefined,
    remote: string,
    digest: string,
  ): Promise<Member | undefined> {
    const address = origin(remote)
    const endOrigin = await byOrigin.begin(address)
    let outcome: Outcome = 'unknown'
    try {
      // A success clears the count of an address. That of a name stays, so that an account of one's own opens no way to try more passwords of another.
      // A digest stands for the name, so that long names take no room.
      const endName = await byOriginAndName.begin(right.digest(name, address))
      try {
        outcome = (await matches(password, account?.hash)) ? 'right' : 'wrong'
      } finally {
        endName(outcome)
      }
    } finally {
      endOrigin(outcome)
    }
    if (account === undefined || outcome === 'wrong') return undefined
    // Checking takes a while, and the account may have been removed meanwhile, or have another password.
    if ((await accounts.find(name))?.hash !== account.hash) return undefined
    right.learn(digest, account.hash)
    return { name: account.name }
  }

  function decide(name: string, password: string, account: Account | undefined, remote: string): Awaitable<Member | undefined> {
    const digest = right.digest(name, password)
    // The account was read a moment ago, so one that was removed or has another password since is not known here any more.
    if (account !== undefined && right.knows(digest, account.hash)) return { name: account.name }
    const attempt = `${origin(remote)} ${digest} ${account?.hash}`
    const own = () => check(name, password, account, remote, digest)
    // A wrong one is checked, and counted, as often as it is made.
    const twin = running.get(attempt)
    if (twin !== undefined) return twin.then((member) => member ?? own(), own)
    const checked = own().finally(() => running.delete(attempt))
    running.set(attempt, checked)
    return checked
  }

  const find = onceATurn(accounts.find)

  return ({ username, password: spelling }, remote) => {
    const name = accountName(username)
    // Before anything is counted or remembered: spellings that mean the same password are one attempt.
    const password = normalPassword(spelling)
    // A text that is no name is never looked up, and takes as long as a name that has no account.
    const account = nameComplaint(name) === undefined ? find(name) : undefined
    return isPromise(account) ? account.then((found) => decide(name, password, found, remote)) : decide(name, password, account, remote)
  }
}
