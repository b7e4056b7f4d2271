/** The cases of a suite, and what became of each. */

/**
 * A case is refused where the toolkit does otherwise for a reason, and not applicable where the toolkit has nothing that the case is about.
 *
 * @typedef {'passed' | 'refused' | 'not applicable' | 'failed'} Outcome
 */

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {Outcome} outcome
 * @property {string} [reason]  for all but those that passed: a sentence
 */

/**
 * Why cases do not pass: a sentence, and the cases that it holds for.
 *
 * @typedef {object} Reason
 * @property {'refused' | 'not applicable'} outcome
 * @property {string} reason
 * @property {(name: string, found: string) => boolean} includes
 */

/**
 * A reason by the names of its cases.
 *
 * @param {'refused' | 'not applicable'} outcome
 * @param {string} reason
 * @param {RegExp} names
 * @param {RegExp} [faults] what was found
 * @returns {Reason}
 */
export const fits = (outcome, reason, names, faults = /(?:)/) => ({
  outcome,
  reason,
  includes: (name, found) => names.test(name) && faults.test(found),
})

/**
 * Collects the cases of a suite.
 *
 * @param {readonly Reason[]} reasons
 */
export function createCases(reasons = []) {
  /** @type {Case[]} */
  const cases = []
  const used = new Set()
  return {
    /** Adds a case. @param {string} name @param {string} [found] what came in place of what the suite expects; nothing where the case passed */
    add: (name, found) => {
      const known = found === undefined ? undefined : reasons.find(({ includes }) => includes(name, found))
      if (known !== undefined) used.add(known)
      if (found === undefined) cases.push({ name, outcome: 'passed' })
      else if (known === undefined) cases.push({ name, outcome: 'failed', reason: found })
      else cases.push({ name, outcome: known.outcome, reason: known.reason })
    },
    /** Adds a case that the toolkit has nothing for. @param {string} name @param {string} reason */
    skip: (name, reason) => cases.push({ name, outcome: 'not applicable', reason }),
    /** Returns the cases. A reason that no case needs any more has failed. */
    list: () => {
      for (const one of reasons)
        if (!used.has(one)) cases.push({ name: one.reason, outcome: 'failed', reason: 'no case needs this reason' })
      return cases
    },
  }
}

/** @param {readonly Case[]} cases @param {Outcome} outcome */
export const countOutcome = (cases, outcome) => cases.filter((one) => one.outcome === outcome).length
