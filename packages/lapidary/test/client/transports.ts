/** The two ways from a client to a server: in memory, and over a socket. */
import type { ClientOptions } from 'lapidary/client'
import { listen } from 'lapidary/node'
import type { ApiServer } from 'lapidary/server'

/** Where a client finds a server. */
export interface Reached {
  readonly base: string
  readonly options: ClientOptions
  readonly close: () => Promise<void>
}

/** Each way by its name. */
export const ways: readonly { readonly way: string; readonly reach: (server: ApiServer) => Promise<Reached> }[] = [
  {
    way: 'in memory',
    reach: async ({ fetch }) => ({ base: 'http://test.invalid', options: { fetch }, close: async () => {} }),
  },
  {
    way: 'over a socket',
    reach: async (server) => {
      const listening = await listen(server)
      return {
        base: listening.url,
        options: {}, // Whatever a test has left open is of no use to anybody.
        close: () => listening.close({ drain: 0, grace: 0 }),
      }
    },
  },
]
