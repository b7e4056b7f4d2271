/** One change between two descriptions of an API, and what it does to whom. */

/** `unknownJudgement`: it depends on what no description says. */
export type Compatibility = 'breaking' | 'safe' | 'unknown'

/** One change. Plain data. */
export interface Change {
  /** The name of the endpoint or mount: the new one, where it has got another. */
  readonly endpoint: string
  /** Where in it: `query limit`, `body /name`, `response 200 body /age`. Empty: all of it. */
  readonly place: string
  readonly change: 'added' | 'removed' | 'changed' | 'moved' | 'renamed'
  /** What becomes of programs that were written against the old description and call a server of the new one. */
  readonly clients: Compatibility
  /** What becomes of programs that were written against the new description and call a server of the old one. */
  readonly servers: Compatibility
  /** Why, in one sentence: about the clients where it is not safe for them, else about the servers. */
  readonly reason: string
}

/** A change, before it is known which endpoint it is in. */
export type Finding = Omit<Change, 'endpoint'>

/** Whose description a program was written against. */
export type Age = 'old' | 'new'

/** Who calls, and who answers. */
export interface Sides {
  readonly caller: Age
  readonly server: Age
}

/** What comes of it when the one calls the other. */
export interface Judgement {
  readonly verdict: Compatibility
  readonly reason: string
}

/** Judges one part of two descriptions: that of the caller and that of the server. */
export type Judge<Part> = (caller: Part, server: Part, sides: Sides) => Judgement

export const safeJudgement = (reason: string): Judgement => ({ verdict: 'safe', reason })
export const breakingJudgement = (reason: string): Judgement => ({ verdict: 'breaking', reason })
export const unknownJudgement = (reason: string): Judgement => ({ verdict: 'unknown', reason })

/** A change, judged both ways: old clients call new servers, and new clients old ones. */
export function createFinding<Part>(place: string, change: Change['change'], old: Part, now: Part, judge: Judge<Part>): Finding {
  const forward = judge(old, now, { caller: 'old', server: 'new' })
  const backward = judge(now, old, { caller: 'new', server: 'old' })
  const telling = forward.verdict === 'safe' && backward.verdict !== 'safe' ? backward : forward
  return { place, change, clients: forward.verdict, servers: backward.verdict, reason: telling.reason }
}

/** Whether something came, went or became something else. */
export const getChangeKind = (old: unknown, now: unknown): Change['change'] =>
  (old ?? undefined) === undefined ? 'added' : (now ?? undefined) === undefined ? 'removed' : 'changed'

/** What a record has under a name; never what it inherits, as `constructor` would be. */
export const getOwn = <Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** The names of two records, in the order of the alphabet. */
export const listNames = (old: object, now: object): readonly string[] => [...new Set([...Object.keys(old), ...Object.keys(now)])].sort()
