/** Keeps what was measured: a table in JSON, and plots of it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { say } from './say.mjs'

/** As wide as a line of the formatter. */
const width = 140

/** JSON as the formatter leaves it: short lists on one line. Figures are good to a thousandth. @param {unknown} content */
function json(content) {
  const text = JSON.stringify(content, (_, value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value), 2)
  const short = text.replace(/^(.*)\[\n\s+([^[\]{}]*?)\s+\](,?)$/gm, (lines, before, list, comma) => {
    const line = `${before}[${list.replace(/,\s+/g, ', ')}]${comma}`
    return line.length > width ? lines : line
  })
  return `${short}\n`
}

/**
 * Writes `NAME.json` and the plots beside it.
 * @param {string} folder
 * @param {string} name
 * @param {unknown} content
 * @param {Readonly<Record<string, string>>} plots  SVG, each by its name
 */
export function keep(folder, name, content, plots) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), json(content))
  for (const [plot, svg] of Object.entries(plots)) writeFileSync(join(folder, `${plot}.svg`), svg)
  say(`written to ${folder}`)
}
