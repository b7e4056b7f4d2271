/** The two connections of a client to a server: in memory, and over a socket. */
import type { ClientOptions } from 'lapidary/client'
import { listen } from 'lapidary/node'
import type { ApiServer } from 'lapidary/server'

/** Where a client finds a server. */
export interface Connection {
  readonly base: string
  readonly options: ClientOptions
  readonly close: () => Promise<void>
}

export const transports: readonly { readonly transport: string; readonly connect: (server: ApiServer) => Promise<Connection> }[] = [
  {
    transport: 'in memory',
    connect: async ({ fetch }) => ({ base: 'http://test.invalid', options: { fetch }, close: async () => {} }),
  },
  {
    transport: 'over a socket',
    connect: async (server) => {
      const listening = await listen(server)
      return {
        base: listening.url,
        options: {},
        // A test may leave requests open.
        close: () => listening.close({ drain: 0, grace: 0 }),
      }
    },
  },
]
