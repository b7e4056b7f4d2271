/** The process: it listens, and ends at a signal without losing a request. */
import { run } from 'lapidary/node'
import { createServer } from './server.ts'
import { createMemoryStore } from './store.ts'

const { HOST: host = '127.0.0.1', PORT: port = '3000', NODE_ENV: mode } = process.env
// In production, a load balancer gets the time to send new requests elsewhere.
const drain = mode === 'production' ? 1_500 : 0

const store = createMemoryStore([
  { name: 'opal', hardness: 6 },
  { name: 'topaz', hardness: 8 },
])

const { url } = await run(createServer(store), { host, port: Number(port), drain })
process.stdout.write(`The API is at ${url}/stones, its documentation at ${url}/docs\n`)
