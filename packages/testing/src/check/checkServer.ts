/** Checks a running server against its description. */
import type { AnyAuthScheme, Api } from 'lapidary'
import { checkFunctions, isAuthOptional, listAuthSchemes, parseBaseUrl, requireTime, toWireApi } from 'lapidary/internal'
import { type ExistingCaptures, selectCaptures } from '../generate/calls.ts'
import { testingErrors } from '../testingMessages.ts'
import { checkEndpoint, reportUnreached, skipReasons } from './checkEndpoint.ts'
import type { CheckServerOptions } from './checkOptions.ts'
import { type CheckRun, createCheckRun } from './checkRun.ts'
import { CreatedItems, isReported, observeSender } from './createdItems.ts'
import { createEndpointIndex, type EndpointIndex } from './endpointIndex.ts'
import { createSender, type Sender } from './exchange.ts'
import type { CheckReport, EndpointReport, LeftItems, StatusCount } from './report.ts'
import { type EndpointUnderTest, isInvariant, isProbe, isSequenceRule, type ResponseLimits } from './rule.ts'
import { rules as allRules } from './rules/index.ts'
import { timeoutRule, timeRule } from './rules/status.ts'
import { createRedactor, writeCredentials } from './secrets.ts'
import { checkSequences, type SequenceResults } from './sequences/checkSequences.ts'
import { createCallPool } from './sequences/step.ts'
import { toWrittenCredentials } from './signedRequest.ts'

/** The limits of responses if the options name none. */
export const defaultLimits: ResponseLimits = Object.freeze({ size: 16_000_000, time: 10_000 })

/** The share of the budget for valid calls; the rest is for probes. */
const validCallShare = 0.5
const minCallsPerEndpoint = 10

/** Rules that the requests of other clients at the same time could break. */
const timeRuleNames: ReadonlySet<string> = new Set([timeRule, timeoutRule].map(({ name }) => name))

const listSchemes = ({ endpoints }: EndpointIndex): readonly AnyAuthScheme[] =>
  listAuthSchemes(endpoints.flatMap(({ endpoint: { auth = [] } }) => auth))

/** Whether a name or a group is among the given names. */
const isNamedBy = (name: string, names: readonly string[]): boolean => names.some((other) => name === other || name.startsWith(`${other}.`))

/** @throws TypeError for a number that is no count */
function checkCount(name: string, value: number, min: number): void {
  if (!Number.isSafeInteger(value) || value < min) throw new TypeError(testingErrors.invalidCount(name, value, min))
}

/** Selects the endpoints to check. @throws TypeError for a name that the API does not have */
function selectEndpoints({ endpoints }: EndpointIndex, { only = [], except = [] }: CheckServerOptions): readonly EndpointUnderTest[] {
  const unknown = [...only, ...except].find((name) => !endpoints.some((subject) => isNamedBy(subject.name, [name])))
  if (unknown !== undefined) throw new TypeError(testingErrors.unknownCheckEndpoint(unknown, endpoints.map(({ name }) => name).join(', ')))
  return endpoints.filter(({ name }) => (only.length === 0 || isNamedBy(name, only)) && !isNamedBy(name, except))
}

/** Returns the given captures as lists. @throws TypeError for a capture that no endpoint has, and for a text that none accepts */
function toExistingCaptures({ endpoints }: EndpointIndex, given: NonNullable<CheckServerOptions['captures']>): ExistingCaptures {
  const existing = Object.fromEntries(Object.entries(given).map(([name, texts]) => [name, typeof texts === 'string' ? [texts] : texts]))
  const names = new Set(endpoints.flatMap(({ endpoint }) => Object.keys(endpoint.params)))
  for (const [name, texts] of Object.entries(existing)) {
    if (!names.has(name)) throw new TypeError(testingErrors.unknownCapture(name, [...names].join(', ')))
    for (const text of texts)
      if (!endpoints.some(({ endpoint }) => Object.keys(selectCaptures(endpoint, { [name]: [text] })).length > 0))
        throw new TypeError(testingErrors.invalidCapture(name, text))
  }
  return existing
}

/** Whether the API is not at the URL: each request got 404, also where a path has no capture that might not exist. */
function isElsewhere(selected: readonly EndpointUnderTest[], run: CheckRun): boolean {
  const { statuses } = run.getResponses()
  const isMissing = statuses.size === 1 && statuses.has(404)
  return isMissing && selected.some(({ endpoint }) => Object.keys(endpoint.params).length === 0)
}

/**
 * Whether no valid request succeeded at the endpoints that need the given credentials, because they got 401. A router may send 404 before it
 * looks at credentials.
 */
function areCredentialsRefused(selected: readonly EndpointUnderTest[], run: CheckRun, endpoints: readonly EndpointReport[]): boolean {
  const needed = new Set(
    selected.flatMap((subject) => {
      const { auth } = subject.endpoint
      return auth !== undefined && !isAuthOptional(auth) && run.isAuthorized(subject) ? [subject.name] : []
    }),
  )
  const statuses = endpoints.flatMap((one) => (needed.has(one.endpoint) ? one.statuses : []))
  const isRefused = ({ status }: StatusCount): boolean => status === 401
  return statuses.some(isRefused) && statuses.every((count) => isRefused(count) || count.status === 404)
}

/**
 * Checks whether a running server does what its description says.
 *
 * The report contains no secrets: credentials and secret headers are replaced by `***`.
 *
 * @param api the description
 * @param base the URL of the server
 * @returns the results for each endpoint, and all failures
 * @throws TypeError if `base` is not the URL of a server, `only` or `except` names no endpoint, `captures` names no capture or has a
 * text that its codec rejects, an auth scheme cannot write its credentials, or `steps` or `clients` is no count
 * @example
 * ```ts
 * import { checkServer } from '@lapidary/testing'
 * import { endpoint, ok, text } from 'lapidary'
 *
 * const api = { greeting: endpoint('GET /greeting/:name', { response: ok(text) }) }
 * const { failures } = await checkServer(api, 'http://127.0.0.1:8081', { requests: 500 })
 * for (const { route, violation, curl } of failures) console.log(route, violation, curl)
 * ```
 */
export async function checkServer(api: Api, base: string | URL, options: CheckServerOptions = {}): Promise<CheckReport> {
  const {
    write = false,
    keep = false,
    requests = 5_000,
    seconds = 60,
    fallback = false,
    lenient = false,
    credentials = {},
    headers = {},
    onProgress,
  } = options
  checkFunctions('checkServer()', { onProgress })
  const { scopedCredentials = {}, captures = {} } = options
  const { rules = allRules, size = defaultLimits.size, time = defaultLimits.time } = options
  requireTime('checkServer(): time', time, 'limit')
  const { seed = Math.trunc(Math.random() * 2 ** 31), steps = 0, clients = 1 } = options
  checkCount('steps', steps, 0)
  checkCount('clients', clients, 1)
  if (clients > 1 && steps === 0) throw new TypeError(testingErrors.clientsWithoutSteps)
  if (steps > 0 && !write) throw new TypeError(testingErrors.stepsWithoutWrite)
  const url = new URL(parseBaseUrl(base))
  const index = createEndpointIndex(toWireApi(api), url)
  const existing = toExistingCaptures(index, captures)
  const schemes = listSchemes(index)
  const written = Object.fromEntries(
    schemes
      .filter(({ name }) => Object.hasOwn(credentials, name))
      .map((auth) => [auth.name, toWrittenCredentials(auth, credentials[auth.name])] as const),
  )
  const scoped = schemes.flatMap((scheme) =>
    Object.hasOwn(scopedCredentials, scheme.name)
      ? (scopedCredentials[scheme.name] ?? []).map((one) => [one.credentials, writeCredentials(scheme, one.credentials)] as const)
      : [],
  )
  const redact = createRedactor({
    credentials: [...Object.values(credentials), ...scoped.map(([one]) => one)],
    written: [...Object.values(written), ...scoped.map(([, one]) => one)],
    headers,
    schemes,
  })
  const selected = selectEndpoints(index, options)
  const invariants = rules.filter(isInvariant)
  const probes = rules.filter(isProbe)
  const callCount = Math.max(minCallsPerEndpoint, Math.floor((requests * validCallShare) / Math.max(1, selected.length)))
  const created = new CreatedItems(index)
  const senders = Array.from({ length: clients }, () => observeSender(createSender(url, { timeout: time * 2, maxBodySize: size }), created))
  const run = createCheckRun({
    index,
    send: (request, streams) => (senders[0] as Sender).send(request, streams),
    seed,
    requests,
    seconds,
    limits: { size, time },
    credentials: written,
    headers,
    captures: existing,
  })
  const endpoints: EndpointReport[] = []
  let sequences: SequenceResults = { families: [], requests: 0, isOverBudget: false }
  let leftBehind: readonly LeftItems[] = []
  const listFailures = (): CheckReport['failures'] => endpoints.flatMap(({ failures }) => failures)
  try {
    for (const subject of selected) {
      const isOver = run.isOverBudget() || run.isUnreachable()
      endpoints.push(
        isOver
          ? reportUnreached(subject, run.isUnreachable() ? skipReasons.unreachable : skipReasons.budget)
          : await checkEndpoint(subject, {
              run,
              base: url,
              invariants,
              probes,
              write,
              callCount,
              fallback,
              lenient,
              scopedCredentials,
              redact,
            }),
      )
      if (isOver) continue
      onProgress?.({
        endpoint: subject.name,
        completed: endpoints.length,
        total: selected.length,
        requests: run.countRequests(),
        failures: listFailures().length,
      })
    }
    if (steps > 0 && !run.isUnreachable())
      sequences = await checkSequences({
        ...{ run, base: url, endpoints: selected, senders: senders.map(({ send }) => send), seed, steps, seconds, redact },
        rules: rules.filter(isSequenceRule),
        invariants: invariants.filter(({ name }) => !timeRuleNames.has(name)),
        limits: { size, time },
        known: listFailures(),
      })
    if (write && !keep && run.getOutage() === undefined) {
      const isNeeded = (path: string): boolean => isReported(listFailures(), url, path)
      leftBehind = await created.deleteAll(run, createCallPool(run, seed), (senders[0] as Sender).send, isNeeded)
    }
  } finally {
    for (const { close } of senders) close()
  }
  return {
    base: url.href,
    seed,
    requests: run.countRequests() + sequences.requests,
    milliseconds: run.getElapsed(),
    endpoints,
    sequences: [...sequences.families],
    failures: [...listFailures(), ...sequences.families.flatMap(({ failures }) => failures)],
    isOverBudget: run.isOverBudget() || sequences.isOverBudget,
    responses: run.getResponses().count,
    outage: run.getOutage() ?? sequences.outage ?? '',
    isElsewhere: isElsewhere(selected, run),
    areCredentialsRefused: areCredentialsRefused(selected, run, endpoints),
    leftBehind: leftBehind.map((left) => ({ ...left, items: left.items.map(redact) })),
  }
}
