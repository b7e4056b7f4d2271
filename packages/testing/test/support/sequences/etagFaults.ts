/** Faults of ETags and conditions, of keys, and of lists. */
import type { StateFault } from './fault.ts'
import { rightParts } from './stoneServer.ts'
import type { Stone } from './stonesApi.ts'

export const etagFaults: readonly StateFault[] = [
  { sentence: 'the ETag is that of the identifier', plant: () => ({ etag: ({ id }) => `"${id}"` }), rules: ['new-etags'] },
  {
    sentence: 'the ETag does not depend on every member',
    plant: () => ({ etag: ({ id, name }) => `"${id}-${Buffer.from(name).toString('hex')}"` }),
    rules: ['new-etags'],
  },
  {
    sentence: 'the ETag changes with every request',
    plant: () => ({ etag: (_, { requests }) => `"${requests}"` }),
    rules: ['same-etags', 'conditions'],
  },
  {
    sentence: 'the ETag changes with every other item',
    plant: () => ({ etag: ({ id, revision }, { items }) => `"${id}-${revision}-${items.size}"` }),
    rules: ['same-etags', 'conditions'],
  },
  { sentence: 'If-Match accepts every ETag', plant: () => ({ isCurrent: () => true }), rules: ['conditions'] },
  {
    sentence: 'If-Match accepts the ETag before the last change',
    plant: () => {
      const before = new Map<number, string>()
      return {
        isCurrent: (tag, etag, _, { id }) => tag === '*' || tag === etag || tag === before.get(id),
        update: (store, stone, previous) => {
          before.set(stone.id, rightParts.etag(previous, store))
          store.items.set(stone.id, stone)
          return stone
        },
      }
    },
    rules: ['conditions'],
  },
  {
    sentence: 'If-Match refuses the ETag after a change',
    plant: () => ({ isCurrent: (tag, etag, _, { revision }) => tag === '*' || (tag === etag && revision === 1) }),
    rules: ['conditions'],
  },
  {
    sentence: 'If-None-Match gets 304 for an earlier ETag',
    plant: () => {
      const all = new Map<number, Set<string>>()
      return {
        etag: (stone, store) => {
          const etag = rightParts.etag(stone, store)
          all.set(stone.id, (all.get(stone.id) ?? new Set()).add(etag))
          return etag
        },
        isFresh: (tag, _etag, _store, { id }) => all.get(id)?.has(tag) === true,
      }
    },
    rules: ['conditions'],
  },
  { sentence: 'a key has a second effect', plant: () => ({ findReplay: () => undefined }), rules: ['repeated-posts'] },
  {
    sentence: 'a key is forgotten after the next POST',
    plant: () => ({
      findReplay: ({ replays }, key) => {
        const known = replays.get(key)
        replays.clear()
        return known
      },
    }),
    rules: ['repeated-posts'],
  },
  {
    sentence: 'a key gets the response of another one',
    plant: () => ({ findReplay: ({ replays }, key) => (replays.has(key) ? [...replays.values()].at(-1) : undefined) }),
    rules: ['repeated-posts'],
  },
  {
    sentence: 'a list leaves out the last item',
    plant: () => ({ list: ({ items }) => [...items.values()].slice(0, -1) }),
    rules: ['list-items'],
  },
  {
    sentence: 'a list has a changed item twice',
    plant: () => ({ list: ({ items }) => [...items.values()].flatMap((stone) => (stone.revision > 1 ? [stone, stone] : [stone])) }),
    rules: ['list-items'],
  },
  {
    sentence: 'a list shows the first version of an item',
    plant: () => {
      const first = new Map<number, Stone>()
      return {
        insert: (store, stone) => {
          first.set(stone.id, stone)
          store.items.set(stone.id, stone)
        },
        list: ({ items }) => [...items.values()].map((stone) => first.get(stone.id) ?? stone),
      }
    },
    rules: ['list-items'],
  },
]
