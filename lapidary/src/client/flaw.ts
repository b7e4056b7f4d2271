/** What is wrong with a body, in words: those of its schema, since a client need not carry a second set. */
import type { ToParseError } from '../describe/decode.ts'
import * as failure from '../describe/failure.ts'
import { encodePointerStep, ParseError } from '../describe/refusal.ts'

/** The issues of a schema, as they are. */
export const toBodyParseError: ToParseError = (issues) =>
  new ParseError(
    issues.map(({ message, path = [] }) => ({
      pointer: path.map((step) => encodePointerStep(typeof step === 'object' ? step.key : step)).join(''),
      detail: message,
    })),
  )

/** The first flaw of a refused body; `place` is where in the answer the refused value stands. */
export function describeBodyIssue({ issues: [first] }: ParseError, place = ''): string {
  return failure.responseBodyIssue(place + (first?.pointer ?? ''), first?.detail ?? '')
}
