/** Faults of what exists: caches, forgotten deletes, identifiers that are used again. */
import type { StateFault } from './fault.ts'
import { every } from './fault.ts'
import type { StoneParts } from './stoneServer.ts'
import type { Stone } from './stonesApi.ts'

/** A cache of stones that changes do not clear. */
function cache(isCleared: (method: 'update' | 'remove') => boolean): Partial<StoneParts> {
  const known = new Map<number, Stone>()
  return {
    read: ({ items }, id) => {
      const stone = known.get(id) ?? items.get(id)
      if (stone !== undefined) known.set(id, stone)
      return stone
    },
    update: (store, stone) => {
      if (isCleared('update')) known.delete(stone.id)
      store.items.set(stone.id, stone)
      return stone
    },
    remove: (store, id) => {
      if (isCleared('remove')) known.delete(id)
      store.items.delete(id)
    },
  }
}

export const identityFaults: readonly StateFault[] = [
  { sentence: 'a cache is not cleared by a change', plant: () => cache((method) => method === 'remove'), rules: ['read-writes'] },
  { sentence: 'a cache is not cleared by DELETE', plant: () => cache((method) => method === 'update'), rules: ['deleted-items'] },
  {
    sentence: 'a missing item is cached, and stays missing',
    plant: () => {
      const missing = new Set<number>()
      return {
        read: ({ items }, id) => {
          if (!items.has(id)) missing.add(id)
          return missing.has(id) ? undefined : items.get(id)
        },
        newId: (store) => (missing.size > 0 ? Math.max(...missing) : store.lastId + 1),
      }
    },
    rules: ['created-items', 'new-identifiers'],
  },
  {
    sentence: 'a list is cached until the next POST',
    plant: () => {
      let known: readonly Stone[] | undefined
      return {
        list: (store) => {
          known ??= [...store.items.values()]
          return known
        },
        insert: (store, stone) => {
          known = undefined
          store.items.set(stone.id, stone)
        },
      }
    },
    rules: ['list-items', 'deleted-items'],
  },
  {
    sentence: 'a list is cached, and a POST does not clear it',
    plant: () => {
      let known: readonly Stone[] | undefined
      return {
        list: (store) => {
          known ??= [...store.items.values()]
          return known
        },
        update: (store, stone) => {
          known = undefined
          store.items.set(stone.id, stone)
          return stone
        },
        remove: ({ items }, id) => {
          known = undefined
          items.delete(id)
        },
      }
    },
    rules: ['list-items'],
  },
  { sentence: 'DELETE changes nothing', plant: () => ({ remove: () => {} }), rules: ['deleted-items'] },
  {
    sentence: 'every third DELETE changes nothing',
    plant: () => {
      const isForgotten = every(3)
      return { remove: ({ items }, id) => void (isForgotten() || items.delete(id)) }
    },
    rules: ['deleted-items'],
  },
  {
    sentence: 'DELETE removes the item from the list alone',
    plant: () => {
      const hidden = new Set<number>()
      return { remove: (_, id) => void hidden.add(id), list: ({ items }) => [...items.values()].filter(({ id }) => !hidden.has(id)) }
    },
    rules: ['deleted-items'],
  },
  {
    sentence: 'the list still shows deleted items',
    plant: () => {
      const all = new Map<number, Stone>()
      return {
        list: ({ items }) => [...new Map([...all, ...items]).values()],
        remove: ({ items }, id) => {
          all.set(id, items.get(id) as Stone)
          items.delete(id)
        },
      }
    },
    rules: ['deleted-items'],
  },
  {
    sentence: 'DELETE removes the next item as well',
    plant: () => ({
      remove: ({ items }, id) => {
        items.delete(id)
        items.delete(id + 1)
      },
    }),
    rules: ['created-items', 'list-items'],
  },
  {
    sentence: 'the identifier of a deleted item is used again',
    plant: () => ({ newId: ({ items }) => Math.max(0, ...items.keys()) + 1 }),
    rules: ['new-identifiers'],
  },
  {
    sentence: 'the identifier is the number of items',
    plant: () => ({ newId: ({ items }) => items.size + 1 }),
    rules: ['new-identifiers'],
  },
  {
    sentence: 'identifiers wrap around after three',
    plant: () => {
      let last = 0
      return {
        newId: () => {
          last = (last % 3) + 1
          return last
        },
      }
    },
    rules: ['new-identifiers'],
  },
]
