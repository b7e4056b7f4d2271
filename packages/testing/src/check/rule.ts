/** Rules: what a server has to do, as plain values. */
import type { AnyAuthScheme, AnyEndpoint, AnyReply } from 'lapidary'
import type { Call, Captures } from '../generate/calls.ts'
import type { WireRequest, WireResponse } from './exchange.ts'

/** One endpoint of the API that is checked. */
export interface EndpointUnderTest {
  /** The keys that lead to the endpoint: `users.item`. */
  readonly name: string
  readonly endpoint: AnyEndpoint
}

/** What a GET of a URL reaches. */
export interface ResolvedUrl {
  readonly subject: EndpointUnderTest
  readonly captures: Captures
}

/**
 * How a request relates to the description. `valid`: the request matches it. `invalid`: the request breaks it, and the server has to refuse
 * the request. `other`: a rule sends the request for another reason.
 */
export type RequestKind = 'valid' | 'invalid' | 'other'

/** An exchange that has a response, and the endpoint that it tests. */
export interface ObservedExchange {
  readonly subject: EndpointUnderTest
  readonly kind: RequestKind
  readonly request: WireRequest
  readonly response: WireResponse
  readonly limits: ResponseLimits
}

/** The limits of every response. */
export interface ResponseLimits {
  /** The largest body, in bytes. */
  readonly size: number
  /** The longest time until the last byte, in milliseconds. */
  readonly time: number
}

/** What is wrong, as a sentence: `expected 404, got 200`. `undefined`: nothing is wrong. */
export type Violation = string | undefined

/** Valid credentials, and all scopes that their user has. */
export interface ScopedCredentials {
  readonly credentials: unknown
  readonly scopes: readonly string[]
}

/** The functions and values that a probe can use. */
export interface ProbeContext {
  readonly subject: EndpointUnderTest
  /** The endpoints at the same path, by method, including the subject itself. */
  readonly siblings: ReadonlyMap<string, EndpointUnderTest>
  /**
   * Sends a request, tests every invariant on the exchange, and returns the response.
   *
   * @param fault what is wrong with the request: `least is "x"`
   * @param valid the call without the fault. If it gets a 5xx as well, sent right after the request, the fault explains none, and what the
   * probe reports of the response is left out.
   * @throws CheckFailed if there is no response, and within `forAll` for a broken invariant
   */
  readonly send: (
    request: WireRequest,
    kind: RequestKind,
    subject?: EndpointUnderTest,
    fault?: string,
    valid?: Call,
  ) => Promise<WireResponse>
  /** Whether credentials of a scheme were given. */
  readonly hasCredentials: (scheme: AnyAuthScheme) => boolean
  /** Lists the further credentials of a scheme, which were given with their scopes. */
  readonly listScopedCredentials: (scheme: AnyAuthScheme) => readonly ScopedCredentials[]
  /**
   * Builds the request of a call, with the given credentials of these schemes; the default is the first alternative that is complete.
   * `others` are credentials that replace the given ones, by the name of their scheme.
   */
  readonly buildRequest: (
    call: Call,
    subject?: EndpointUnderTest,
    schemes?: readonly AnyAuthScheme[],
    others?: Readonly<Record<string, unknown>>,
  ) => Promise<WireRequest>
  /** Tests a property for many valid calls, and reduces a failing call to the simplest one. @throws CheckFailed */
  readonly forAll: (property: (call: Call) => Promise<void>) => Promise<void>
  /** Returns some valid calls, always the same ones. */
  readonly sampleCalls: (count: number, subject?: EndpointUnderTest) => readonly Call[]
  /** Lists captures of resources that exist, because a response has linked to them. */
  readonly listKnownCaptures: (subject: EndpointUnderTest) => readonly Captures[]
  /** Finds the endpoint that a GET of this URL reaches; `undefined` if the API has none there. */
  readonly resolveUrl: (url: string) => ResolvedUrl | undefined
  /** Finds the endpoints that may create what the subject returns: POST with a Location. */
  readonly findCreators: (subject: EndpointUnderTest) => readonly EndpointUnderTest[]
  /** Whether a mount or an endpoint of another method is at this target. */
  readonly isServedElsewhere: (target: string) => boolean
  /** Whether a request to this target gets to the subject. */
  readonly isReachedBy: (target: string) => boolean
  /** Reports a violation, with the last exchange, and ends the probe. @throws CheckFailed */
  readonly fail: (violation: string) => never
  /**
   * Reports a violation, with the last exchange. The probe goes on.
   *
   * @param fault what is wrong with the request: `least is "x"`
   */
  readonly report: (violation: string, fault?: string) => void
  /** Whether the server also responds at paths that the description does not have, such as documentation or pages. */
  readonly fallback: boolean
  /** Whether an invalid request may get any status from 400 to 499. */
  readonly lenient: boolean
  /** Whether requests may change data of the server. */
  readonly write: boolean
  /** Whether the endpoint is public, or credentials for it were given. */
  readonly isAuthorized: boolean
}

/** A rule about every exchange. */
export interface Invariant {
  /** A short name, for `--without`. */
  readonly name: string
  /** What has to be true, as a sentence. */
  readonly description: string
  /**
   * What of a response it judges. `status`: whether it is the right response at all; the first such rule that is broken makes the others moot,
   * and all about a reply. `reply`: the parts of the declared response; of an undeclared one there is nothing to compare.
   *
   * @default anything else, which is judged in any case
   */
  readonly judges?: 'status' | 'reply'
  readonly check: (exchange: ObservedExchange) => Violation | Promise<Violation>
}

/** A rule about an endpoint, which sends its own requests. */
export interface Probe {
  /** A short name, for `--without`. */
  readonly name: string
  /** What has to be true, as a sentence. */
  readonly description: string
  /** Whether the rule concerns this endpoint and its requests are allowed. */
  readonly appliesTo: (context: ProbeTarget) => boolean
  readonly probe: (context: ProbeContext) => Promise<void>
}

/** A rule about several requests in a row, or about those of several clients at once. The option `steps` of a check tests it. */
export interface SequenceRule {
  /** A short name, for `--without`. */
  readonly name: string
  /** What has to be true, as a sentence. */
  readonly description: string
  /** What tests it: one sequence of requests, or several clients. */
  readonly scope: 'sequence' | 'clients'
}

/** The conditions under which a probe applies to an endpoint. */
export type ProbeTarget = Pick<ProbeContext, 'subject' | 'siblings' | 'write' | 'isAuthorized' | 'fallback'>

/** A rule that a server has to keep, as a plain value: pass some of `rules`, or your own, to `checkServer`. */
export type Rule = Invariant | Probe | SequenceRule

export const isProbe = (rule: Rule): rule is Probe => 'probe' in rule
export const isInvariant = (rule: Rule): rule is Invariant => 'check' in rule
export const isSequenceRule = (rule: Rule): rule is SequenceRule => 'scope' in rule

/** The safe methods of the registry of IANA that an endpoint can have. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'QUERY', 'PROPFIND', 'REPORT', 'SEARCH'])

/** Whether a method only reads (RFC 9110 §9.2.1). */
export const isSafeMethod = (method: string): boolean => safeMethods.has(method)

/** Whether the method of an endpoint only reads. */
export const isSafeEndpoint = ({ endpoint: { method } }: EndpointUnderTest): boolean => isSafeMethod(method)

/** Lists the replies and the errors of an endpoint, and those that the server adds to a download. */
export function listReplies(endpoint: AnyEndpoint): readonly AnyReply[] {
  const { responses, errors } = endpoint.download ?? endpoint
  return [...responses, ...errors]
}

/** Whether a valid request may reach the handler of the endpoint. */
export const canReachHandler = ({ subject, write, isAuthorized }: Pick<ProbeTarget, 'subject' | 'write' | 'isAuthorized'>): boolean =>
  isAuthorized && (write || isSafeEndpoint(subject))
