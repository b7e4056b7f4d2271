/** A server of one stream of events. `{ publish: true }` sends an event to every client; it replies to each message with its memory and CPU time. */
import { endpoint, events, ok } from 'lapidary'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { z } from 'zod'
import { ready } from '../servers/ready.mjs'

const Stone = z.object({ name: z.string(), carat: z.number() })
const api = { changes: endpoint('GET /changes', { response: ok(events({ cut: Stone }, { heartbeat: Number(process.argv[2]) })) }) }

/** @type {Set<() => void>} */
const waiting = new Set()
let stone = { name: 'opal', carat: 0 }

const server = serve(api, {
  changes: async function* (_input, { signal }) {
    while (!signal.aborted) {
      await new Promise((resolve) => {
        const wake = () => resolve(waiting.delete(wake))
        waiting.add(wake)
        signal.addEventListener('abort', wake, { once: true })
      })
      if (!signal.aborted) yield { event: 'cut', data: stone }
    }
  },
})
const { port } = await listen(server, { maxConnections: 20_000 })

process.on('message', ({ publish }) => {
  if (publish) {
    stone = { ...stone, carat: stone.carat + 1 }
    for (const wake of [...waiting]) wake()
  }
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  process.send?.({ open: waiting.size, rss: process.memoryUsage().rss, heap: process.memoryUsage().heapUsed, cpu: (user + system) / 1_000 })
})
ready(port)
