/** As much of Bun as its adapter uses. Its own types would be one more package for everybody who installs this one. */
import * as complaint from '../../messages/developerErrors.ts'

/** What `Bun.serve` gives back. */
export interface BunServer {
  readonly port: number
  readonly hostname: string
  readonly requestIP: (request: Request) => { readonly address: string } | null
  /** The idle time-out of the connection from now on, in seconds; 0: none. The next request has the one of the server again. */
  readonly timeout: (request: Request, seconds: number) => void
  /** No longer listens. Resolves when everything is answered; at once when it is abrupt. */
  readonly stop: (abrupt?: boolean) => Promise<void>
}

/** Answers requests. */
export type BunFetch = (request: Request, server: BunServer) => Response | Promise<Response>

/** What `Bun.serve` is given. */
interface BunServeOptions {
  readonly port: number
  readonly hostname: string
  /** In seconds, from 0 to 255. */
  readonly idleTimeout: number
  /** In bytes. */
  readonly maxRequestBodySize: number
  /** Whether failures are shown to whoever asks. */
  readonly development: boolean
  /** Whether others may listen at the same port; outside of development Bun would let them. */
  readonly reusePort: boolean
  readonly fetch: BunFetch
}

/** What writes a stream to its connection without another stream in between. */
export interface BunSink {
  /** How much was taken, or a promise for when there is room again. */
  readonly write: (piece: string | Uint8Array) => number | Promise<number>
  readonly flush: (wait?: boolean) => number | Promise<number>
  readonly end: () => void
}

/** @throws TypeError where there is no Bun. */
export function startBunServer(options: BunServeOptions): BunServer {
  const { Bun } = globalThis as { readonly Bun?: { readonly serve?: (options: BunServeOptions) => BunServer } }
  if (Bun?.serve === undefined) throw new TypeError(complaint.bunRequired())
  return Bun.serve(options)
}
