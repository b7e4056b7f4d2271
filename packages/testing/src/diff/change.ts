/** One change between two descriptions of an API, and what it does to clients and servers. */
import type { Witness } from './witness/witness.ts'

/** The effect of a change. `unknown`: the effect depends on facts that the descriptions do not contain. */
export type Compatibility = 'breaking' | 'safe' | 'unknown'

/** One change. Plain data. */
export interface Change {
  /** The name of the endpoint or mount; if it has been renamed, the new name. Of a webhook: `webhook order.paid`. */
  readonly endpoint: string
  /** The place in the endpoint: `query limit`, `body /name`, `response 200 body /age`. Empty: all of it. */
  readonly place: string
  /** What kind of change it is. */
  readonly change: 'added' | 'removed' | 'changed' | 'moved' | 'renamed'
  /** What it does to programs of the old description that call a server of the new one. */
  readonly clients: Compatibility
  /** What it does to programs of the new description that call a server of the old one. */
  readonly servers: Compatibility
  /** The reason, in one sentence: the reason for `clients` if `clients` is not safe, else the reason for `servers`. */
  readonly reason: string
  /** What shows it, where it breaks programs of the direction that `reason` is about. Absent: nothing breaks, or no message shows it. */
  readonly witness?: Witness
}

/** What is known of a change that breaks programs. */
export interface Evidence {
  /** The description of the programs that break. */
  readonly caller: Age
  /** The value at the place that one side writes and the other does not accept; undefined where it is not about a value. */
  readonly counterexample: { readonly value: unknown } | undefined
}

/** A change without the name of its endpoint. */
export interface Finding extends Omit<Change, 'endpoint' | 'witness'> {
  /** Undefined: it breaks no programs. */
  readonly evidence?: Evidence
}

/** The description that a program was written for. */
export type Age = 'old' | 'new'

/** The descriptions of the caller and of the server. */
export interface Sides {
  readonly caller: Age
  readonly server: Age
}

/** What a change does where the caller calls the server. */
export interface Judgement {
  readonly compatibility: Compatibility
  readonly reason: string
  /** A value that one side writes and the other does not accept. */
  readonly counterexample?: { readonly value: unknown }
}

/** Judges one part of two descriptions: that of the caller and that of the server. */
export type Judge<Part> = (caller: Part, server: Part, sides: Sides) => Judgement

export const safeJudgement = (reason: string): Judgement => ({ compatibility: 'safe', reason })
/** @param counterexample a value that one side writes and the other does not accept */
export const breakingJudgement = (reason: string, counterexample?: Judgement['counterexample']): Judgement => ({
  compatibility: 'breaking',
  reason,
  ...(counterexample && { counterexample }),
})
export const unknownJudgement = (reason: string): Judgement => ({ compatibility: 'unknown', reason })

/** Creates a change, judged both ways: old clients call new servers, and new clients call old servers. */
export function createFinding<Part>(place: string, change: Change['change'], old: Part, now: Part, judge: Judge<Part>): Finding {
  const forward = judge(old, now, { caller: 'old', server: 'new' })
  const backward = judge(now, old, { caller: 'new', server: 'old' })
  const isBackward = forward.compatibility === 'safe' && backward.compatibility !== 'safe'
  const { reason, compatibility, counterexample } = isBackward ? backward : forward
  const evidence: Evidence = { caller: isBackward ? 'new' : 'old', counterexample }
  const finding = { place, change, clients: forward.compatibility, servers: backward.compatibility, reason }
  return compatibility === 'breaking' ? { ...finding, evidence } : finding
}

/** Whether a part was added, removed or changed. */
export const getChangeKind = (old: unknown, now: unknown): Change['change'] =>
  (old ?? undefined) === undefined ? 'added' : (now ?? undefined) === undefined ? 'removed' : 'changed'

/** The own member of a record; never an inherited one, such as `constructor`. */
export const getOwn = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** The names of two records, sorted. */
export const listNames = (old: object, now: object): readonly string[] => [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()
