/** The parts of a fault: a change of a response, and its condition. */

/** An answer that is there as a whole. */
export interface Whole {
  status: number
  headers: [name: string, value: string][]
  body: string | Uint8Array | null
}

/** A request as a fault looks at it. */
export interface Seen {
  readonly method: string
  readonly target: string
  readonly header: (name: string) => string | undefined
}

/** Changes an answer, or gives another one; `again` asks the service once more, with other words. */
export type Change = (answer: Whole, seen: Seen, again: (words: Partial<Words>) => Promise<Whole>) => Whole | Promise<Whole>

/** What may be said otherwise. */
export interface Words {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** One fault. */
export interface Fault {
  /** What is wrong with the service: `405 without Allow`. */
  readonly sentence: string
  /** The endpoints where it shows. */
  readonly only: readonly string[]
  readonly change: Change
}

const nameOf = (name: string) => (line: readonly [string, string]) => line[0].toLowerCase() === name.toLowerCase()
export const valueIn = ({ headers }: Whole, name: string): string | undefined => headers.find(nameOf(name))?.[1]

/** The faults of some topics. */
export type Faults = Readonly<Record<string, readonly Fault[]>>

export const without = (name: string, answer: Whole): Whole => ({
  ...answer,
  headers: answer.headers.filter((line) => !nameOf(name)(line)),
})
export const having = (name: string, value: string, answer: Whole): Whole => ({
  ...answer,
  headers: [...answer.headers.filter((line) => !nameOf(name)(line)), [name, value]],
})
export const saying = (status: number, answer: Whole): Whole => ({ ...answer, status })
export const plain = (status: number, body: string, type = 'application/json'): Whole => ({
  status,
  headers: [['Content-Type', type]],
  body,
})
export const textOf = ({ body }: Whole): string => (typeof body === 'string' ? body : new TextDecoder().decode(body ?? undefined))
// biome-ignore lint/suspicious/noExplicitAny: any response of the service
export const json = (answer: Whole, change: (value: any) => unknown): Whole => ({
  ...answer,
  body: JSON.stringify(change(JSON.parse(textOf(answer)))),
})

export type When = (answer: Whole, seen: Seen) => boolean
export const on =
  (when: When, change: Change): Change =>
  (answer, seen, again) =>
    when(answer, seen) ? change(answer, seen, again) : answer

export const status =
  (...statuses: readonly number[]): When =>
  (answer) =>
    statuses.includes(answer.status)
export const asked =
  (method: string, target: RegExp): When =>
  (_, seen) =>
    seen.method === method && target.test(seen.target)
export const both =
  (...all: readonly When[]): When =>
  (answer, seen) =>
    all.every((when) => when(answer, seen))

export const oneUser = /^\/users\/\d+$/
export const lies =
  (type: string): Change =>
  (answer) =>
    having('Content-Type', type, answer)
