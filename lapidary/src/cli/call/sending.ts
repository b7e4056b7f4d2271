/** Puts the request of a call together: what the endpoint asks for, where the server is, and who is calling. */
import { requestOf } from '../../client/request.ts'
import { noContent } from '../../describe/reply.ts'
import * as usage from '../../describe/usage.ts'
import { complained, Mistake } from '../mistake.ts'
import type { Surroundings } from '../surroundings.ts'
import { anyBody, bodyFor, type SentBody } from './body.ts'
import { handHeaders } from './credentials.ts'
import { baseOf, type Sending } from './exchange.ts'
import type { Parsed } from './flagsIn.ts'
import { type CallOptions, usualBase } from './options.ts'
import type { EndpointTarget, MountTarget } from './target.ts'
import { valuesOf } from './values.ts'

type Headers = Readonly<Record<string, string>>

/** What the target itself says of a request. */
interface Asked {
  readonly path: string
  readonly headers: Headers
  readonly body: SentBody | undefined
}

async function endpointTold({ endpoint, told }: EndpointTarget, parsed: Parsed, found: Surroundings): Promise<Asked> {
  const values = valuesOf(parsed, told)
  // The body goes out as it was given, and whatever is answered is shown: neither is left to a medium.
  const bare = { ...endpoint, body: undefined, response: noContent }
  const { target, headers } = await complained(2, () => requestOf(bare, values))
  return { path: target, headers, body: await bodyFor(endpoint, parsed.options, found) }
}

const mountTold = async ({ path }: MountTarget, options: CallOptions, found: Surroundings): Promise<Asked> => ({
  path,
  headers: {},
  body: await anyBody(options, found),
})

/** Header names have no case: of two alike, the later one counts. */
function merged(...all: readonly Headers[]): Headers {
  const pairs = all.flatMap((headers) => Object.entries(headers))
  return Object.fromEntries(new Map(pairs.map((pair) => [pair[0].toLowerCase(), pair])).values())
}

const bodyHeaders = (body: SentBody | undefined): Headers =>
  body === undefined
    ? {}
    : { ...(body.type === undefined ? {} : { 'Content-Type': body.type }), 'Content-Length': String(body.bytes.length) }

/** A day, the most that timers are good for here. */
const longest = 86_400

function secondsIn(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= longest) return seconds
  throw new Mistake(2, usage.seconds(text))
}

/** The request. Everything is checked before it leaves, and before anybody is asked for a password. @throws Mistake. */
export async function sendingOf(target: EndpointTarget | MountTarget, parsed: Parsed, found: Surroundings): Promise<Sending> {
  const { options } = parsed
  const base =
    options.base === undefined ? baseOf(found.environment['LAPIDARY_BASE'] || usualBase, 'LAPIDARY_BASE') : baseOf(options.base, '--base')
  const timeout = options.timeout === undefined ? undefined : secondsIn(options.timeout)
  const told = await ('endpoint' in target ? endpointTold(target, parsed, found) : mountTold(target, options, found))
  const headers = merged(told.headers, bodyHeaders(told.body), await handHeaders(options, found))
  return { base, method: target.method, target: told.path, headers, body: told.body?.bytes, timeout }
}
