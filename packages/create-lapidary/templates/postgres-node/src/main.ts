/** The process: it listens, and ends at a signal without losing a request. */
import { run } from 'lapidary/node'
import { openDatabase } from './database.ts'
import { createServer } from './server.ts'

const {
  DATABASE_URL: databaseUrl = 'postgres://postgres:postgres@127.0.0.1:5432/postgres',
  HOST: host = '127.0.0.1',
  PORT: port = '3000',
  NODE_ENV: mode,
} = process.env
// In production, a load balancer gets the time to send new requests elsewhere.
const drain = mode === 'production' ? 1_500 : 0

const store = await openDatabase(databaseUrl)

const { url } = await run(createServer(store), { host, port: Number(port), drain, onClose: store.close })
process.stdout.write(`The API is at ${url}/stones, its documentation at ${url}/docs\n`)
