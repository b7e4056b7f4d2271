/** Sends one request on a connection of its own, and gives the answer as it comes. */
import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { getCauseMessage } from 'lapidary/internal'
import * as usage from '../cliMessages.ts'
import { CliError, isPipeClosed } from '../context.ts'

/** A request, ready to be sent. */
export interface OutgoingCall {
  /** Where the server is; its path goes in front of the target. */
  readonly base: URL
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
  /** For how long to wait for the whole answer, in seconds; undefined: for as long as it takes. */
  readonly timeout: number | undefined
}

/** What is done on the way. */
export interface CallListener {
  /** The request is about to be sent. */
  readonly onRequest: (request: ClientRequest) => void
  /** The answer has begun; the exchange is over when what is done with it is. */
  readonly onResponse: (response: IncomingMessage) => Promise<void>
}

/** The address that is meant. @throws Mistake, which calls it by `name`, when it is none. */
export function parseBase(text: string, name: string): URL {
  const base = URL.canParse(text) ? new URL(text) : undefined
  if (base === undefined || !/^https?:$/.test(base.protocol) || base.search + base.hash !== '')
    throw new CliError(2, usage.invalidAddress(name, text))
  return base
}

/** What no request line can hold is percent-encoded; the rest is sent as it was written. */
const encodeTarget = (target: string): string => target.replace(/[^!-~]+/g, (text) => encodeURIComponent(text.toWellFormed()))

/** Sends the request. @throws Mistake when there is no answer, or not all of it; and what `watch` throws. */
export async function sendRequest(
  { base, method, target, headers, body, timeout }: OutgoingCall,
  { onRequest: asked, onResponse: answered }: CallListener,
): Promise<void> {
  const path = base.pathname.replace(/\/+$/, '') + encodeTarget(target)
  const call = `${method} ${base.origin}${path.replace(/\?.*$/s, '')}`
  const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout * 1000)
  let begun = false
  try {
    const send = base.protocol === 'https:' ? overHttps : overHttp
    const options = { method, path, headers: { ...headers, Connection: 'close' }, agent: false as const, ...(signal && { signal }) }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(base, options, resolve).on('error', reject)
      asked(request)
      request.end(body)
    })
    begun = true
    await answered(response)
  } catch (error) {
    if (isPipeClosed(error) || error instanceof CliError) throw error
    if (timeout !== undefined && signal?.aborted) throw new CliError(1, usage.responseTimeout(call, timeout), { cause: error })
    throw new CliError(1, begun ? usage.responseCutOff(call, getCauseMessage(error)) : usage.noResponse(call, getCauseMessage(error)), {
      cause: error,
    })
  }
}
