/** The parts of a fault: a change of a response, and its condition. */
import type { CheckServerOptions } from '@lapidary/testing'

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
export type Change = (response: Whole, seen: Seen, again: (words: Partial<Words>) => Promise<Whole>) => Whole | Promise<Whole>

/** What a repeated request may change. */
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
  /** What the check needs to find it, besides the options of all. */
  readonly options?: CheckServerOptions
  readonly change: Change
}

const nameOf = (name: string) => (line: readonly [string, string]) => line[0].toLowerCase() === name.toLowerCase()
export const valueIn = ({ headers }: Whole, name: string): string | undefined => headers.find(nameOf(name))?.[1]

/** The faults of some topics. */
export type Faults = Readonly<Record<string, readonly Fault[]>>

export const without = (name: string, response: Whole): Whole => ({
  ...response,
  headers: response.headers.filter((line) => !nameOf(name)(line)),
})
export const having = (name: string, value: string, response: Whole): Whole => ({
  ...response,
  headers: [...response.headers.filter((line) => !nameOf(name)(line)), [name, value]],
})
export const saying = (status: number, response: Whole): Whole => ({ ...response, status })
export const plain = (status: number, body: string, type = 'application/json'): Whole => ({
  status,
  headers: [['Content-Type', type]],
  body,
})
export const textOf = ({ body }: Whole): string => (typeof body === 'string' ? body : new TextDecoder().decode(body ?? undefined))
// biome-ignore lint/suspicious/noExplicitAny: any response of the service
export const json = (response: Whole, change: (value: any) => unknown): Whole => ({
  ...response,
  body: JSON.stringify(change(JSON.parse(textOf(response)))),
})

export type When = (response: Whole, seen: Seen) => boolean
export const on =
  (when: When, change: Change): Change =>
  (response, seen, again) =>
    when(response, seen) ? change(response, seen, again) : response

export const status =
  (...statuses: readonly number[]): When =>
  (response) =>
    statuses.includes(response.status)
export const requested =
  (method: string, target: RegExp): When =>
  (_, seen) =>
    seen.method === method && target.test(seen.target)
export const both =
  (...all: readonly When[]): When =>
  (response, seen) =>
    all.every((when) => when(response, seen))

export const oneUser = /^\/users\/\d+$/
export const lies =
  (type: string): Change =>
  (response) =>
    having('Content-Type', type, response)
