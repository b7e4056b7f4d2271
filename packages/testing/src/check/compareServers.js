/** `compareServers(api, one, other)`: whether two servers give the same answers to the same requests. */
import { isDeepStrictEqual } from 'node:util'
import { decodeUtf8, parseBaseUrl, parseMediaType } from 'lapidary/internal'
import { checkServer, defaultLimits } from './checkServer.js'
import { createSender, getStreamReadOptions, isWireResponse, listHeaderNames, volatileHeaders } from './exchange.js'
import { isProbe } from './rule.js'
import { rules as all } from './rules/index.js'

/** What each server says of itself, and how it sends what it sends. */
const serverHeaders = ['content-length', 'server', 'via', 'x-powered-by']
/** When another attempt is worth making each server knows by itself. */
const retryStatuses = new Set([429, 503])
/** For how long a stream is read, in milliseconds. */
const compareStreamMilliseconds = 500
const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** The body as a value that can be compared: JSON whatever the order of its members, text without the identifiers that are made for each request. */
function toComparableBody({ header, body }) {
  const text = decodeUtf8(body)?.replace(uuidPattern, 'ID')
  if (text === undefined) return [...body]
  try {
    return /[/+]json$/.test(parseMediaType(header('content-type') ?? '')?.essence ?? '') ? JSON.parse(text) : text
  } catch {
    return text
  }
}
const truncateValue = (value) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
function findDifference(one, other, ignored) {
  if (one.status !== other.status) return `one says ${one.status}, the other says ${other.status}`
  if (retryStatuses.has(one.status)) return undefined
  for (const name of new Set([...listHeaderNames(one), ...listHeaderNames(other)])) {
    if (!ignored.has(name) && one.header(name) !== other.header(name))
      return `${name} is ${one.header(name) ?? 'not there'} for one, ${other.header(name) ?? 'not there'} for the other`
  }
  // How far a stream without an end came depends on the moment.
  if (one.isAbandoned || other.isAbandoned) return undefined
  const [here, there] = [toComparableBody(one), toComparableBody(other)]
  return isDeepStrictEqual(here, there) ? undefined : `one sends ${truncateValue(here)}, the other sends ${truncateValue(there)}`
}
/**
 * Sends the same generated requests to two servers of one description (two builds, two databases, a rewrite and its original), and tells where their
 * answers differ. Whether they are right is not asked: `checkServer` does. With `write` both have to hold the same at the beginning.
 *
 * @throws TypeError when one of them is no address of a server
 */
export async function compareServers(api, one, other, options = {}) {
  const { ignore = [], rules: predicates = all, size = defaultLimits.size, time = defaultLimits.time, ...rest } = options
  const ignored = new Set([...volatileHeaders, ...serverHeaders, ...ignore.map((name) => name.toLowerCase())])
  const { send, close } = createSender(new URL(parseBaseUrl(other)), { timeout: time * 2, maxBodySize: size })
  const agreement = {
    name: 'agreement',
    description: 'Both servers give the same answer to the same request.',
    check: async ({ request: asked, response: answered, subject: { endpoint } }) => {
      const second = await send(asked, getStreamReadOptions(endpoint, compareStreamMilliseconds))
      return isWireResponse(second) ? findDifference(answered, second, ignored) : `the other gives no answer: ${second.reason}`
    },
  }
  try {
    const report = await checkServer(api, one, { ...rest, size, time, rules: [agreement, ...predicates.filter(isProbe)] })
    const isOurs = ({ rule }) => rule === agreement.name || rule === 'complete'
    const endpoints = report.endpoints.map((checked) => ({
      ...checked,
      held: checked.passed.filter((name) => name === agreement.name),
      failures: checked.failures.filter(isOurs),
    }))
    return { ...report, endpoints, failures: report.failures.filter(isOurs) }
  } finally {
    close()
  }
}
