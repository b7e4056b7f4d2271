/** Lapidary on Bun, on its own adapter. */
import { listen } from 'lapidary/bun'
import { app } from '../apps/lapidary.mjs'
import { ready } from '../ready.mjs'
import { rows } from './sqlite.mjs'

const { port } = await listen(app(rows))
ready(port)
