/** Lapidary on its llhttp adapter. */
import { listen } from '@lapidary/llhttp'
import { app } from './apps/lapidary.mjs'
import { ready } from './ready.mjs'
import { rows } from './sqlite.mjs'

const { port, adapter } = await listen(app(rows), { port: 0 })
// This measures the llhttp adapter, and not the one that it falls back to.
if (adapter !== 'llhttp') throw new Error(`This Node (${process.version}) has no parser for the llhttp adapter.`)
ready(port)
