import { limitSteps } from './budget.js'
import { createCandidates, sampleSchema } from './candidates.js'
import { unfoldSchema } from './compareContext.js'
import { isSubschema } from './isSubschema.js'
import { validateInstance } from './validateInstance.js'

/** How many values are tried. */
const maxTries = 3_000
/** What trying them may cost. */
const maxSearchSteps = 200_000
/** Of those that are made for the purpose there may be very many. */
function* limitCandidates(one, other, roots) {
  let left = maxTries
  for (const candidate of createCandidates(one, other, roots)) {
    if (left === 0) break
    left -= 1
    yield candidate
  }
  yield* sampleSchema(unfoldSchema(one, roots[0]), roots[0])
}
/** Short ones say more; and of equals, those of letters and digits. */
const weighInstance = (value) => {
  const text = JSON.stringify(value) ?? ''
  return text.length + (/^[\w\s"{}[\]:,.@-]*$/.test(text) ? 0 : 20)
}
/**
 * Whether every value of `one` is a value of `other`: yes where that can be proven, no with the plainest instance that was found, else unknown.
 * Where a schema does not speak of further members, whoever writes leaves them out and whoever reads drops them.
 * References start at `roots`; by default at the schemas themselves.
 */
export function checkSubschema(one, other, roots = [one, other]) {
  if (isSubschema(one, other, roots)) return { is: 'yes' }
  return limitSteps(maxSearchSteps, () => findCounterexample(one, other, roots), { is: 'unknown' })
}
/** The plainest value of the one that is none of the other, of those that are tried. */
function findCounterexample(one, other, roots) {
  let best
  for (const instance of limitCandidates(one, other, roots)) {
    const weight = weighInstance(instance)
    if (best !== undefined && weight >= best.weight) continue
    const flaw = validateInstance(other, instance, roots[1])
    if (typeof flaw === 'object' && validateInstance(one, instance, roots[0]) === undefined) best = { instance, flaw, weight }
  }
  return best === undefined ? { is: 'unknown' } : { is: 'no', instance: best.instance, flaw: best.flaw }
}
