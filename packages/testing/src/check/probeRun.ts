/** One probe of an endpoint while it runs: its requests, the invariants on each exchange, and what it reports. */
import * as fc from 'fast-check'
import type { Call } from '../generate/calls.ts'
import { type CallComparison, toCause } from './cause.ts'
import { BudgetExceeded, type CheckRun } from './checkRun.ts'
import { type Exchange, isWireResponse } from './exchange.ts'
import { CheckFailed, type EndpointFindings, type FoundViolation } from './findings.ts'
import { maxKnownCaptures } from './knownIds.ts'
import type { EndpointUnderTest, Invariant, ObservedExchange, Probe, ProbeContext, ScopedCredentials } from './rule.ts'
import { completeRule, statusRule } from './rules/status.ts'
import { signRequest } from './signedRequest.ts'

/** How an endpoint is checked. */
export interface CheckEndpointOptions {
  readonly run: CheckRun
  readonly base: URL
  readonly invariants: readonly Invariant[]
  readonly probes: readonly Probe[]
  readonly write: boolean
  /** The number of valid calls for each property. */
  readonly callCount: number
  readonly fallback: boolean
  readonly lenient: boolean
  /** Further valid credentials, by the name of their auth scheme. */
  readonly scopedCredentials: Readonly<Record<string, readonly ScopedCredentials[]>>
  /** Replaces the secrets in a text. */
  readonly redact: (text: string) => string
}

/** Thrown when an endpoint does not respond in time: every further request would wait as long. */
export class EndpointUnresponsive extends Error {}

/** Thrown when a probe ends with what follows from a failure that is reported already. */
export class ProbeEnded extends Error {}

/** Whether the response to a request did not arrive in time. */
export const isTimeout = (exchange: Exchange | undefined, { limits }: CheckRun): boolean => {
  if (exchange === undefined) return false
  const { response } = exchange
  return isWireResponse(response) ? !response.complete && response.milliseconds > limits.time : response.cause === 'timeout'
}

/** How many causes of a property are reduced to the simplest request. */
const maxReductions = 6

/** One probe of an endpoint while it runs. */
export class ProbeRun {
  readonly probe: Probe
  readonly findings: EndpointFindings
  readonly subject: EndpointUnderTest
  readonly #comparison: CallComparison
  readonly #options: CheckEndpointOptions
  /** Whether a new cause is thrown, so that its call is reduced. */
  #isReducing = false
  /** Whether calls of a property are tested. */
  #isInProperty = false
  #lastExchange: Exchange | undefined
  /** Whether the last exchange has the wrong status, and this is reported. */
  #isWrongStatus = false
  /** The wrong status of the last exchange, as long as it is not reported: the probe may say more of it. */
  #deferred: FoundViolation | undefined
  /** The places whose faults explain a 5xx. */
  readonly #causes = new Set<string>()
  /** The number of simpler requests that were tried for the last failure. */
  shrinks = 0

  constructor(
    probe: Probe,
    subject: EndpointUnderTest,
    findings: EndpointFindings,
    comparison: CallComparison,
    options: CheckEndpointOptions,
  ) {
    this.probe = probe
    this.findings = findings
    this.subject = subject
    this.#comparison = comparison
    this.#options = options
  }

  /** Sends a request and tests the invariants on the exchange. */
  readonly send: ProbeContext['send'] = async (unsigned, kind, subject = this.subject, fault, valid) => {
    const { run } = this.#options
    this.flush()
    const request = signRequest(subject === this.subject ? unsigned : { ...unsigned, call: undefined })
    const response = await run.send(request, subject)
    const exchange: Exchange = { request, response }
    this.#lastExchange = exchange
    this.#isWrongStatus = false
    if (!isWireResponse(response))
      throw new CheckFailed({ rule: completeRule.name, message: response.reason, exchange, fault, call: request.call })
    if (subject === this.subject && request.method === subject.endpoint.method)
      this.findings.statuses.add(this.probe, kind, response.status)
    if (valid !== undefined && response.status >= 500 && !(await this.#isCause(fault, valid, subject))) {
      this.#isWrongStatus = true
      return response
    }
    const violations = await this.#findViolations({ subject, kind, request, response, limits: run.limits }, fault)
    // A request that the server accepts by mistake must not lead to further resources.
    if (violations.length === 0 && this.#deferred === undefined && kind === 'valid') run.learnFrom(request, response)
    if (this.#isReducing) {
      const [first, ...others] = violations.filter((found) => !this.findings.isKnown(found))
      if (first !== undefined) throw new CheckFailed(first, ...others)
    } else {
      for (const found of violations) this.findings.add(found)
      if (isTimeout(exchange, run)) throw new EndpointUnresponsive()
    }
    return response
  }

  /** Whether a fault explains a 5xx: the same request without it gets none. What is wrong with the response to that request is reported. */
  async #isCause(fault: string | undefined, valid: Call, subject: EndpointUnderTest): Promise<boolean> {
    const { run } = this.#options
    const place = fault === undefined ? undefined : toCause(fault)
    if (place !== undefined && this.#causes.has(place)) return true
    const request = signRequest(await run.buildRequest(subject, valid))
    const response = await run.send(request, subject)
    if (!isWireResponse(response) || response.status < 500) {
      if (place !== undefined) this.#causes.add(place)
      return true
    }
    this.#lastExchange = { request, response }
    if (subject === this.subject) this.findings.statuses.add(this.probe, 'valid', response.status)
    const violations = await this.#findViolations({ subject, kind: 'valid', request, response, limits: run.limits }, undefined)
    this.flush()
    for (const found of violations) this.findings.add(found)
    return false
  }

  /** Tests the invariants. What follows from another violation of the same exchange is left out. */
  async #findViolations(observed: ObservedExchange, fault: string | undefined): Promise<readonly FoundViolation[]> {
    const violations: FoundViolation[] = []
    const { testedRules, mootRules } = this.findings
    for (const rule of this.#options.invariants) {
      if (this.#isWrongStatus && rule.judges === 'reply') continue
      const message = await rule.check(observed)
      if (message === undefined) {
        testedRules.add(rule.name)
        continue
      }
      if (this.#isWrongStatus && rule.judges === 'status') {
        mootRules.add(rule.name)
        continue
      }
      // What is wrong with a reply does not depend on the fault of the request.
      const own = rule.judges === 'status' || rule === completeRule ? fault : undefined
      const call = own !== undefined || this.#isInProperty ? this.#lastExchange?.request.call : undefined
      const found: FoundViolation = { rule: rule.name, message, exchange: this.#lastExchange, fault: own, call }
      if (rule === statusRule && !this.#isReducing && !this.findings.isKnown(found)) this.#deferred = found
      else violations.push(found)
      this.#isWrongStatus ||= rule.judges === 'status'
    }
    return violations
  }

  /** Reports the wrong status of the last exchange, which the probe has not reported in its own words. */
  flush(): void {
    if (this.#deferred !== undefined) this.findings.add(this.#deferred)
    this.#deferred = undefined
  }

  /** The violation of the probe itself; `undefined` if it follows from the status of the last exchange, which is reported. */
  #toOwn(message: string, fault?: string): FoundViolation | undefined {
    const { mootRules } = this.findings
    if (this.#isWrongStatus && this.#deferred === undefined) {
      mootRules.add(this.probe.name)
      return undefined
    }
    if (this.#deferred !== undefined) mootRules.add(this.#deferred.rule)
    this.#deferred = undefined
    return {
      rule: this.probe.name,
      message,
      exchange: this.#lastExchange,
      fault,
      call: fault === undefined && !this.#isInProperty ? undefined : this.#lastExchange?.request.call,
    }
  }

  readonly report: ProbeContext['report'] = (message, fault) => {
    const found = this.#toOwn(message, fault)
    if (found !== undefined && this.#isReducing) throw new CheckFailed(found)
    if (found !== undefined) this.findings.add(found)
  }

  readonly fail: ProbeContext['fail'] = (message) => {
    const found = this.#toOwn(message)
    if (found === undefined) throw new ProbeEnded()
    throw new CheckFailed(found)
  }

  /** Tests a property for many calls. Each new cause is reduced to its simplest call; then the calls after it are tested. */
  readonly forAll: ProbeContext['forAll'] = async (property) => {
    this.#isInProperty = true
    try {
      await this.#testProperty(property)
    } finally {
      this.#isInProperty = false
    }
  }

  async #testProperty(property: (call: Call) => Promise<void>): Promise<void> {
    const { run, callCount } = this.#options
    const calls = fc.tuple(run.getCalls(this.subject), fc.nat(2 * maxKnownCaptures))
    let tested = 0
    for (let reductions = 0; ; reductions += 1) {
      this.#isReducing = reductions < maxReductions
      let position = -1
      let first: FoundViolation | undefined
      let hasOthers = false
      let isOver = false
      const testCall = async ([call, number]: readonly [Call, number]): Promise<void> => {
        if (isOver || run.isOverBudget() || run.isEndless(this.subject)) return
        if (first === undefined) {
          position += 1
          // An earlier round has tested it.
          if (position < tested) return
        }
        try {
          await property(run.knownIds.reuseCaptures(this.subject, call, number))
        } catch (error) {
          if (error instanceof BudgetExceeded || error instanceof ProbeEnded) return
          if (!(error instanceof CheckFailed)) throw error
          const { violations } = error
          const isNew = violations.some((found) => !this.findings.isKnown(found))
          // Simpler requests would time out as well.
          isOver = run.isUnreachable() || isTimeout(violations[0].exchange, run)
          if (!this.#isReducing || !isNew) {
            this.#collect(violations)
            return
          }
          hasOthers ||= first === undefined && violations.length > 1
          first ??= violations[0]
          const reduced = first
          // While a failure is reduced, those of other causes are left for the next round.
          if (violations.some((found) => this.findings.hasSameCause(found, reduced))) throw error
          // A server that closes a connection may not do it again: it may have died.
          if (violations[0].rule === completeRule.name) this.#collect(violations)
        }
      }
      const outcome = await fc.check(fc.asyncProperty(calls, testCall), { seed: run.getSeed(this.subject), numRuns: callCount })
      const error: unknown = outcome.errorInstance
      if (outcome.failed && !(error instanceof CheckFailed)) throw error
      if (error instanceof CheckFailed && first !== undefined)
        await this.#addSimplest(isOver ? undefined : property, first, error, outcome.numShrinks)
      this.#isReducing = false
      if (isOver) throw new EndpointUnresponsive()
      if (run.isOverBudget()) throw new BudgetExceeded()
      if (!outcome.failed) return
      tested = position + (hasOthers ? 0 : 1)
    }
  }

  /** Makes a failing call simpler, one place after the other, and adds what the simplest one shows. */
  async #addSimplest(
    property: ((call: Call) => Promise<void>) | undefined,
    first: FoundViolation,
    reduced: CheckFailed,
    shrinks: number,
  ): Promise<void> {
    const { run } = this.#options
    let best = reduced
    let tries = shrinks
    const { call } = best.violations[0].exchange?.request ?? {}
    const places = call === undefined || property === undefined ? [] : [...this.#comparison.findDifferences(call)]
    for (const place of places) {
      const current = best.violations[0].exchange?.request.call
      const simpler = current && this.#comparison.simplify(current, place)
      if (simpler === undefined || run.isOverBudget() || run.isUnreachable()) continue
      tries += 1
      try {
        await property?.(simpler)
      } catch (error) {
        if (error instanceof CheckFailed && error.violations.some((found) => this.findings.hasSameCause(found, first))) best = error
        else if (error instanceof CheckFailed) this.#collect(error.violations)
        else if (!(error instanceof BudgetExceeded || error instanceof ProbeEnded)) throw error
      }
    }
    this.#isReducing = false
    this.#collect(best.violations, tries)
    this.findings.explain(first)
  }

  #collect(violations: readonly FoundViolation[], shrinks = 0): void {
    for (const found of violations) this.findings.add(found, shrinks)
  }
}
