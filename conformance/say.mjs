/** Messages, on standard error, so that standard output has only the table. */

export const say = (/** @type {string} */ line) => process.stderr.write(`${line}\n`)

/** @param {string} message @returns {never} */
export function stop(message) {
  say(`conformance: ${message}`)
  process.exit(1)
}
