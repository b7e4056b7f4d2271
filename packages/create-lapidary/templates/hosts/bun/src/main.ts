/** The process: it listens, and ends at a signal without losing a request. */
import { listen } from 'lapidary/bun'
import { createServer } from './server.ts'
import { createMemoryStore } from './store.ts'

const { HOST: host = '127.0.0.1', PORT: port = '3000', NODE_ENV: mode } = process.env
// In production, a load balancer gets the time to send new requests elsewhere.
const drain = mode === 'production' ? 1_500 : 0

const store = createMemoryStore([
  { name: 'opal', hardness: 6 },
  { name: 'topaz', hardness: 8 },
])

const { url, close } = await listen(createServer(store), { host, port: Number(port) })
const end = () => close({ drain }).then(() => process.exit())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
process.stdout.write(`The API is at ${url}/stones, its documentation at ${url}/docs\n`)
