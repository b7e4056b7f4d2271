/** Messages, on standard error, so that standard output has only the table. */

export const log = (/** @type {string} */ line) => process.stderr.write(`${line}\n`)

/** @param {string} message @returns {never} */
export function stop(message) {
  log(`conformance: ${message}`)
  process.exit(1)
}
