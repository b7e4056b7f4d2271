/** Reserves the port of each deployment before there are workers, so that all workers, later ones included, listen on the same ports. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { addressError } from '../listen.ts'
import type { Settings } from '../settings.ts'

export interface ReservedPorts {
  /** No started deployment has port 0. */
  readonly ports: Settings['ports']
  /** Releases the ports that were picked for port 0. */
  readonly release: () => Promise<void>
}

async function closeServer(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}

/** Throws `SettingError` if an address is not available. */
export async function reservePorts({ deployments, host, ports }: Settings): Promise<ReservedPorts> {
  const reserved = { ...ports }
  const holders: Server[] = []
  let released: Promise<unknown> | undefined
  const release = async (): Promise<void> => {
    released ??= Promise.all(holders.map(closeServer))
    await released
  }
  for (const deployment of deployments) {
    const server = createServer((socket) => socket.destroy())
    try {
      server.listen(ports[deployment], host)
      await once(server, 'listening')
    } catch (error) {
      await release()
      throw addressError(error, host, ports[deployment])
    }
    reserved[deployment] = (server.address() as AddressInfo).port // it listens, and not on a path
    // A fixed port is only checked. Clients may try it already, and must not reach this server.
    if (ports[deployment] === 0) holders.push(server)
    else await closeServer(server)
  }
  return { ports: Object.freeze(reserved), release }
}
