export interface Stone {
  readonly id: number
  readonly name: string
  readonly hardness: number
  readonly cutAt: Date
}

export interface User {
  readonly name: string
  readonly role: 'reader' | 'keeper'
}

export const stones: Stone[] = [
  { id: 1, name: 'agate', hardness: 7, cutAt: new Date('2024-03-01T10:00:00Z') },
  { id: 2, name: 'talc', hardness: 1, cutAt: new Date('2025-06-15T08:30:00Z') },
]

export const users = new Map<string, User>([
  ['t-ann', { name: 'ann', role: 'keeper' }],
  ['t-ben', { name: 'ben', role: 'reader' }],
])

/** What the shop cannot do. It knows no HTTP. */
export class SoldError extends Error {}

const sold = new Set<number>()

export function sell(id: number): void {
  if (sold.has(id)) throw new SoldError(`Stone ${id} is sold already.`)
  sold.add(id)
}
