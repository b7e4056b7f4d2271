/** The results of all runs. Each is stored when it is there, so that a comparison goes on where it was interrupted. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../places.mjs'

/**
 * @typedef {object} Result
 * @property {boolean} isTested             whether the tool sent any request
 * @property {readonly string[]} failures   the names of what it reports
 * @property {number} seconds
 */

/** The end of the name of a failure that takes several requests. */
export const bySequence = ', by a sequence'

const file = join(root, 'node_modules/.cache/lapidary-peers/results.jsonl')

/** @param {boolean} isResumed whether to take those of the run before */
export function createResults(isResumed) {
  mkdirSync(dirname(file), { recursive: true })
  if (!isResumed) rmSync(file, { force: true })
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  const all = new Map(lines.filter(Boolean).map((line) => Object.values(JSON.parse(line))))
  /** @param {readonly string[]} key @returns {Result | undefined} */
  const get = (key) => all.get(key.join('\n'))
  return {
    get,
    /** @param {readonly string[]} key @param {Result} result */
    add: (key, result) => {
      all.set(key.join('\n'), result)
      appendFileSync(file, `${JSON.stringify({ key: key.join('\n'), result })}\n`)
    },
    /** A fault is found by a failure that the right server does not have. `isCounted` tells which failures are meant. */
    isFound: (tool, system, sentence, isCounted = () => true) => {
      const right = get([tool.name, system.name, ''])?.failures ?? []
      return get([tool.name, system.name, sentence])?.failures.some((name) => isCounted(name) && !right.includes(name)) ?? false
    },
  }
}
