/** Hono on its adapter for node:http. */
import { serve } from '@hono/node-server'
import { app } from './apps/hono.mjs'
import { ready } from './ready.mjs'
import { rows } from './sqlite.mjs'

serve({ fetch: app(rows).fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => ready(port))
