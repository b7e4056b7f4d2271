/** What has to be so of a server: predicates, as plain values. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Call } from '../generate/calls.ts'
import type { Answered, Asked, Exchange } from './exchange.ts'

/** One endpoint of the API that is checked. */
export interface Subject {
  /** The keys that lead to it: `users.item`. */
  readonly name: string
  readonly endpoint: AnyEndpoint
}

/**
 * How a request stands to the description: `valid`, everything in it is as declared; `refused`, something is not, and the server has to say so; `other`,
 * whatever else a predicate wants to know.
 */
export type Kind = 'valid' | 'refused' | 'other'

/** An exchange that had an answer, and what it was about. */
export interface Observed {
  readonly subject: Subject
  readonly kind: Kind
  readonly asked: Asked
  readonly answered: Answered
  readonly limits: Limits
}

/** What no answer may be over. */
export interface Limits {
  /** In bytes. */
  readonly size: number
  /** In milliseconds. */
  readonly time: number
}

/** What is wrong, in a sentence: `expected 404, got 200`. Undefined: nothing. */
export type Complaint = string | undefined

/** Something that was asked for is not so. */
export class Broken extends Error {
  override readonly name = 'Broken'
  readonly predicate: string
  /** The exchange that shows it; undefined where none does by itself. */
  readonly exchange: Exchange | undefined

  constructor(predicate: string, message: string, exchange?: Exchange) {
    super(message)
    this.predicate = predicate
    this.exchange = exchange
  }
}

/** What a predicate that asks by itself has at hand. */
export interface Probing {
  readonly subject: Subject
  /** What the API has at the path of the endpoint, by method; itself included. */
  readonly siblings: ReadonlyMap<string, Subject>
  /** Sends a request, has every invariant look at the exchange, and gives the answer. @throws Broken */
  readonly ask: (asked: Asked, kind: Kind, subject?: Subject) => Promise<Answered>
  /** The request of a call, with the credentials that were given. */
  readonly request: (call: Call, subject?: Subject) => Promise<Asked>
  /** The same property of many calls that the description allows; shrinks to the plainest that breaks it. @throws Broken */
  readonly forAll: (property: (call: Call) => Promise<void>) => Promise<void>
  /** Some calls that the description allows; of those of another endpoint at its path, too. */
  readonly calls: (count: number, subject?: Subject) => readonly Call[]
  /** Captures of what is known to be there, since an answer has linked to it. */
  readonly known: (subject: Subject) => readonly Call['captures'][]
  /** What a GET leads to: the endpoint, and its captures; undefined where it is none of the API's. */
  readonly leads: (url: string) => { readonly subject: Subject; readonly captures: Call['captures'] } | undefined
  /** The endpoints that may create what this one answers with: POST, with a Location. */
  readonly creators: (subject: Subject) => readonly Subject[]
  /** Whether something else than endpoints answers at this target: a mount, or an endpoint of another method. */
  readonly isElsewhere: (target: string) => boolean
  /** Says what is not so; the exchange that came last shows it. @throws Broken */
  readonly complain: (complaint: string) => never
  /** Whether something answers where the description has nothing: documentation, an application of pages. */
  readonly fallback: boolean
  /** Whether requests may change what the server holds. */
  readonly write: boolean
  /** Whether requests to this endpoint are let in: it is open, or credentials were given. */
  readonly isAdmitted: boolean
}

/** Holds of every exchange. */
export interface Invariant {
  /** One word, for `--without`. */
  readonly name: string
  /** What has to be so. */
  readonly sentence: string
  readonly each: (observed: Observed) => Complaint | Promise<Complaint>
}

/** Holds of an endpoint, and asks to see it. */
export interface Probe {
  readonly name: string
  readonly sentence: string
  /** Whether there is anything to see at this endpoint, and it may be asked for. */
  readonly isAbout: (probing: Pick<Probing, 'subject' | 'siblings' | 'write' | 'isAdmitted' | 'fallback'>) => boolean
  readonly probe: (probing: Probing) => Promise<void>
}

/** A predicate: of every exchange, or of an endpoint. Plain values, to be added to or left out. */
export type Predicate = Invariant | Probe

export const isProbe = (predicate: Predicate): predicate is Probe => 'probe' in predicate
