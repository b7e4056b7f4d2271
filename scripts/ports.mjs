// Finds free ports, for servers that restart on the same port.
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the ports of outgoing connections, which could otherwise take the port of a server that restarts.
const [lowest, highest] = [20_000, 32_000]

async function isFree(port) {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

const returned = new Set()

/** Returns a free port of 127.0.0.1, a different one at each call. */
export async function findFreePort() {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (returned.has(port) || !(await isFree(port))) continue
    returned.add(port)
    return port
  }
}
