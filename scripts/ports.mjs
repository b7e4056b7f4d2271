// Free ports for servers that are started again on the same one.
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below those that outgoing connections are given, or one of them could sit on the port of a server that is just away.
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

const given = new Set()

/** A port of 127.0.0.1 that nobody listens on, a different one at each call. */
export async function freePort() {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
}
