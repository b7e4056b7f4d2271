/** What is said beside the table: on standard error, so that the table alone can be kept. */

export const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`)

/** @param {string} message @returns {never} */
export function stop(message) {
  say(`conformance: ${message}`)
  process.exit(1)
}
