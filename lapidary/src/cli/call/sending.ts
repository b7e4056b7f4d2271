/** Puts the request of a call together: what the endpoint asks for, where the server is, and who is calling. */
import { createCallRequest } from '../../client/request.ts'
import { noContent } from '../../describe/reply.ts'
import * as usage from '../../describe/usage.ts'
import { CliError, convertTypeErrors } from '../mistake.ts'
import type { CliContext } from '../surroundings.ts'
import { type CallBody, readEndpointBody, readMountBody } from './body.ts'
import { readHeaderFlags } from './credentials.ts'
import { type OutgoingCall, parseBase } from './exchange.ts'
import type { ParsedCall } from './flagsIn.ts'
import { type CallOptions, defaultBase } from './options.ts'
import type { EndpointTarget, MountTarget } from './target.ts'
import { readValues } from './values.ts'

type RequestHeaders = Readonly<Record<string, string>>

/** What the target itself says of a request. */
interface CallRequest {
  readonly path: string
  readonly headers: RequestHeaders
  readonly body: CallBody | undefined
}

async function buildEndpointRequest(
  { endpoint, pathValues: told }: EndpointTarget,
  parsed: ParsedCall,
  found: CliContext,
): Promise<CallRequest> {
  const values = readValues(parsed, told)
  // The body goes out as it was given, and whatever is answered is shown: neither is left to a medium.
  const bare = { ...endpoint, body: undefined, response: noContent }
  const { target, headers } = await convertTypeErrors(2, () => createCallRequest(bare, values))
  return { path: target, headers, body: await readEndpointBody(endpoint, parsed.options, found) }
}

const buildMountRequest = async ({ path }: MountTarget, options: CallOptions, found: CliContext): Promise<CallRequest> => ({
  path,
  headers: {},
  body: await readMountBody(options, found),
})

/** Header names have no case: of two alike, the later one counts. */
function mergeHeaders(...all: readonly RequestHeaders[]): RequestHeaders {
  const pairs = all.flatMap((headers) => Object.entries(headers))
  return Object.fromEntries(new Map(pairs.map((pair) => [pair[0].toLowerCase(), pair])).values())
}

const buildBodyHeaders = (body: CallBody | undefined): RequestHeaders =>
  body === undefined
    ? {}
    : { ...(body.type === undefined ? {} : { 'Content-Type': body.type }), 'Content-Length': String(body.bytes.length) }

/** A day, the most that timers are good for here. */
const maxTimeoutSeconds = 86_400

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= maxTimeoutSeconds) return seconds
  throw new CliError(2, usage.invalidTimeout(text))
}

/** The request. Everything is checked before it leaves, and before anybody is asked for a password. @throws Mistake. */
export async function buildRequest(target: EndpointTarget | MountTarget, parsed: ParsedCall, found: CliContext): Promise<OutgoingCall> {
  const { options } = parsed
  const base =
    options.base === undefined ? parseBase(found.env['LAPIDARY_BASE'] || defaultBase, 'LAPIDARY_BASE') : parseBase(options.base, '--base')
  const timeout = options.timeout === undefined ? undefined : parseSeconds(options.timeout)
  const told = await ('endpoint' in target ? buildEndpointRequest(target, parsed, found) : buildMountRequest(target, options, found))
  const headers = mergeHeaders(told.headers, buildBodyHeaders(told.body), await readHeaderFlags(options, found))
  return { base, method: target.method, target: told.path, headers, body: told.body?.bytes, timeout }
}
