/** Elysia on Bun, for which it is made. */
import { app } from '../apps/elysia.mjs'
import { ready } from '../ready.mjs'
import { rows } from './sqlite.mjs'

app(rows).listen({ port: 0, hostname: '127.0.0.1' }, ({ port }) => ready(port))
