/** What a sequence of requests has shown: a broken rule, and what a script can test to see whether the fault is still there. */
import type { SequenceRule } from '../rule.ts'

/** What has to be true of the last response of a script. */
export type Expectation =
  | { readonly kind: 'status'; readonly statuses: readonly number[]; readonly isAllowed: boolean }
  /** `entry`: the item whose entry of a list has the member. */
  | { readonly kind: 'member'; readonly name: string; readonly value: unknown; readonly isEqual: boolean; readonly entry?: number }
  | { readonly kind: 'entry'; readonly item: number; readonly count: 0 | 1 }
  | { readonly kind: 'identifier'; readonly item: number; readonly isEqual: boolean }
  | { readonly kind: 'header'; readonly name: string; readonly value: string; readonly isEqual: boolean }

/** A broken rule. */
export interface SequenceFinding {
  readonly rule: Pick<SequenceRule, 'name' | 'description'>
  /** What is wrong, as a sentence. */
  readonly message: string
  /** `undefined`: a script cannot test it. */
  readonly expectation: Expectation | undefined
}

export const expectStatus = (...statuses: readonly number[]): Expectation => ({ kind: 'status', statuses, isAllowed: true })
export const refuseStatus = (...statuses: readonly number[]): Expectation => ({ kind: 'status', statuses, isAllowed: false })
