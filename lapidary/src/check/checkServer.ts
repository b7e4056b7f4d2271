/** `checkServer(api, base)`: whether the server at `base` is what the description says, found by asking it. */
import { baseOf } from '../client/base.ts'
import type { Api } from '../describe/api.ts'
import type { Auth } from '../describe/auth.ts'
import * as complaint from '../describe/complaint.ts'
import { sender } from './exchange.ts'
import { looked } from './looked.ts'
import { type Invariant, isProbe, type Limits, type Predicate } from './predicate.ts'
import { predicates as all } from './predicates/index.ts'
import type { Checked, Progress, Report } from './report.ts'
import { runOf } from './run.ts'
import { headersFor, hiding } from './secrets.ts'
import { type Site, siteOf } from './site.ts'

/** How a server is checked. */
export interface CheckOptions {
  /** Whether requests may change what it holds: POST, PUT, PATCH, DELETE. Default: no, only what reads is asked. */
  readonly write?: boolean
  /** Repeats a check. Default: another one each time, which the report tells. */
  readonly seed?: number
  /** How many requests to send at most. Default: 5,000. */
  readonly requests?: number
  /** How many seconds to take at most. Default: 60. */
  readonly seconds?: number
  /** The endpoints to look at, by their names or the beginnings of them: `users`, `users.item`. Default: all. */
  readonly only?: readonly string[]
  /** Endpoints not to look at, likewise; also of those that `only` names. Default: none. */
  readonly except?: readonly string[]
  /**
   * Whether the server answers by something else where the description has nothing, as `serve` does with its `fallback`: such requests are then not
   * expected to be refused. Default: no.
   */
  readonly fallback?: boolean
  /** Credentials, by the names of the auth schemes. Endpoints without them are only seen to refuse. */
  readonly credentials?: Readonly<Record<string, unknown>>
  /** Further header lines of each request, such as a cookie. */
  readonly headers?: Readonly<Record<string, string>>
  /** What has to hold. Default: `predicates`. */
  readonly predicates?: readonly Predicate[]
  /** The size that no body may be over, in bytes. Default: 16 MB. */
  readonly size?: number
  /** The time that no answer may take longer than, in milliseconds. Default: 10,000. */
  readonly time?: number
  /** Told how far it has come. */
  readonly watch?: (progress: Progress) => void
}

/** What no answer may be over, where nobody says otherwise. */
export const usualLimits: Limits = Object.freeze({ size: 16_000_000, time: 10_000 })

/** The part of the budget that goes into calls as the description allows them; the rest is for probes. */
const forCalls = 0.5
const fewest = 10

const schemesOf = ({ subjects }: Site): readonly Auth<unknown, unknown>[] =>
  subjects.flatMap(({ endpoint: { auth } }) => (auth === undefined ? [] : [auth]))

/** The headers that show credentials, by the names of the schemes that they were given for. */
function shownFor(site: Site, credentials: Readonly<Record<string, unknown>>): Record<string, Readonly<Record<string, string>>> {
  const given = schemesOf(site).filter(({ name }) => Object.hasOwn(credentials, name))
  return Object.fromEntries(given.map((auth) => [auth.name, headersFor(auth, credentials[auth.name])]))
}

/**
 * Asks the server at `base` for everything that its description promises, and tells what is not so.
 *
 * No secret stands in the report: neither credentials nor what they are written as, nor headers that hold some.
 *
 * @throws TypeError when `base` is no address of a server, `only` or `except` names no endpoint, or a scheme cannot write the credentials it was given
 */
export async function checkServer(api: Api, base: string | URL, options: CheckOptions = {}): Promise<Report> {
  const { write = false, requests = 5_000, seconds = 60, only = [], except = [], fallback = false } = options
  const { credentials = {}, headers = {}, predicates = all } = options
  const { size = usualLimits.size, time = usualLimits.time, seed = Math.trunc(Math.random() * 2 ** 31), watch } = options
  const address = new URL(baseOf(base))
  const site = siteOf(api, address)
  const shown = shownFor(site, credentials)
  const hide = hiding({ credentials: Object.values(credentials), shown: Object.values(shown), headers, schemes: schemesOf(site) })
  const names = site.subjects.map(({ name }) => name)
  const isNamed = (name: string, by: readonly string[]): boolean => by.some((one) => name === one || name.startsWith(`${one}.`))
  const unnamed = [...only, ...except].find((one) => !names.some((name) => isNamed(name, [one])))
  if (unnamed !== undefined) throw new TypeError(complaint.noEndpointToCheck(unnamed, names.join(', ')))
  const { send, close } = sender(address, { timeout: time * 2, largest: size })
  const run = runOf({ site, send, seed, requests, seconds, limits: { size, time }, shown, headers })
  const subjects = site.subjects.filter(({ name }) => (only.length === 0 || isNamed(name, only)) && !isNamed(name, except))
  const invariants = predicates.filter((one): one is Invariant => !isProbe(one))
  const probes = predicates.filter(isProbe)
  const runs = Math.max(fewest, Math.floor((requests * forCalls) / Math.max(1, subjects.length)))
  const endpoints: Checked[] = []
  const failures = (): Report['failures'] => endpoints.flatMap((one) => one.failures)
  try {
    for (const subject of subjects) {
      if (run.isSpent() || run.isGone()) break
      endpoints.push(await looked(subject, { run, base: address, invariants, probes, write, runs, fallback, hide }))
      watch?.({ endpoint: subject.name, done: endpoints.length, of: subjects.length, requests: run.asked(), failures: failures().length })
    }
  } finally {
    close()
  }
  return {
    base: address.href,
    seed,
    requests: run.asked(),
    milliseconds: run.milliseconds(),
    endpoints,
    failures: failures(),
    unfinished: run.isSpent(),
  }
}
