/** Faults that only several clients see. */
import type { StateFault } from './fault.ts'
import type { Stone } from './stonesApi.ts'

export const clientFaults: readonly StateFault[] = [
  {
    sentence: 'each connection has a cache of its own',
    plant: () => {
      const known = new Map<string, Stone>()
      return {
        read: ({ items }, id, client) => {
          const key = `${client} ${id}`
          const stone = known.get(key) ?? items.get(id)
          if (stone !== undefined && items.has(id)) known.set(key, stone)
          return items.has(id) ? stone : undefined
        },
        update: (store, stone) => {
          for (const key of known.keys()) if (key.startsWith('0 ')) known.delete(key)
          store.items.set(stone.id, stone)
          return stone
        },
      }
    },
    rules: ['read-writes', 'one-order'],
    clients: 4,
  },
]
