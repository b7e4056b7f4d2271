/** Messages of a benchmark, on standard error, so that standard output has only the tables. */

export const log = (/** @type {string} */ line) => process.stderr.write(`${line}\n`)

/** @param {string} message @returns {never} */
export function stop(message) {
  log(`bench: ${message}`)
  process.exit(1)
}

/** An option that is a number of things, from its text. @param {string} name @param {string} text */
export function parseCount(name, text) {
  const value = Number(text)
  return Number.isSafeInteger(value) && value > 0 ? value : stop(`--${name} ${text}: expected a whole number above 0`)
}
