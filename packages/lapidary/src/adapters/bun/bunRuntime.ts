/** The part of Bun that the adapter uses. Bun's own types would be one more package for each application. */
import * as adapterErrors from '../../messages/adapterErrors.ts'

/** The server that `Bun.serve` returns. */
export interface BunServer {
  readonly port: number
  readonly hostname: string
  readonly requestIP: (request: Request) => { readonly address: string } | null
  /** Sets the idle timeout of the connection in seconds, 0 for none, until its next request. */
  readonly timeout: (request: Request, seconds: number) => void
  /** Stops listening. Resolves when all requests are answered, or at once where `isAbrupt`. */
  readonly stop: (isAbrupt?: boolean) => Promise<void>
}

/** The request handler of `Bun.serve`. */
export type BunFetch = (request: Request, server: BunServer) => Response | Promise<Response>

/** Keys and certificates, as PEM. */
export interface BunTlsOptions {
  readonly key: string | Uint8Array | readonly (string | Uint8Array)[]
  readonly cert: string | Uint8Array | readonly (string | Uint8Array)[]
  readonly ca?: string | Uint8Array | readonly (string | Uint8Array)[]
  /** Of the key. */
  readonly passphrase?: string
}

/** The options of `Bun.serve`. */
interface BunServeOptions {
  readonly port?: number
  readonly hostname?: string
  /** The path of a Unix socket, in place of a port. */
  readonly unix?: string
  readonly tls?: BunTlsOptions | undefined
  /** In seconds, from 0 to 255. */
  readonly idleTimeout: number
  /** In bytes. */
  readonly maxRequestBodySize: number
  /** Whether clients see errors. */
  readonly development: boolean
  /** Whether other processes may listen on the same port. Bun's default outside of development is true. */
  readonly reusePort: boolean
  readonly fetch: BunFetch
}

/** The controller of a direct stream, which writes to the connection without another stream in between. */
export interface BunSink {
  /** Returns how many bytes were accepted, or a promise that resolves when there is room. */
  readonly write: (chunk: string | Uint8Array) => number | Promise<number>
  readonly flush: (wait?: boolean) => number | Promise<number>
  readonly end: () => void
}

/** Calls `Bun.serve`. @throws TypeError on another runtime. */
export function startBunServer(options: BunServeOptions): BunServer {
  const { Bun } = globalThis as { readonly Bun?: { readonly serve?: (options: BunServeOptions) => BunServer } }
  if (Bun?.serve === undefined) throw new TypeError(adapterErrors.bunRequired())
  return Bun.serve(options)
}
