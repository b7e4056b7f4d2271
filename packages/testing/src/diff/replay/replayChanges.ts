/** `replayChanges`: sends the requests of witnesses to a running server of the new description. */
import { addQuery, fillPath, parseBaseUrl, parsePath, percentDecode } from 'lapidary/internal'
import {
  createSender,
  type HeaderLine,
  isWireResponse,
  joinCookies,
  type NoResponse,
  ServerUnreachableError,
  type WireRequest,
  type WireResponse,
} from '../../check/exchange.ts'
import { formatCurl, formatResponse } from '../../check/formatExchange.ts'
import { isSafeMethod } from '../../check/rule.ts'
import { createRedactor } from '../../check/secrets.ts'
import type { Change } from '../change.ts'
import type { ApiManifest, EndpointManifest } from '../manifest.ts'
import { findServingEndpoint } from '../servedRequest.ts'
import { formatWitnessTarget, type Witness } from '../witness/witness.ts'
import { judgeExchange, type Verdict } from './judgeExchange.ts'
import { listControls } from './listControls.ts'
import * as reason from './replayMessages.ts'

/** How witnesses are sent. */
export interface ReplayOptions {
  /**
   * Whether requests may change data of the server: POST, PUT, PATCH and DELETE.
   * @default false
   */
  readonly write?: boolean
  /** Further headers of every request, such as credentials. */
  readonly headers?: Readonly<Record<string, string>>
  /** Credentials of every request, as their auth schemes write them: a key in a header, a cookie or the query. */
  readonly credentials?: readonly {
    readonly headers: Readonly<Record<string, string>>
    readonly query: Readonly<Record<string, string>>
  }[]
  /**
   * Captures that exist, as they are in a URL, by name.
   * @default those of the witness
   */
  readonly captures?: Readonly<Record<string, string>>
  /**
   * The manifest of the new API. With it, a refusal of a body is `confirmed` only if the server accepts a body that the new API allows: up to
   * three are sent.
   * @default a refusal is always taken for one of the change
   */
  readonly now?: ApiManifest
  /**
   * How long to wait for a response, in milliseconds.
   * @default 10_000
   */
  readonly time?: number
}

/**
 * What came of a witness. `confirmed`: the server refuses the request, or its response is not one that old clients expect. `refuted`: the
 * server accepts the request, or sends a response that they expect. `unclear`: the exchange says nothing of the change. `not sent`: the
 * request may change data.
 */
export type ReplayOutcome = 'confirmed' | 'refuted' | 'unclear' | 'not sent'

/** A change, and what came of its witness at a running server. Plain data. */
export interface ReplayedChange {
  readonly change: Change
  readonly outcome: ReplayOutcome
  /** Why, as a sentence. */
  readonly reason: string
  /** The `curl` command that sends the request again. Secrets are replaced by `***`. */
  readonly curl: string
  /** The response, or why there is none; `null` if the request was not sent. Secrets are replaced by `***`. */
  readonly response: string | null
}

/** The path of a request with captures that exist. The one that the change is about stays. */
function fillCaptures(
  path: string,
  endpoint: EndpointManifest | undefined,
  place: string,
  captures: ReplayOptions['captures'] = {},
): string {
  const segments = endpoint && parsePath(endpoint.path)
  if (segments === undefined) return path
  const steps = path.split('/').slice(1)
  const texts = segments.flatMap((segment, index): (readonly [string, string])[] => {
    if ('literal' in segment) return []
    const own = segment.rest ? steps.slice(index).join('/') : (steps[index] ?? '')
    const { capture } = segment
    const given = Object.hasOwn(captures, capture) && place !== `capture ${capture}` ? captures[capture] : undefined
    return [[capture, percentDecode(given ?? own) ?? own]]
  })
  const byName = Object.fromEntries(texts)
  return fillPath(segments, (name) => byName[name] ?? '')
}

/** The request of a witness with headers and credentials. A cookie stands beside those of the witness. */
function toWireRequest(
  { request }: Witness,
  path: string,
  { headers = {}, credentials = [] }: Pick<ReplayOptions, 'headers' | 'credentials'>,
): WireRequest {
  const keys = credentials.flatMap((written) => Object.entries(written.headers))
  const cookies = keys.filter(([name]) => name === 'Cookie')
  const given = [...Object.entries(headers), ...keys.filter((line) => !cookies.includes(line))]
  const isGiven = ([name]: HeaderLine): boolean => given.some(([other]) => other.toLowerCase() === name.toLowerCase())
  return {
    method: request.method,
    target: addQuery(formatWitnessTarget({ ...request, path }), credentials),
    headers: joinCookies([...request.headers.filter((line) => !isGiven(line)), ...given, ...cookies]),
    body: request.body === undefined ? undefined : new TextEncoder().encode(request.body),
  }
}

/**
 * Sends the requests of witnesses to a running server of the new description, one after the other, and says for each change whether the
 * server confirms it. Changes without a witness for old clients are left out. The result contains no secrets of `headers` and `credentials`.
 *
 * @param changes the changes of `diff`
 * @param old the manifest of the old API
 * @param base the URL of the server
 * @throws TypeError if `base` is not the URL of a server; `ServerUnreachableError` if no server is there; one that goes away later leaves the
 * rest `unclear`
 * @example
 * ```ts
 * import { type ApiManifest, diff, replayChanges } from '@lapidary/testing'
 *
 * declare const old: ApiManifest
 * declare const now: ApiManifest
 * for (const { change, outcome, reason } of await replayChanges(diff(old, now), old, 'http://127.0.0.1:8081'))
 *   console.log(change.endpoint, change.place, outcome, reason)
 * ```
 */
export async function replayChanges(
  changes: readonly Change[],
  old: ApiManifest,
  base: string | URL,
  options: ReplayOptions = {},
): Promise<readonly ReplayedChange[]> {
  const { write = false, headers = {}, credentials = [], captures, time = 10_000, now } = options
  const url = new URL(parseBaseUrl(base))
  const redact = createRedactor({ credentials: [], written: credentials, headers, schemes: [] })
  const { send, close } = createSender(url, { timeout: time, maxBodySize: 16_000_000 })
  const replayed: ReplayedChange[] = []
  let hasResponded = false
  /** Why no more requests are sent. */
  let gone: NoResponse | undefined
  /** A refusal shows nothing of the change where the server refuses what the new description allows, too. */
  const compareWithControls = async (change: Change, request: WireRequest, response: WireResponse, verdict: Verdict): Promise<Verdict> => {
    const { witness } = change
    if (now === undefined || verdict.outcome !== 'confirmed' || witness === undefined || witness.response !== undefined) return verdict
    const controls = listControls(change, findServingEndpoint(now, witness.request.method, witness.request.path))
    for (const body of controls) {
      const other = await send({ ...request, body: new TextEncoder().encode(body) })
      if (!isWireResponse(other) || other.status < 400) return verdict
    }
    return controls.length === 0 ? verdict : { outcome: 'unclear', reason: reason.othersRefused(response.status, controls.length) }
  }
  try {
    for (const change of changes) {
      const { witness, place } = change
      if (witness?.caller !== 'old') continue
      const { method, path } = witness.request
      const endpoint = findServingEndpoint(old, method, path)
      const request = toWireRequest(witness, fillCaptures(path, endpoint, place, captures), { headers, credentials })
      const curl = redact(formatCurl(request, url))
      if (!write && !isSafeMethod(method)) {
        replayed.push({ change, outcome: 'not sent', reason: reason.unsafeMethod(method), curl, response: null })
        continue
      }
      const isSent = gone === undefined
      const response = gone ?? (await send(request))
      if (isWireResponse(response) || response.cause !== 'unreachable') hasResponded = true
      // What it has sent before is true.
      else if (hasResponded) gone = response
      else throw new ServerUnreachableError(response.reason)
      const { outcome, reason: why }: Verdict = isWireResponse(response)
        ? await compareWithControls(change, request, response, judgeExchange(change, witness, response, endpoint))
        : { outcome: 'unclear', reason: (gone === undefined ? reason.noResponse : reason.serverGone)(response.reason) }
      replayed.push({ change, outcome, reason: redact(why), curl, response: isSent ? redact(formatResponse({ request, response })) : null })
    }
  } finally {
    close()
  }
  return replayed
}
