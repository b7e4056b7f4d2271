/** What is wrong with a body, in words: those of its schema, since a client need not carry a second set. */
import type { Refuse } from '../describe/decode.ts'
import * as failure from '../describe/failure.ts'
import { pointerStep, Refusal } from '../describe/refusal.ts'

/** The issues of a schema, as they are. */
export const refusedBody: Refuse = (issues) =>
  new Refusal(
    issues.map(({ message, path = [] }) => ({
      pointer: path.map((step) => pointerStep(typeof step === 'object' ? step.key : step)).join(''),
      detail: message,
    })),
  )

/** The first flaw of a refused body; `place` is where in the answer the refused value stands. */
export function flawIn({ flaws: [first] }: Refusal, place = ''): string {
  return failure.body(place + (first?.pointer ?? ''), first?.detail ?? '')
}
