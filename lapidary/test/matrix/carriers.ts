/** The two carriers of a kernel, each behind the same `fetch`: in memory, and over a socket. */
import { connect } from 'node:net'
import { type Listening, listen } from 'lapidary/node'
import type { Served } from 'lapidary/server'

/** A kernel on its carrier. */
export interface Carried {
  readonly fetch: (target: string, init?: RequestInit) => Promise<Response>
  readonly close: () => Promise<void>
}

/** Whether `lapidary/node` is itself here, and no other carrier in its place: Node listeners can be mounted on it alone. */
export const onNode: boolean = process.env['CARRIER'] !== 'swift'

/** Every carrier by its name. */
export const carriers: readonly { readonly name: string; readonly carry: (server: Served) => Promise<Carried> }[] = [
  {
    name: 'in memory',
    carry: async (server) => ({
      fetch: (target, init) => server.fetch(new Request(`http://test.invalid${target}`, init)),
      close: async () => {},
    }),
  },
  {
    name: 'over a socket',
    carry: async (server) => {
      const listening = await listen(server)
      return {
        fetch: (target, init) => fetch(`${listening.url}${target}`, { redirect: 'manual', ...init }),
        close: () => listening.close({ drain: 0 }),
      }
    },
  },
]

/** Sends bytes as they are, on a connection of their own, and resolves to all that comes back until the server closes it. */
export const exchange = ({ port }: Pick<Listening, 'port'>, ...parts: readonly (string | Uint8Array)[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      answer += text
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
    for (const part of parts) socket.write(part)
  })
