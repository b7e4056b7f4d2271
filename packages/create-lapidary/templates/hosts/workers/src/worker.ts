/** The worker. Each isolate has a memory of its own: a store in D1 or KV keeps the stones. */
import { createServer } from './server.ts'
import { createMemoryStore } from './store.ts'

const store = createMemoryStore([
  { name: 'opal', hardness: 6 },
  { name: 'topaz', hardness: 8 },
])
const { fetch } = createServer(store)

export default { fetch } satisfies ExportedHandler
