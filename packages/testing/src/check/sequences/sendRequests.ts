/** Sends the requests of sequences: over the connections of several clients, within a budget, and with the rules about every exchange. */
import { BudgetExceeded } from '../checkRun.ts'
import { getStreamReadOptions, isWireResponse, type SendRequest, type WireRequest, type WireResponse } from '../exchange.ts'
import type { EndpointUnderTest, Invariant, RequestKind, ResponseLimits } from '../rule.ts'
import { signRequest } from '../signedRequest.ts'

/** A request with its response. */
export interface SentRequest {
  readonly subject: EndpointUnderTest
  readonly request: WireRequest
  readonly response: WireResponse
  readonly client: number
}

/** Thrown when a request of a sequence has no response. */
export class ResponseMissing extends Error {
  readonly request: WireRequest
  /** Whether the server went away, so that no other request gets a response. */
  readonly isOutage: boolean

  constructor(request: WireRequest, reason: string, isOutage = false) {
    super(reason)
    this.request = request
    this.isOutage = isOutage
  }
}

/** Sends requests, and tests the rules about every exchange. */
export interface SequenceSender {
  /**
   * @param streamMilliseconds how long a stream is read
   * @throws BudgetExceeded, ResponseMissing
   */
  readonly send: (subject: EndpointUnderTest, request: WireRequest, client: number, streamMilliseconds?: number) => Promise<SentRequest>
  /** Finds a broken rule about every exchange that the check does not know of yet. */
  readonly findViolation: (
    sent: SentRequest,
    kind: RequestKind,
  ) => Promise<{ readonly rule: Invariant; readonly violation: string } | undefined>
  readonly countRequests: () => number
}

interface SequenceSenderOptions {
  readonly senders: readonly SendRequest[]
  readonly invariants: readonly Invariant[]
  readonly limits: ResponseLimits
  /** The time of `performance.now()` at which the budget ends. */
  readonly deadline: number
  /** Whether the failure of a rule is known already. */
  readonly isKnown: (subject: EndpointUnderTest, rule: string) => boolean
}

/** How long a stream is read, in milliseconds. */
const sequenceStreamMilliseconds = 200

export function createSequenceSender({ senders, invariants, limits, deadline, isKnown }: SequenceSenderOptions): SequenceSender {
  let count = 0
  return {
    countRequests: () => count,
    send: async (subject, unsigned, client, streamMilliseconds = sequenceStreamMilliseconds) => {
      if (performance.now() > deadline) throw new BudgetExceeded()
      count += 1
      const request = signRequest(unsigned)
      const response = await senders[client % senders.length]?.(request, getStreamReadOptions(subject.endpoint, streamMilliseconds))
      if (response === undefined) throw new ResponseMissing(request, 'there is no client')
      if (!isWireResponse(response)) throw new ResponseMissing(request, response.reason, response.cause === 'unreachable')
      return { subject, request, response, client }
    },
    findViolation: async ({ subject, request, response }, kind) => {
      for (const rule of invariants) {
        if (isKnown(subject, rule.name)) continue
        const violation = await rule.check({ subject, kind, request, response, limits })
        if (violation !== undefined) return { rule, violation }
      }
      return undefined
    },
  }
}
