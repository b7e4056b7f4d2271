/** A fault of state: what a server forgets, keeps too long, or mixes up. */
import type { StoneParts, StoneStore } from './stoneServer.ts'
import type { Stone } from './stonesApi.ts'

/** A fault: a sentence, creates the wrong parts, and the rules that may find it. */
export interface StateFault {
  readonly sentence: string
  readonly plant: () => Partial<StoneParts>
  readonly rules: readonly string[]
  /** The number of clients that it takes. */
  readonly clients?: number
}

/** Returns a function that is true at every `count`th call. */
export const every = (count: number): (() => boolean) => {
  let calls = 0
  return () => {
    calls += 1
    return calls % count === 0
  }
}

/** Replaces how a changed stone is stored: `change` returns the stone to store, or nothing. The response shows the change. */
export const update = (change: (store: StoneStore, stone: Stone, previous: Stone) => Stone | undefined): Partial<StoneParts> => ({
  update: (store, stone, previous) => {
    const kept = change(store, stone, previous)
    if (kept !== undefined) store.items.set(stone.id, kept)
    return stone
  },
})
