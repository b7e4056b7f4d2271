/** `checkServer(api, base)`: whether the server at `base` is what the description says, found by asking it. */
import { developerErrors as complaint, parseBaseUrl } from 'lapidary/internal'
import { checkEndpoint } from './checkEndpoint.js'
import { createCheckRun } from './checkRun.js'
import { createEndpointIndex } from './endpointIndex.js'
import { createSender } from './exchange.js'
import { isProbe } from './rule.js'
import { rules as all } from './rules/index.js'
import { createRedactor, writeAuthHeaders } from './secrets.js'
/** What no answer may be over, where nobody says otherwise. */
export const defaultLimits = Object.freeze({ size: 16_000_000, time: 10_000 })
/** The part of the budget that goes into calls as the description allows them; the rest is for probes. */
const validCallShare = 0.5
const minCallsPerEndpoint = 10
const listAuthSchemes = ({ endpoints: subjects }) => subjects.flatMap(({ endpoint: { auth } }) => (auth === undefined ? [] : [auth]))
/** The headers that show credentials, by the names of the schemes that they were given for. */
function writeCredentials(site, credentials) {
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
export async function checkServer(api, base, options = {}) {
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
  const isNamed = (name, by) => by.some((one) => name === one || name.startsWith(`${one}.`))
  const unnamed = [...only, ...except].find((one) => !names.some((name) => isNamed(name, [one])))
  if (unnamed !== undefined) throw new TypeError(complaint.unknownCheckEndpoint(unnamed, names.join(', ')))
  const { send, close } = createSender(address, { timeout: time * 2, maxBodySize: size })
  const run = createCheckRun({ index: site, send, seed, requests, seconds, limits: { size, time }, credentialHeaders: shown, headers })
  const subjects = site.endpoints.filter(({ name }) => (only.length === 0 || isNamed(name, only)) && !isNamed(name, except))
  const invariants = predicates.filter((one) => !isProbe(one))
  const probes = predicates.filter(isProbe)
  const runs = Math.max(minCallsPerEndpoint, Math.floor((requests * validCallShare) / Math.max(1, subjects.length)))
  const endpoints = []
  const failures = () => endpoints.flatMap((one) => one.failures)
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
