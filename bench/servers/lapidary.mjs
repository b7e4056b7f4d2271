/** Lapidary on node:http. */
import { listen } from 'lapidary/node'
import { app } from './apps/lapidary.mjs'
import { ready } from './ready.mjs'
import { rows } from './sqlite.mjs'

const { port } = await listen(app(rows), { port: 0 })
ready(port)
