/** Lapidary on Bun: its web-standard face, as `export default { fetch }` would hand it over, where the port is not told. */
import { app } from '../apps/lapidary.mjs'
import { ready } from '../ready.mjs'
import { rows } from './sqlite.mjs'

const { port } = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app(rows).fetch })
ready(port)
