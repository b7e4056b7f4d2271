/** Reserves ports before there are workers, so that all workers, later ones included, listen on the same ports. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { formatServerUrl } from '../adapters/runningServer.ts'

/** Where the workers listen. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
  /** The origin, such as `http://127.0.0.1:8081`. */
  readonly url: string
}

export interface ReservedPorts {
  /** None has port 0. */
  readonly addresses: Readonly<Record<string, ServerAddress>>
  /** Releases the ports that were picked for port 0. */
  readonly release: () => Promise<void>
}

async function closeServer(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}

/** Rejects with Node's error if an address is not available (`EADDRINUSE`, `EACCES`). */
export async function reservePorts(host: string, ports: Readonly<Record<string, number>>): Promise<ReservedPorts> {
  const addresses: Record<string, ServerAddress> = {}
  const holders: Server[] = []
  let released: Promise<unknown> | undefined
  const release = async (): Promise<void> => {
    released ??= Promise.all(holders.map(closeServer))
    await released
  }
  for (const [name, port] of Object.entries(ports)) {
    const server = createServer((socket) => socket.destroy())
    try {
      server.listen(port, host)
      await once(server, 'listening')
    } catch (error) {
      await release()
      throw error
    }
    const { address, port: actual } = server.address() as AddressInfo // it listens, and not on a path
    addresses[name] = Object.freeze({ host: address, port: actual, url: formatServerUrl(address, actual) })
    // A fixed port is only checked. Clients may try it already, and must not reach this server.
    if (port === 0) holders.push(server)
    else await closeServer(server)
  }
  return { addresses: Object.freeze(addresses), release }
}
