/** What has to be so of a server: predicates, as plain values. */
import type { AnyEndpoint } from 'lapidary'
import type { Call } from '../generate/calls.ts'
import type { Exchange, WireRequest, WireResponse } from './exchange.ts'

/** One endpoint of the API that is checked. */
export interface EndpointUnderTest {
  /** The keys that lead to it: `users.item`. */
  readonly name: string
  readonly endpoint: AnyEndpoint
}

/**
 * How a request stands to the description: `valid`, everything in it is as declared; `refused`, something is not, and the server has to say so; `other`,
 * whatever else a predicate wants to know.
 */
export type RequestKind = 'valid' | 'refused' | 'other'

/** An exchange that had an answer, and what it was about. */
export interface ObservedExchange {
  readonly subject: EndpointUnderTest
  readonly kind: RequestKind
  readonly request: WireRequest
  readonly response: WireResponse
  readonly limits: ResponseLimits
}

/** What no answer may be over. */
export interface ResponseLimits {
  /** In bytes. */
  readonly size: number
  /** In milliseconds. */
  readonly time: number
}

/** What is wrong, in a sentence: `expected 404, got 200`. Undefined: nothing. */
export type Violation = string | undefined

/** Something that was asked for is not so. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed'
  readonly rule: string
  /** The exchange that shows it; undefined where none does by itself. */
  readonly exchange: Exchange | undefined

  constructor(predicate: string, message: string, exchange?: Exchange) {
    super(message)
    this.rule = predicate
    this.exchange = exchange
  }
}

/** What a predicate that asks by itself has at hand. */
export interface ProbeContext {
  readonly subject: EndpointUnderTest
  /** What the API has at the path of the endpoint, by method; itself included. */
  readonly siblings: ReadonlyMap<string, EndpointUnderTest>
  /** Sends a request, has every invariant look at the exchange, and gives the answer. @throws Broken */
  readonly send: (asked: WireRequest, kind: RequestKind, subject?: EndpointUnderTest) => Promise<WireResponse>
  /** The request of a call, with the credentials that were given. */
  readonly buildRequest: (call: Call, subject?: EndpointUnderTest) => Promise<WireRequest>
  /** The same property of many calls that the description allows; shrinks to the plainest that breaks it. @throws Broken */
  readonly forAll: (property: (call: Call) => Promise<void>) => Promise<void>
  /** Some calls that the description allows; of those of another endpoint at its path, too. */
  readonly sampleCalls: (count: number, subject?: EndpointUnderTest) => readonly Call[]
  /** Captures of what is known to be there, since an answer has linked to it. */
  readonly listKnownCaptures: (subject: EndpointUnderTest) => readonly Call['captures'][]
  /** What a GET leads to: the endpoint, and its captures; undefined where it is none of the API's. */
  readonly resolveUrl: (url: string) => { readonly subject: EndpointUnderTest; readonly captures: Call['captures'] } | undefined
  /** The endpoints that may create what this one answers with: POST, with a Location. */
  readonly findCreators: (subject: EndpointUnderTest) => readonly EndpointUnderTest[]
  /** Whether something else than endpoints answers at this target: a mount, or an endpoint of another method. */
  readonly isServedElsewhere: (target: string) => boolean
  /** Says what is not so; the exchange that came last shows it. @throws Broken */
  readonly fail: (complaint: string) => never
  /** Whether something answers where the description has nothing: documentation, an application of pages. */
  readonly fallback: boolean
  /** Whether requests may change what the server holds. */
  readonly write: boolean
  /** Whether requests to this endpoint are let in: it is open, or credentials were given. */
  readonly isAuthorized: boolean
}

/** Holds of every exchange. */
export interface Invariant {
  /** One word, for `--without`. */
  readonly name: string
  /** What has to be so. */
  readonly description: string
  readonly check: (observed: ObservedExchange) => Violation | Promise<Violation>
}

/** Holds of an endpoint, and asks to see it. */
export interface Probe {
  readonly name: string
  readonly description: string
  /** Whether there is anything to see at this endpoint, and it may be asked for. */
  readonly appliesTo: (probing: Pick<ProbeContext, 'subject' | 'siblings' | 'write' | 'isAuthorized' | 'fallback'>) => boolean
  readonly probe: (probing: ProbeContext) => Promise<void>
}

/** A predicate: of every exchange, or of an endpoint. Plain values, to be added to or left out. */
export type Rule = Invariant | Probe

export const isProbe = (predicate: Rule): predicate is Probe => 'probe' in predicate
