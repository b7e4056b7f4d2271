/** `checkSubschema(a, b)`: whether every value of one JSON Schema is a value of another; and if not, one that is not. */
import type { JsonSchema } from 'lapidary'
import { limitSteps } from './budget.ts'
import { createCandidates, sampleSchema } from './candidates.ts'
import type { CompareContext } from './compareContext.ts'
import { unfoldSchema } from './compareContext.ts'
import { isSubschema } from './isSubschema.ts'
import { type InstanceIssue, validateInstance } from './validateInstance.ts'

/** What was found out. */
export type SubschemaResult =
  | { readonly is: 'yes' }
  | {
      readonly is: 'no'
      /** A value of the one that is none of the other. */
      readonly instance: unknown
      /** Where in it, and why. */
      readonly flaw: InstanceIssue
    }
  | { readonly is: 'unknown' }

/** How many values are tried. */
const maxTries = 3_000
/** What trying them may cost. */
const maxSearchSteps = 200_000

/** Of those that are made for the purpose there may be very many. */
function* limitCandidates(one: JsonSchema, other: JsonSchema, roots: CompareContext['roots']): Generator<unknown> {
  let left = maxTries
  for (const candidate of createCandidates(one, other, roots)) {
    if (left === 0) break
    left -= 1
    yield candidate
  }
  yield* sampleSchema(unfoldSchema(one, roots[0]), roots[0])
}

/** Short ones say more; and of equals, those of letters and digits. */
const weighInstance = (value: unknown): number => {
  const text = JSON.stringify(value) ?? ''
  return text.length + (/^[\w\s"{}[\]:,.@-]*$/.test(text) ? 0 : 20)
}

/**
 * Whether every value of `one` is a value of `other`: yes where that can be proven, no with the plainest instance that was found, else unknown.
 * Where a schema does not speak of further members, whoever writes leaves them out and whoever reads drops them.
 * References start at `roots`; by default at the schemas themselves.
 */
export function checkSubschema(one: JsonSchema, other: JsonSchema, roots: CompareContext['roots'] = [one, other]): SubschemaResult {
  if (isSubschema(one, other, roots)) return { is: 'yes' }
  return limitSteps(maxSearchSteps, () => findCounterexample(one, other, roots), { is: 'unknown' })
}

/** The plainest value of the one that is none of the other, of those that are tried. */
function findCounterexample(one: JsonSchema, other: JsonSchema, roots: CompareContext['roots']): SubschemaResult {
  let best: { readonly instance: unknown; readonly flaw: InstanceIssue; readonly weight: number } | undefined
  for (const instance of limitCandidates(one, other, roots)) {
    const weight = weighInstance(instance)
    if (best !== undefined && weight >= best.weight) continue
    const flaw = validateInstance(other, instance, roots[1])
    if (typeof flaw === 'object' && validateInstance(one, instance, roots[0]) === undefined) best = { instance, flaw, weight }
  }
  return best === undefined ? { is: 'unknown' } : { is: 'no', instance: best.instance, flaw: best.flaw }
}
