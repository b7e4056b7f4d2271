/** Starts the server. Its settings are the environment variables below. */
import { mkdir } from 'node:fs/promises'
import { kyselyIdempotencyStore } from 'lapidary/kysely'
import { run } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { createWebhookSecret } from 'lapidary/webhooks'
import { api } from './api.ts'
import { createAuthenticators, identify } from './auth.ts'
import { createHandlers } from './handlers.ts'
import { createLimiter } from './limiter.ts'
import { openStore } from './store.ts'
import { startWebhooks } from './webhooks.ts'

const {
  PORT = '3000',
  DATABASE = 'helpdesk.db',
  FILES: folder = 'files',
  /** What the provider of e-mail signs with. Without it, no mail is received. */
  EMAIL_SECRET = createWebhookSecret(),
  TICKETS_PER_MINUTE = '60',
  /** Whether webhooks may go to this machine and its network. */
  ALLOW_PRIVATE_URLS = 'no',
} = process.env

await mkdir(folder, { recursive: true })
const store = openStore(DATABASE)
const webhooks = startWebhooks(store.database, { allowsPrivate: ALLOW_PRIVATE_URLS === 'yes' })
const limiter = createLimiter(Number(TICKETS_PER_MINUTE))

const server = serve(api, await createHandlers({ store, webhooks, limiter, folder }), {
  auth: createAuthenticators(store.database, EMAIL_SECRET),
  idempotency: { identify, store: kyselyIdempotencyStore(store.database) },
})
const { url } = await run(server, {
  port: Number(PORT),
  requestTimeout: 120_000,
  onClose: [() => webhooks.close(), () => store.database.destroy()],
})
process.stdout.write(`${url}/docs\n`)
