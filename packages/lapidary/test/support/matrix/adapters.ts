/** The adapters of a handler, each behind the same `fetch`: in memory, and over a socket of the runtime that runs the test, Node.js or Bun. */
import { connect } from 'node:net'
import { listen as listenOnBun } from 'lapidary/bun'
import { type ListenOptions, listen as listenOnNode, type RunningServer } from 'lapidary/node'
import type { ApiServer, HttpHandler } from 'lapidary/server'
import { listenOnNodeWith } from '../../../src/adapters/node/listen.ts'
import { firstCertificate } from '../tls/certificates.ts'
import { createHttp2Client } from '../tls/http2Fetch.ts'

/** Whether it is Bun that runs the test. */
export const onBun: boolean = 'Bun' in globalThis

/** Listens on the adapter of the runtime. Bun has one time-out for all that a client may be slow at. */
export const listen = (handler: HttpHandler, options: ListenOptions & { readonly idleTimeout?: number } = {}): Promise<RunningServer> =>
  onBun
    ? listenOnBun(handler, {
        port: options.port ?? 0,
        idleTimeout: options.idleTimeout ?? options.readerTimeout ?? options.requestTimeout ?? 9_000,
        ...(options.onError && { onError: options.onError }),
      })
    : listenOnNode(handler, options)

/** A handler on its adapter, to which a test sends requests. */
export interface Running {
  /** HTTP/2 has none. */
  readonly hasReasonPhrases: boolean
  readonly fetch: (target: string, init?: RequestInit) => Promise<Response>
}

/** The same for the code that starts the handler, and has to close it. */
export interface RunningAdapter extends Running {
  readonly close: () => Promise<void>
}

const toRunningAdapter = ({ url, close }: RunningServer): RunningAdapter => ({
  hasReasonPhrases: true,
  fetch: (target, init) => fetch(`${url}${target}`, { redirect: 'manual', ...init }),
  close: () => close({ drain: 0 }),
})
/** Whether `lapidary/node` is itself here, and no other adapter in its place: Node listeners can be mounted on it alone. */
export const onNode: boolean = !onBun && process.env['ADAPTER'] !== 'llhttp'

/** Listens over TLS, and sends every request over HTTP/2. */
async function startHttp2(server: ApiServer): Promise<RunningAdapter> {
  const { url, close } = await listenOnNode(server, { tls: firstCertificate })
  const client = createHttp2Client(url)
  return {
    hasReasonPhrases: false,
    fetch: client.fetch,
    close: async () => {
      client.close()
      await close({ drain: 0 })
    },
  }
}

/** Every adapter by its name. */
export const adapters: readonly { readonly name: string; readonly startAdapter: (server: ApiServer) => Promise<RunningAdapter> }[] = [
  {
    name: 'in memory',
    startAdapter: async (server) => ({
      hasReasonPhrases: true,
      fetch: (target, init) => server.fetch(new Request(`http://test.invalid${target}`, init)),
      close: async () => {},
    }),
  },
  { name: 'over a socket', startAdapter: async (server) => toRunningAdapter(await listen(server)) },
  ...(!onNode
    ? []
    : [
        {
          name: 'over a socket, by its documented API',
          startAdapter: async (server: ApiServer) => toRunningAdapter(await listenOnNodeWith(server, {}, false)),
        },
        { name: 'over HTTP/2', startAdapter: startHttp2 },
      ]),
]

/** Sends bytes as they are, on a connection of their own, and resolves to all that comes back until the server closes it. */
export const exchange = ({ port }: Pick<RunningServer, 'port'>, ...parts: readonly (string | Uint8Array)[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      received += text
    })
    socket.on('end', () => resolve(received))
    socket.on('error', reject)
    for (const part of parts) socket.write(part)
  })
