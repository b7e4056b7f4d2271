/** The process: it listens, and ends at a signal without losing a request. */
import { run } from 'lapidary/node'
import { createServer } from './server.ts'
import { createMemoryStore } from './store.ts'

const { HOST: host = '127.0.0.1', PORT: port = '3000' } = process.env

const store = createMemoryStore([
  { name: 'opal', hardness: 6 },
  { name: 'topaz', hardness: 8 },
])

const { url } = await run(createServer(store), { host, port: Number(port) })
process.stdout.write(`The API is at ${url}/stones, its documentation at ${url}/docs\n`)
