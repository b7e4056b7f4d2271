/** Finds the port of each deployment before there are workers, so that all of them, later ones included, listen on the same. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { refusedAddress } from '../refusedAddress.ts'
import type { Settings } from '../settings.ts'

export interface Claim {
  /** None of those that are started is 0. */
  readonly ports: Settings['ports']
  /** Lets go of the ports that were picked: until then nobody else gets them. */
  readonly release: () => Promise<void>
}

async function closed(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}

/** Throws `BadSetting` where the machine does not let a server have an address. */
export async function claim({ deployments, host, ports }: Settings): Promise<Claim> {
  const picked = { ...ports }
  const held: Server[] = []
  let released: Promise<unknown> | undefined
  const release = async (): Promise<void> => {
    released ??= Promise.all(held.map(closed))
    await released
  }
  for (const deployment of deployments) {
    const server = createServer((stranger) => stranger.destroy())
    try {
      server.listen(ports[deployment], host)
      await once(server, 'listening')
    } catch (error) {
      await release()
      throw refusedAddress(error, host, ports[deployment])
    }
    picked[deployment] = (server.address() as AddressInfo).port // it listens, and not on a path
    // A port that was named is known: clients may be trying it already, and are to find nobody rather than us.
    if (ports[deployment] === 0) held.push(server)
    else await closed(server)
  }
  return Object.freeze({ ports: Object.freeze(picked), release })
}
