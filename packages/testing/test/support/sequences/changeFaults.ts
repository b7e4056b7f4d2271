/** Faults of changes: what is lost, stored late, or stored elsewhere. */
import { every, type StateFault, update } from './fault.ts'
import type { Stone } from './stonesApi.ts'

export const changeFaults: readonly StateFault[] = [
  { sentence: 'PUT changes nothing', plant: () => update(() => undefined), rules: ['read-writes'] },
  {
    sentence: 'every fourth change is forgotten',
    plant: () => {
      const isForgotten = every(4)
      return update((_, stone) => (isForgotten() ? undefined : stone))
    },
    rules: ['read-writes'],
  },
  {
    sentence: 'a change is stored with the next one',
    plant: () => {
      let late: Stone | undefined
      return {
        update: (store, stone) => {
          if (late !== undefined && store.items.has(late.id)) store.items.set(late.id, late)
          late = stone
          return stone
        },
      }
    },
    rules: ['read-writes'],
  },
  {
    sentence: 'the second change of an item is forgotten',
    plant: () => update((_, stone, previous) => (previous.revision === 2 ? undefined : stone)),
    rules: ['read-writes'],
  },
  {
    sentence: 'PUT keeps a member that it should replace',
    plant: () => ({ replace: (stone, body) => ({ ...stone, ...body, hardness: stone.hardness, revision: stone.revision + 1 }) }),
    rules: ['read-writes'],
  },
  {
    sentence: 'PATCH drops the members that it does not name',
    plant: () => ({
      merge: ({ id, name, hardness, revision }, body) => ({ name, hardness, ...body, id, revision: revision + 1 }) as Stone,
    }),
    rules: ['unchanged-items'],
  },
  {
    sentence: 'PATCH ignores a member whose value is empty',
    plant: () => ({
      merge: (stone, body) => ({
        ...stone,
        ...Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')),
        revision: stone.revision + 1,
      }),
    }),
    rules: ['read-writes'],
  },
  {
    sentence: 'a change is made to the first item',
    plant: () => ({
      update: (store, stone) => {
        const first = [...store.items.keys()][0] ?? stone.id
        store.items.set(first, { ...stone, id: first })
        return stone
      },
    }),
    rules: ['read-writes', 'unchanged-items'],
  },
  {
    sentence: 'a change is made to all items of the same name',
    plant: () => ({
      update: (store, stone, previous) => {
        for (const [id, other] of store.items) if (other.hardness === previous.hardness) store.items.set(id, { ...other, name: stone.name })
        store.items.set(stone.id, stone)
        return stone
      },
    }),
    rules: ['unchanged-items'],
  },
  {
    sentence: 'POST changes the item before it',
    plant: () => ({
      insert: ({ items }, stone) => {
        const previous = items.get(stone.id - 1)
        if (previous !== undefined) items.set(previous.id, { ...previous, name: stone.name })
        items.set(stone.id, stone)
      },
    }),
    rules: ['unchanged-items', 'list-items'],
  },
  {
    sentence: 'POST stores the default of a member',
    plant: () => ({ insert: ({ items }, stone) => void items.set(stone.id, { ...stone, hardness: 5 }) }),
    rules: ['read-writes', 'unchanged-items'],
  },
  {
    sentence: 'POST returns another revision than GET',
    plant: () => ({ insert: ({ items }, stone) => void items.set(stone.id, { ...stone, revision: 0 }) }),
    rules: ['unchanged-items'],
  },
  {
    sentence: 'a GET changes the item',
    plant: () => ({
      read: ({ items }, id) => {
        const stone = items.get(id)
        if (stone !== undefined) items.set(id, { ...stone, hardness: (stone.hardness % 10) + 1 })
        return stone
      },
    }),
    rules: ['unchanged-items', 'read-writes'],
  },
  {
    sentence: 'a refused change is made',
    plant: () => ({
      isCurrent: (tag, etag, store, stone) => {
        const isRight = tag === '*' || tag === etag
        if (!isRight) store.items.set(stone.id, { ...stone, name: 'refused' })
        return isRight
      },
    }),
    rules: ['unchanged-items'],
  },
]
