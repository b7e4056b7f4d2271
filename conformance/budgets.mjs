/** Figures that docs/speed.md states, and that may grow by five percent before they are stated anew. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './places.mjs'

const slack = 0.05

const speed = readFileSync(join(root, 'docs/speed.md'), 'utf8')

/** The first number of a row in a table of docs/speed.md. @param {string} row the text of its first column */
export function stated(row) {
  const figure = Number.parseFloat(speed.split(`\n| ${row} | `)[1] ?? '')
  assert(figure > 0, `docs/speed.md has no row "${row}"`)
  return figure
}

/**
 * One figure beside the stated one, as the report has it.
 * @param {string} what @param {number} measured @param {number} expected
 * @throws Error where it is more than five percent above
 */
export function compare(what, measured, expected) {
  const change = measured / expected - 1
  const words = `${what}: ${measured.toFixed(1)} (${change < 0 ? '' : '+'}${(change * 100).toFixed(1)} % of ${expected})`
  assert(
    change <= slack,
    `${words}, which is more than ${slack * 100} % above. State the new figure in docs/speed.md, or find out what has grown`,
  )
  return words
}
