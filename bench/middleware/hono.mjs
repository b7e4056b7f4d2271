/** Hono with its own middleware. */
import { serve } from '@hono/node-server'
import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { logger } from 'hono/logger'
import { requestId } from 'hono/request-id'
import { secureHeaders } from 'hono/secure-headers'
import { timeout } from 'hono/timeout'
import { greeting, hundred } from '../servers/data.mjs'
import { ready } from '../servers/ready.mjs'
import { HelloQuery } from '../servers/schemas.mjs'
import { hasMiddleware, openLog, origin, timeLimit } from './usual.mjs'

const app = new Hono()
if (hasMiddleware) {
  const log = openLog()
  app.use(
    requestId(),
    logger((line) => log.write(`${line}\n`)),
    cors({ origin: [origin] }),
    secureHeaders(),
    timeout(timeLimit),
  )
}
app.get('/hello', zValidator('query', HelloQuery), (c) => c.json(greeting(c.req.valid('query').name)))
app.get('/hundred', (c) => c.json(hundred))

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => ready(port))
