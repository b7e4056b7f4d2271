/** Compares the responses of two servers of the same description. */
import { isDeepStrictEqual } from 'node:util'
import type { Api } from 'lapidary'
import { decodeUtf8, parseBaseUrl, parseMediaType } from 'lapidary/internal'
import type { CheckServerOptions } from './checkOptions.ts'
import { checkServer, defaultLimits } from './checkServer.ts'
import { createSender, getStreamReadOptions, isVolatileHeader, isWireResponse, listHeaderNames, type WireResponse } from './exchange.ts'
import type { CheckReport } from './report.ts'
import { type Invariant, isProbe, type Violation } from './rule.ts'
import { rules as allRules } from './rules/index.ts'

/** How two servers are compared. */
export interface CompareServersOptions extends Omit<CheckServerOptions, 'steps' | 'clients' | 'keep'> {
  /**
   * Headers that may differ, besides those that depend on the moment or the connection (`Date`, `X-Request-Id`).
   * @default none
   */
  readonly ignore?: readonly string[]
}

/** Headers that describe the server or the framing of a response. */
const serverHeaders = ['content-length', 'server', 'via', 'x-powered-by']
/** Statuses whose headers and bodies depend on the load of a server. */
const retryStatuses = new Set([429, 503])

/** How long a stream is read. */
const compareStreamMilliseconds = 500

const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Converts a body to a comparable value: JSON with its members in any order, text without the UUIDs of requests. */
function toComparableBody({ header, body }: WireResponse): unknown {
  const text = decodeUtf8(body)?.replace(uuidPattern, 'ID')
  if (text === undefined) return [...body]
  try {
    return /[/+]json$/.test(parseMediaType(header('content-type') ?? '')?.essence ?? '') ? JSON.parse(text) : text
  } catch {
    return text
  }
}

const truncateValue = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

function findDifference(first: WireResponse, second: WireResponse, ignored: ReadonlySet<string>): Violation {
  if (first.status !== second.status) return `the first server sends status ${first.status}, the second ${second.status}`
  if (retryStatuses.has(first.status)) return undefined
  for (const name of new Set([...listHeaderNames(first), ...listHeaderNames(second)])) {
    if (!isVolatileHeader(name) && !ignored.has(name) && first.header(name) !== second.header(name))
      return `the first server sends ${name}: ${first.header(name) ?? '(none)'}, the second ${second.header(name) ?? '(none)'}`
  }
  // How much of an endless stream was read depends on the moment.
  if (first.isAbandoned || second.isAbandoned) return undefined
  const [left, right] = [toComparableBody(first), toComparableBody(second)]
  return isDeepStrictEqual(left, right)
    ? undefined
    : `the first server sends the body ${truncateValue(left)}, the second ${truncateValue(right)}`
}

/**
 * Sends the same generated requests to two servers of one description, and reports where their responses differ.
 *
 * The servers may be two builds, two databases, or a rewrite and its original. Use `checkServer` to test whether the responses are correct.
 * With `write`, both servers need the same data at the start.
 *
 * @param api the description of both servers
 * @param first the URL of the first server
 * @param second the URL of the second server
 * @returns the differences, as failures of the rule `agreement`
 * @throws TypeError if one of the URLs is not the URL of a server
 * @example
 * ```ts
 * import { compareServers } from '@lapidary/testing'
 * import { endpoint, ok, text } from 'lapidary'
 *
 * const api = { greeting: endpoint('GET /greeting/:name', { response: ok(text) }) }
 * const { failures } = await compareServers(api, 'http://old.example', 'http://new.example', { ignore: ['X-Build'] })
 * for (const { route, violation } of failures) console.log(route, violation)
 * ```
 */
export async function compareServers(
  api: Api,
  first: string | URL,
  second: string | URL,
  options: CompareServersOptions = {},
): Promise<CheckReport> {
  const { ignore = [], rules = allRules, size = defaultLimits.size, time = defaultLimits.time, ...rest } = options
  const ignored = new Set([...serverHeaders, ...ignore.map((name) => name.toLowerCase())])
  const { send, close } = createSender(new URL(parseBaseUrl(second)), { timeout: time * 2, maxBodySize: size })
  const agreement: Invariant = {
    name: 'agreement',
    description: 'Both servers send the same response to the same request.',
    check: async ({ request, response, subject: { endpoint } }) => {
      const other = await send(request, getStreamReadOptions(endpoint, compareStreamMilliseconds))
      return isWireResponse(other) ? findDifference(response, other, ignored) : `the second server does not respond: ${other.reason}`
    },
  }
  const isComparison = (rule: string): boolean => rule === agreement.name || rule === 'complete'
  try {
    const report = await checkServer(api, first, { ...rest, size, time, keep: true, rules: [agreement, ...rules.filter(isProbe)] })
    const endpoints = report.endpoints.map((endpoint) => ({
      ...endpoint,
      passed: endpoint.passed.filter((rule) => rule === agreement.name),
      notTested: [],
      statuses: [],
      failures: endpoint.failures.filter(({ rule }) => isComparison(rule)),
    }))
    return { ...report, endpoints, failures: report.failures.filter(({ rule }) => isComparison(rule)) }
  } finally {
    close()
  }
}
