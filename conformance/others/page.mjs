/** docs/conformance.md: what the suites found, as the last run has written it. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../places.mjs'
import { countOutcome } from './cases.mjs'
import { getSourceUrl } from './source.mjs'

/**
 * @typedef {object} Result
 * @property {string} name  that of the file of the suite
 * @property {string} title
 * @property {string} about
 * @property {readonly import('./source.mjs').Source[]} sources
 * @property {string} [version]  of a suite whose data are packages of npm
 * @property {(cases: readonly import('./cases.mjs').Case[]) => string} [formatCases]  in place of the table of reasons
 * @property {readonly import('./cases.mjs').Case[]} cases
 */

const path = join(root, 'docs/conformance.md')

const escapeCell = (/** @type {string} */ text) => text.replaceAll('|', '\\|')

const formatSource = (/** @type {import('./source.mjs').Source} */ source) =>
  `[${source.repository}](${getSourceUrl(source)}) at \`${source.commit.slice(0, 10)}\` (licence: ${source.licence})`

/** The row of a suite. @param {Result} result */
function formatRow({ title, cases }) {
  const counts = /** @type {const} */ (['passed', 'refused', 'not applicable']).map((outcome) => countOutcome(cases, outcome))
  return `| [${title}](#${title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')}) | ${[cases.length, ...counts].join(' | ')} |`
}

/** Each reason with the number of its cases. @param {readonly import('./cases.mjs').Case[]} cases */
function formatReasons(cases) {
  const counts = new Map()
  for (const { outcome, reason } of cases) {
    if (outcome === 'passed') continue
    const key = `${outcome} | ${escapeCell(reason ?? '')}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  if (counts.size === 0) return 'All cases pass.'
  const rows = [...counts].map(([key, count]) => `| ${count} | ${key} |`)
  return ['| cases | outcome | reason |', '| ---: | --- | --- |', ...rows].join('\n')
}

/** The section of a suite. @param {Result} result */
function formatSection({ title, about, sources, version, cases, formatCases = formatReasons }) {
  const data = version ?? sources.map(formatSource).join(', ')
  return [`## ${title}`, about, `Data: ${data}.`, formatCases(cases)].join('\n\n')
}

/** Replaces what stands between two comments. */
function replaceBetween(text, name, content) {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
  const [start, stop] = [text.indexOf(begin), text.indexOf(end)]
  assert(start >= 0 && stop > start, `docs/conformance.md: expected ${begin} and ${end}`)
  return `${text.slice(0, start + begin.length)}\n\n${content}\n\n${text.slice(stop)}`
}

/** Puts a row in the place of the row of the same suite. */
function replaceRow(text, row) {
  const [, name] = row.split('|')
  const lines = text.split('\n')
  const index = lines.findIndex((line) => line.split('|')[1] === name)
  assert(index >= 0, `docs/conformance.md: expected a row for${name}`)
  lines[index] = row
  return lines.join('\n')
}

/**
 * Compares the page with what the suites have found. With UPDATE_GUIDES=1, writes it.
 *
 * @param {readonly Result[]} results
 */
export function checkPage(results) {
  const before = readFileSync(path, 'utf8')
  let after = before
  for (const result of results) after = replaceBetween(replaceRow(after, formatRow(result)), result.name, formatSection(result))
  if (process.env.UPDATE_GUIDES === '1') writeFileSync(path, after)
  else assert.equal(before, after, 'docs/conformance.md differs from this run. Write it with UPDATE_GUIDES=1 in the environment.')
}
