/** Lapidary on its swift carrier. */
import { listen } from 'lapidary/swift'
import { app } from './apps/lapidary.mjs'
import { ready } from './ready.mjs'
import { rows } from './sqlite.mjs'

const { port, adapter: carrier } = await listen(app(rows), { port: 0 })
// Whoever measures this means that carrier and no other.
if (carrier !== 'swift') throw new Error(`This Node (${process.version}) has no parser for the swift carrier.`)
ready(port)
