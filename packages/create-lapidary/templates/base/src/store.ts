/** Where the stones are: in memory, until the process ends. Another store has the same functions, and a database behind them. */
import type { KeysetSource } from 'lapidary/pagination'
import type { NewStone, Stone } from './schemas.ts'

export interface Store {
  /** What pages of stones are read from: all stones, or a query of a database. */
  readonly stones: () => readonly Stone[] | KeysetSource<Stone, 'name' | 'hardness'>
  readonly find: (id: number) => Promise<Stone | undefined>
  readonly add: (stone: NewStone) => Promise<Stone>
  /** Changes a stone. `check` sees the present one first, and throws where it is not the one that the client knows. */
  readonly change: (id: number, stone: NewStone, check: (present: Stone) => void) => Promise<Stone | undefined>
  /** Resolves to whether there was such a stone. */
  readonly remove: (id: number, check: (present: Stone) => void) => Promise<boolean>
}

export function createMemoryStore(initial: readonly NewStone[] = []): Store {
  const stones = new Map<number, Stone>()
  let lastId = 0

  function add(stone: NewStone): Stone {
    lastId += 1
    const added = { ...stone, id: lastId }
    stones.set(lastId, added)
    return added
  }
  for (const stone of initial) add(stone)

  return {
    stones: () => [...stones.values()],
    find: async (id) => stones.get(id),
    add: async (stone) => add(stone),
    change: async (id, stone, check) => {
      const present = stones.get(id)
      if (present === undefined) return undefined
      check(present)
      const changed = { ...stone, id }
      stones.set(id, changed)
      return changed
    },
    remove: async (id, check) => {
      const present = stones.get(id)
      if (present !== undefined) check(present)
      return stones.delete(id)
    },
  }
}
