/** What a check has found at one endpoint: each cause once. */
import { decodeUtf8 } from 'lapidary/internal'
import type { Call } from '../generate/calls.ts'
import { isWithin, type Places, toCause, toPlace } from './cause.ts'
import { type Exchange, isWireResponse, type WireResponse } from './exchange.ts'
import { formatCurl, formatResponse } from './formatExchange.ts'
import { type FoundFailure, ObservedStatuses } from './refusal.ts'
import type { RuleFailure } from './report.ts'
import { formatResponseCause } from './responseCause.ts'
import type { EndpointUnderTest, Rule } from './rule.ts'
import { noServerErrorRule } from './rules/status.ts'

/** The number of causes of one rule that are reported for one endpoint. */
const maxCauses = 5

/** A broken rule, and the exchange that shows it. */
export interface FoundViolation {
  readonly rule: string
  readonly message: string
  readonly exchange: Exchange | undefined
  /** What is wrong with the request, if a rule has sent it for that: `least is "x"`. */
  readonly fault?: string | undefined
  /** The call of the request, if the request differs in nothing else, or in its fault alone: what the call has may be the cause. */
  readonly call?: Call | undefined
}

/** Thrown when a rule is broken and the probe, or the call of a property, cannot go on. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed'
  /** What is wrong with the last exchange. */
  readonly violations: readonly [FoundViolation, ...FoundViolation[]]

  constructor(...violations: readonly [FoundViolation, ...FoundViolation[]]) {
    super(violations[0].message)
    this.violations = violations
  }
}

const getPlace = ({ fault }: FoundViolation): string | undefined => (fault === undefined ? undefined : toPlace(fault))

/** The whole sentence. */
const formatViolation = ({ message, fault }: FoundViolation): string => (fault === undefined ? message : `${fault}: ${message}`)

/** A cause that is known: at a place that a rule has tested, or where a valid call differs from the simplest one. Neither: anywhere. */
interface KnownCause {
  readonly errorText: string | undefined
  readonly place: string | undefined
  readonly differences: Places | undefined
}

interface FindingsOptions {
  readonly subject: EndpointUnderTest
  readonly rules: readonly Rule[]
  readonly base: URL
  readonly redact: (text: string) => string
  readonly findDifferences: (call: Call) => Places
}

const findResponse = (exchange: Exchange | undefined): WireResponse | undefined =>
  exchange !== undefined && isWireResponse(exchange.response) ? exchange.response : undefined

/** What the responses to requests say. Each is compared several times. */
const errorTexts = new WeakMap<Exchange, string>()

/**
 * What a failing server says: an undeclared 500 has another cause if it says something else. Empty for other violations.
 *
 * @returns `undefined` for a response to HEAD: it cannot say anything
 */
function getErrorText({ rule, exchange }: FoundViolation, redact: (text: string) => string): string | undefined {
  const response = findResponse(exchange)
  if (rule !== noServerErrorRule.name || exchange === undefined || response === undefined) return ''
  if (exchange.request.method === 'HEAD') return undefined
  const errorText = errorTexts.get(exchange) ?? formatResponseCause(exchange.request, decodeUtf8(response.body) ?? '', redact)
  errorTexts.set(exchange, errorText)
  return errorText
}

/** Identifies a violation by its rule and what is wrong. */
const getKey = ({ rule, message }: FoundViolation): string => `${rule}: ${toCause(message)}`

const isSameErrorText = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other

/** The results of the rules so far. */
export class EndpointFindings {
  readonly failures: FoundFailure[] = []
  readonly failedRules: Set<string> = new Set()
  /** The rules that were broken only by exchanges that break another rule already: they are neither kept nor reported. */
  readonly mootRules: Set<string> = new Set()
  readonly testedRules: Set<string> = new Set()
  readonly statuses: ObservedStatuses = new ObservedStatuses()
  readonly #known = new Map<string, KnownCause[]>()
  readonly #options: FindingsOptions

  constructor(options: FindingsOptions) {
    this.#options = options
  }

  /** Whether two violations are of the same cause, wherever it is. */
  hasSameCause(one: FoundViolation, other: FoundViolation): boolean {
    return getKey(one) === getKey(other) && isSameErrorText(this.#getErrorText(one), this.#getErrorText(other))
  }

  #getErrorText(found: FoundViolation): string | undefined {
    return getErrorText(found, this.#options.redact)
  }

  /** The places at which the call of a request to this endpoint differs from the simplest one. */
  #findDifferences({ call }: FoundViolation): Places | undefined {
    return call && this.#options.findDifferences(call)
  }

  /** Whether a known cause explains a violation. */
  isKnown(found: FoundViolation): boolean {
    const errorText = this.#getErrorText(found)
    const known = (this.#known.get(getKey(found)) ?? []).filter((cause) => isSameErrorText(cause.errorText, errorText))
    if (known.length === 0) return false
    const [place, differences] = [getPlace(found), this.#findDifferences(found)]
    return known.some((cause) => {
      if (cause.place !== undefined && place !== undefined) return cause.place === place
      if (cause.differences !== undefined && differences !== undefined) return isWithin(cause.differences, differences)
      return place === undefined
    })
  }

  /** Records that a cause explains a violation. */
  explain(found: FoundViolation): void {
    const [key, place] = [getKey(found), getPlace(found)]
    // A fault of a request is a place of its own, wherever the rest of the request differs.
    const differences = place === undefined ? this.#findDifferences(found) : undefined
    this.#known.set(key, [...(this.#known.get(key) ?? []), { errorText: this.#getErrorText(found), place, differences }])
  }

  /**
   * Records a violation, if its cause is new.
   *
   * @param shrinks the number of simpler requests that were tried
   */
  add(found: FoundViolation, shrinks = 0): void {
    const { rule, exchange } = found
    // The server went away after an exchange that is reported.
    const isOutage = exchange !== undefined && 'cause' in exchange.response && exchange.response.cause === 'unreachable'
    if (isOutage && this.failedRules.has(rule)) return
    this.failedRules.add(rule)
    if (this.isKnown(found)) return
    this.explain(found)
    const shown = this.failures.flatMap(({ failure }) => (failure.rule === rule ? [failure] : []))
    const last = shown.at(-1)
    if (last !== undefined && shown.length >= maxCauses) last.more += 1
    else this.failures.push({ status: findResponse(exchange)?.status, failure: this.#toFailure(found, shrinks) })
  }

  #toFailure(found: FoundViolation, shrinks: number): RuleFailure {
    const { rule, exchange } = found
    const { subject, rules, base, redact } = this.#options
    const violation = formatViolation(found)
    const place = getPlace(found)
    return {
      rule,
      cause: redact(
        [`${rule}:`, ...(place === undefined ? [] : [`${place}:`]), toCause(found.message), this.#getErrorText(found) ?? '']
          .join(' ')
          .trim(),
      ),
      description: rules.find(({ name }) => name === rule)?.description ?? '',
      endpoint: subject.name,
      route: subject.endpoint.route,
      violation: redact(violation),
      curl: exchange === undefined ? null : redact(formatCurl(exchange.request, base)),
      response: exchange === undefined ? null : redact(formatResponse(exchange)),
      shrinks,
      steps: [],
      script: null,
      more: 0,
    }
  }
}
