/** Faults that only several clients see. */
import type { StateFault } from './fault.ts'
import { rightParts } from './stoneServer.ts'
import type { Stone } from './stonesApi.ts'

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds))

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
  {
    sentence: 'the condition is tested before another change is made',
    plant: () => ({ beforeChange: () => pause(3) }),
    rules: ['one-order'],
    clients: 4,
  },
  {
    sentence: 'a PATCH writes the members that it has read before',
    plant: () => {
      return {
        update: async (store, stone, previous) => {
          await pause(3)
          store.items.set(stone.id, { ...stone, revision: previous.revision + 1 })
          return stone
        },
      }
    },
    rules: ['one-order'],
    clients: 4,
  },
  {
    sentence: 'a change is stored in two parts',
    plant: () => ({
      update: async (store, stone) => {
        const before = store.items.get(stone.id)
        if (before !== undefined) store.items.set(stone.id, { ...before, name: stone.name })
        await pause(3)
        if (store.items.has(stone.id)) store.items.set(stone.id, stone)
        return stone
      },
    }),
    rules: ['one-order'],
    clients: 4,
  },
  {
    sentence: 'a change is stored after its response',
    plant: () => ({
      update: (store, stone) => {
        setTimeout(() => void (store.items.has(stone.id) && store.items.set(stone.id, stone)), 3)
        return stone
      },
    }),
    rules: ['one-order', 'read-writes'],
    clients: 4,
  },
  {
    sentence: 'a change that is late brings a deleted item back',
    plant: () => ({
      update: async (store, stone) => {
        await pause(3)
        store.items.set(stone.id, stone)
        return stone
      },
    }),
    rules: ['one-order'],
    clients: 4,
  },
  {
    sentence: 'the pages are numbered by position, and a DELETE moves them',
    plant: () => ({
      list: ({ items }) => [...items.values()].toSorted((one, other) => other.id - one.id),
      page: (stones, cursor, limit) => {
        const start = Number(cursor)
        return { page: stones.slice(start, start + limit), next: start + limit < stones.length ? `${start + limit}` : undefined }
      },
    }),
    rules: ['walks'],
    clients: 4,
  },
  {
    sentence: 'a list is empty while an item is created',
    plant: () => {
      let isBusy = false
      return {
        insert: (store, stone) => {
          rightParts.insert(store, stone)
          isBusy = true
          setTimeout(() => {
            isBusy = false
          }, 3)
        },
        list: ({ items }) => (isBusy ? [] : [...items.values()]),
      }
    },
    rules: ['walks', 'list-items'],
    clients: 4,
  },
  {
    sentence: 'the same POST at once has several effects',
    plant: () => ({
      findReplay: async (store, key) => {
        await pause(3)
        return rightParts.findReplay(store, key)
      },
      beforeCreate: () => pause(3),
    }),
    rules: ['parallel-posts'],
    clients: 4,
  },
  {
    sentence: 'a resumed stream begins with its last event again',
    plant: () => ({ listEvents: (store, after) => rightParts.listEvents(store, after - 1) }),
    rules: ['resumed-streams'],
    clients: 2,
  },
  {
    sentence: 'a resumed stream leaves out an event',
    plant: () => {
      let last = 0
      return {
        listEvents: (store, after) => {
          const events = rightParts.listEvents(store, after)
          const isResumed = after < last
          last = Math.max(last, after)
          return isResumed ? events.slice(1) : events
        },
      }
    },
    rules: ['resumed-streams'],
    clients: 2,
  },
  {
    sentence: 'a resumed stream has only new events',
    plant: () => ({ resumeFrom: ({ log }) => log.length }),
    rules: ['resumed-streams'],
    clients: 2,
  },
]
