/** Hono on Bun. */
import { app } from '../apps/hono.mjs'
import { ready } from '../ready.mjs'
import { rows } from './sqlite.mjs'

const { port } = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app(rows).fetch })
ready(port)
