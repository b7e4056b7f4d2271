/** `within(a, b)`: whether every value of one JSON Schema is a value of another; and if not, one that is not. */
import type { JsonSchema } from '../describe/jsonSchema.ts'
import { candidates, sampled } from './candidates.ts'
import { type Flaw, held } from './held.ts'
import { isWithin } from './proof.ts'
import { unfolded } from './unfolded.ts'
import type { Way } from './way.ts'
import { bounded } from './work.ts'

/** What was found out. */
export type Within =
  | { readonly is: 'yes' }
  | {
      readonly is: 'no'
      /** A value of the one that is none of the other. */
      readonly instance: unknown
      /** Where in it, and why. */
      readonly flaw: Flaw
    }
  | { readonly is: 'unknown' }

/** How many values are tried. */
const tries = 3_000
/** What trying them may cost. */
const steps = 200_000

/** Of those that are made for the purpose there may be very many. */
function* tried(one: JsonSchema, other: JsonSchema, roots: Way['roots']): Generator<unknown> {
  let left = tries
  for (const candidate of candidates(one, other, roots)) {
    if (left === 0) break
    left -= 1
    yield candidate
  }
  yield* sampled(unfolded(one, roots[0]), roots[0])
}

/** Short ones say more; and of equals, those of letters and digits. */
const weightOf = (value: unknown): number => {
  const text = JSON.stringify(value) ?? ''
  return text.length + (/^[\w\s"{}[\]:,.@-]*$/.test(text) ? 0 : 20)
}

/**
 * Whether every value of `one` is a value of `other`: yes where that can be proven, no with the plainest instance that was found, else unknown.
 * Where a schema does not speak of further members, whoever writes leaves them out and whoever reads drops them.
 * References start at `roots`; by default at the schemas themselves.
 */
export function within(one: JsonSchema, other: JsonSchema, roots: Way['roots'] = [one, other]): Within {
  if (isWithin(one, other, roots)) return { is: 'yes' }
  return bounded(steps, () => shown(one, other, roots), { is: 'unknown' })
}

/** The plainest value of the one that is none of the other, of those that are tried. */
function shown(one: JsonSchema, other: JsonSchema, roots: Way['roots']): Within {
  let best: { readonly instance: unknown; readonly flaw: Flaw; readonly weight: number } | undefined
  for (const instance of tried(one, other, roots)) {
    const weight = weightOf(instance)
    if (best !== undefined && weight >= best.weight) continue
    const flaw = held(other, instance, roots[1])
    if (typeof flaw === 'object' && held(one, instance, roots[0]) === undefined) best = { instance, flaw, weight }
  }
  return best === undefined ? { is: 'unknown' } : { is: 'no', instance: best.instance, flaw: best.flaw }
}
