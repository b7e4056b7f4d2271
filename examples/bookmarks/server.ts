/** Starts the server. Its settings are `PORT` and `DATABASE`. */
import { run } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { api } from './api.ts'
import { authenticators, identify } from './auth.ts'
import { createHandlers } from './handlers.ts'
import { openStore } from './store.ts'
import { startWork } from './work.ts'

const { PORT = '3000', DATABASE = 'bookmarks.db' } = process.env
const store = openStore(DATABASE)
const server = serve(api, createHandlers(store, startWork(store)), { auth: authenticators(store), idempotency: { identify } })
const { url } = await run(server, { port: Number(PORT) })
process.stdout.write(`${url}\n`)
