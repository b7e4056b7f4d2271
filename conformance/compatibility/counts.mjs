/** What a run counts. */

export const createCounts = () => ({
  pairs: 0,
  safe: 0,
  /** Values of safe verdicts that the writer may write: valid by ajv. */
  samples: 0,
  /** Breaking verdicts whose witness ajv confirms. */
  breaking: 0,
  /** Breaking verdicts whose witness a sample is, and those for which none is found. */
  breakingBySample: 0,
  undecided: 0,
  unknown: 0,
  slowest: { milliseconds: 0, pair: '' },
  /** @type {string[]} */
  faults: [],
})

/** @typedef {ReturnType<typeof createCounts>} Counts */
