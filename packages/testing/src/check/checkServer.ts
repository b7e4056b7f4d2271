/** `checkServer(api, base)`: whether the server at `base` is what the description says, found by asking it. */

import type { Api, AuthScheme } from 'lapidary'
import { developerErrors as complaint, parseBaseUrl } from 'lapidary/internal'
import { checkEndpoint } from './checkEndpoint.ts'
import { createCheckRun } from './checkRun.ts'
import { createEndpointIndex, type EndpointIndex } from './endpointIndex.ts'
import { createSender } from './exchange.ts'
import type { CheckProgress, CheckReport, EndpointReport } from './report.ts'
import { type Invariant, isProbe, type ResponseLimits, type Rule } from './rule.ts'
import { rules as all } from './rules/index.ts'
import { createRedactor, writeAuthHeaders } from './secrets.ts'

/** How a server is checked. */
export interface CheckServerOptions {
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
  readonly rules?: readonly Rule[]
  /** The size that no body may be over, in bytes. Default: 16 MB. */
  readonly size?: number
  /** The time that no answer may take longer than, in milliseconds. Default: 10,000. */
  readonly time?: number
  /** Told how far it has come. */
  readonly onProgress?: (progress: CheckProgress) => void
}

/** What no answer may be over, where nobody says otherwise. */
export const defaultLimits: ResponseLimits = Object.freeze({ size: 16_000_000, time: 10_000 })

/** The part of the budget that goes into calls as the description allows them; the rest is for probes. */
const validCallShare = 0.5
const minCallsPerEndpoint = 10

const listAuthSchemes = ({ endpoints: subjects }: EndpointIndex): readonly AuthScheme<unknown, unknown>[] =>
  subjects.flatMap(({ endpoint: { auth } }) => (auth === undefined ? [] : [auth]))

/** The headers that show credentials, by the names of the schemes that they were given for. */
function writeCredentials(
  site: EndpointIndex,
  credentials: Readonly<Record<string, unknown>>,
): Record<string, Readonly<Record<string, string>>> {
  const given = listAuthSchemes(site).filter(({ name }) => Object.hasOwn(credentials, name))
  return Object.fromEntries(given.map((auth) => [auth.name, writeAuthHeaders(auth, credentials[auth.name])]))
}

/**
 * Asks the server at `base` for everything that its description promises, and tells what is not so.
 *
 * No secret stands in the report: neither credentials nor what they are written as, nor headers that hold some.
 *
 * @throws TypeError when `base` is no address of a server, `only` or `except` names no endpoint, or a scheme cannot write the credentials it was given
 */
export async function checkServer(api: Api, base: string | URL, options: CheckServerOptions = {}): Promise<CheckReport> {
  const { write = false, requests = 5_000, seconds = 60, only = [], except = [], fallback = false } = options
  const { credentials = {}, headers = {}, rules: predicates = all } = options
  const { size = defaultLimits.size, time = defaultLimits.time, seed = Math.trunc(Math.random() * 2 ** 31), onProgress: watch } = options
  const address = new URL(parseBaseUrl(base))
  const site = createEndpointIndex(api, address)
  const shown = writeCredentials(site, credentials)
  const hide = createRedactor({
    credentials: Object.values(credentials),
    credentialHeaders: Object.values(shown),
    headers,
    schemes: listAuthSchemes(site),
  })
  const names = site.endpoints.map(({ name }) => name)
  const isNamed = (name: string, by: readonly string[]): boolean => by.some((one) => name === one || name.startsWith(`${one}.`))
  const unnamed = [...only, ...except].find((one) => !names.some((name) => isNamed(name, [one])))
  if (unnamed !== undefined) throw new TypeError(complaint.unknownCheckEndpoint(unnamed, names.join(', ')))
  const { send, close } = createSender(address, { timeout: time * 2, maxBodySize: size })
  const run = createCheckRun({ index: site, send, seed, requests, seconds, limits: { size, time }, credentialHeaders: shown, headers })
  const subjects = site.endpoints.filter(({ name }) => (only.length === 0 || isNamed(name, only)) && !isNamed(name, except))
  const invariants = predicates.filter((one): one is Invariant => !isProbe(one))
  const probes = predicates.filter(isProbe)
  const runs = Math.max(minCallsPerEndpoint, Math.floor((requests * validCallShare) / Math.max(1, subjects.length)))
  const endpoints: EndpointReport[] = []
  const failures = (): CheckReport['failures'] => endpoints.flatMap((one) => one.failures)
  try {
    for (const subject of subjects) {
      if (run.isOverBudget() || run.isUnreachable()) break
      endpoints.push(
        await checkEndpoint(subject, { run, base: address, invariants, probes, write, callCount: runs, fallback, redact: hide }),
      )
      watch?.({
        endpoint: subject.name,
        completed: endpoints.length,
        total: subjects.length,
        requests: run.countRequests(),
        failures: failures().length,
      })
    }
  } finally {
    close()
  }
  return {
    base: address.href,
    seed,
    requests: run.countRequests(),
    milliseconds: run.getElapsed(),
    endpoints,
    failures: failures(),
    isOverBudget: run.isOverBudget(),
  }
}
