/** What the sequences and the clients of a check share. */
import type { CheckRun } from '../checkRun.ts'
import type { SendRequest } from '../exchange.ts'
import type { RuleFailure } from '../report.ts'
import type { EndpointUnderTest, Invariant, ResponseLimits, SequenceRule } from '../rule.ts'
import type { SequenceSender } from './sendRequests.ts'
import type { CallPool } from './step.ts'

/** How sequences are checked. */
export interface CheckSequencesOptions {
  readonly run: CheckRun
  readonly base: URL
  /** The endpoints that may be called. */
  readonly endpoints: readonly EndpointUnderTest[]
  /** Sends requests over the connections of one client each. */
  readonly senders: readonly SendRequest[]
  readonly rules: readonly SequenceRule[]
  readonly invariants: readonly Invariant[]
  readonly limits: ResponseLimits
  readonly seed: number
  /** The number of steps. */
  readonly steps: number
  readonly seconds: number
  /** The failures of the endpoints, which are not reported again. */
  readonly known: readonly RuleFailure[]
  readonly redact: (text: string) => string
}

/** What the sequences of a check share. */
export interface SequenceStage extends CheckSequencesOptions {
  readonly sender: SequenceSender
  readonly pool: CallPool
}
