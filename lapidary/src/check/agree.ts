/** `agree(api, one, other)`: whether two servers give the same answers to the same requests. */
import { isDeepStrictEqual } from 'node:util'
import { baseOf } from '../client/base.ts'
import type { Api } from '../describe/api.ts'
import { mediaType } from '../describe/mediaType.ts'
import { utf8Decoded } from '../describe/utf8.ts'
import { type CheckOptions, checkServer, usualLimits } from './checkServer.ts'
import { type Answered, isAnswered, namesIn, passing, sender, streamsOf } from './exchange.ts'
import { type Complaint, type Invariant, isProbe } from './predicate.ts'
import { predicates as all } from './predicates/index.ts'
import type { Report } from './report.ts'

/** How two servers are compared. */
export interface AgreeOptions extends CheckOptions {
  /** Headers that may differ, in any case, besides those that belong to the moment or to a connection (`Date`, `X-Request-Id`). Default: none. */
  readonly ignore?: readonly string[]
}

/** What each server says of itself, and how it sends what it sends. */
const ofServers = ['content-length', 'server', 'via', 'x-powered-by']
/** When another attempt is worth making each server knows by itself. */
const ofTheMoment = new Set([429, 503])

/** For how long a stream is read, in milliseconds. */
const patience = 500

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The body as a value that can be compared: JSON whatever the order of its members, text without the identifiers that are made for each request. */
function comparable({ header, body }: Answered): unknown {
  const text = utf8Decoded(body)?.replace(uuid, 'ID')
  if (text === undefined) return [...body]
  try {
    return /[/+]json$/.test(mediaType(header('content-type') ?? '')?.essence ?? '') ? JSON.parse(text) : text
  } catch {
    return text
  }
}

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

function difference(one: Answered, other: Answered, ignored: ReadonlySet<string>): Complaint {
  if (one.status !== other.status) return `one says ${one.status}, the other says ${other.status}`
  if (ofTheMoment.has(one.status)) return undefined
  for (const name of new Set([...namesIn(one), ...namesIn(other)])) {
    if (!ignored.has(name) && one.header(name) !== other.header(name))
      return `${name} is ${one.header(name) ?? 'not there'} for one, ${other.header(name) ?? 'not there'} for the other`
  }
  // How far a stream without an end came depends on the moment.
  if (one.isLeft || other.isLeft) return undefined
  const [here, there] = [comparable(one), comparable(other)]
  return isDeepStrictEqual(here, there) ? undefined : `one sends ${shown(here)}, the other sends ${shown(there)}`
}

/**
 * Sends the same generated requests to two servers of one description (two builds, two databases, a rewrite and its original), and tells where their
 * answers differ. Whether they are right is not asked: `checkServer` does. With `write` both have to hold the same at the beginning.
 *
 * @throws TypeError when one of them is no address of a server
 */
export async function agree(api: Api, one: string | URL, other: string | URL, options: AgreeOptions = {}): Promise<Report> {
  const { ignore = [], predicates = all, size = usualLimits.size, time = usualLimits.time, ...rest } = options
  const ignored = new Set([...passing, ...ofServers, ...ignore.map((name) => name.toLowerCase())])
  const { send, close } = sender(new URL(baseOf(other)), { timeout: time * 2, largest: size })
  const agreement: Invariant = {
    name: 'agreement',
    sentence: 'Both servers give the same answer to the same request.',
    each: async ({ asked, answered, subject: { endpoint } }) => {
      const second = await send(asked, streamsOf(endpoint, patience))
      return isAnswered(second) ? difference(answered, second, ignored) : `the other gives no answer: ${second.reason}`
    },
  }
  try {
    const report = await checkServer(api, one, { ...rest, size, time, predicates: [agreement, ...predicates.filter(isProbe)] })
    const isOurs = ({ predicate }: { readonly predicate: string }): boolean => predicate === agreement.name || predicate === 'complete'
    const endpoints = report.endpoints.map((checked) => ({
      ...checked,
      held: checked.held.filter((name) => name === agreement.name),
      failures: checked.failures.filter(isOurs),
    }))
    return { ...report, endpoints, failures: report.failures.filter(isOurs) }
  } finally {
    close()
  }
}
