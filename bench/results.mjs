/** Writes the results of a benchmark: a summary in JSON, its plots, and the raw samples. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { log } from './log.mjs'

/**
 * @typedef {object} Results
 * @property {{ software: readonly string[] } & Readonly<Record<string, unknown>>} about  where, when, and with which settings: texts and numbers
 * @property {readonly Readonly<Record<string, unknown>>[]} summary  one record a row, all with the same members
 * @property {unknown} [samples]  the raw measurements that the summary is made of
 * @property {Readonly<Record<string, string>>} [plots]  SVG by name
 */

/** Three decimals are as precise as the measurements are. @param {unknown} value */
const formatValue = (value) => JSON.stringify(value, (_, member) => (typeof member === 'number' ? Number(member.toFixed(3)) : member))

/** One line for each fact and each row, as the formatter leaves it. @param {Results} results */
export function formatSummary({ about: { software, ...facts }, summary }) {
  const columns = Object.keys(summary[0] ?? {})
  const row = (/** @type {readonly unknown[]} */ cells) => `[${cells.map((cell) => formatValue(cell ?? null)).join(', ')}]`
  const lines = Object.entries({ ...facts, software: software.join(', ') }).map(
    ([name, fact]) => `  ${formatValue(name)}: ${formatValue(fact)},\n`,
  )
  const rows = summary.map((record) => `    ${row(columns.map((column) => record[column]))}`)
  return `{\n${lines.join('')}  "columns": ${row(columns)},\n  "rows": [\n${rows.join(',\n')}\n  ]\n}\n`
}

/**
 * Writes `NAME.json` and the plots into a folder, and the raw samples into `samples/NAME.json` below it.
 * The repository keeps the summaries in `bench/results/` and ignores the samples there.
 * @param {string} folder
 * @param {string} name
 * @param {Results} results
 */
export function writeResults(folder, name, results) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), formatSummary(results))
  for (const [plot, svg] of Object.entries(results.plots ?? {})) writeFileSync(join(folder, `${plot}.svg`), svg)
  if (results.samples !== undefined) {
    mkdirSync(join(folder, 'samples'), { recursive: true })
    writeFileSync(join(folder, 'samples', `${name}.json`), `${formatValue(results.samples)}\n`)
  }
  log(`The results are in ${folder}.`)
}
