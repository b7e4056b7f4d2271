/** The table at the end: one line a check. */

/**
 * @typedef {object} Outcome
 * @property {string} name
 * @property {string} found     in a few words
 * @property {boolean} [failed]
 * @property {number} seconds
 */

/** @param {readonly Outcome[]} outcomes */
export function formatReport(outcomes) {
  const width = Math.max(...outcomes.map(({ name }) => name.length))
  const formatLine = ({ name, failed, found, seconds }) =>
    `${name.padEnd(width)}  ${failed ? 'FAILED' : 'passed'}  ${seconds.toFixed(1).padStart(5)} s  ${found}\n`
  const total = outcomes.reduce((sum, { seconds }) => sum + seconds, 0)
  return `\n${outcomes.map(formatLine).join('')}${''.padEnd(width)}          ${total.toFixed(1).padStart(5)} s\n`
}
