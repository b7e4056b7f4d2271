/**
 * The verdicts of `diff` beside those of oasdiff: each of its checks with the smallest pair of documents, and the documents of its own tests with
 * what these expect. Each difference has a reason. The table is in docs/oasdiff.md; UPDATE=1 writes it.
 *
 *   npm run conformance -- --only oasdiff
 *   OASDIFF=/a/clone UPDATE=1 npm run conformance -- --only oasdiff
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSource } from '../clone.mjs'
import { log } from '../log.mjs'
import { judgePair } from '../oasdiff/documents.mjs'
import { oasdiffSource, readLevels, readPairs } from '../oasdiff/source.mjs'
import { createRows, formatRows } from '../oasdiff/table.mjs'
import { root } from '../places.mjs'

const page = join(root, 'docs/oasdiff.md')

const relations = /** @type {const} */ (['same', 'better', 'other', 'none', 'weaker'])

/** @template Item @param {readonly Item[]} items @param {(item: Item) => boolean} isCounted */
const count = (items, isCounted) => items.filter(isCounted).length

/** Replaces what is between two comments of the page. @param {string} text @param {string} name @param {string} content */
function replaceSection(text, name, content) {
  const [start, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`]
  assert(text.includes(start) && text.includes(end), `docs/oasdiff.md has no section "${name}"`)
  return text.slice(0, text.indexOf(start) + start.length) + content + text.slice(text.indexOf(end))
}

/** @param {readonly Awaited<ReturnType<typeof judgePair>>[]} judged */
function formatPairs(judged) {
  const differing = judged.filter(({ isAgreed }) => !isAgreed)
  const cells = differing.map(({ name, level, verdict, reasons }) => `| ${name} | ${level} | ${verdict} | ${reasons[0] ?? ''} |`)
  return ['| documents | oasdiff | here | reason |', '| --- | --- | --- | --- |', ...cells.sort()].join('\n')
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ createFolder }) {
  const folder = await openSource(oasdiffSource, createFolder)
  const levels = readLevels(folder)
  const rows = createRows(levels)
  const judged = []
  for (const pair of readPairs(folder)) judged.push(await judgePair(folder, pair, levels))
  const open = judged.filter(({ isAgreed, reasons }) => !isAgreed && reasons.length === 0)
  assert.deepEqual(open, [], 'pairs of documents that differ without a reason in conformance/oasdiff/documents.json')
  const agreed = count(judged, ({ isAgreed }) => isAgreed)
  const counts = relations.map((relation) => `${count(rows, (row) => row.relation === relation)} ${relation}`).join(', ')
  const figures = [
    `- ${rows.length} checks: ${counts}.`,
    `- ${judged.length} pairs of documents: ${agreed} agree, and ${judged.length - agreed} differ with a reason.`,
    `- oasdiff at commit \`${oasdiffSource.commit}\`.`,
  ].join('\n')
  const old = readFileSync(page, 'utf8')
  const written = Object.entries({ figures, checks: formatRows(rows), documents: formatPairs(judged) })
  const now = written.reduce((text, [name, content]) => replaceSection(text, name, content), old)
  if (process.env.UPDATE !== undefined) writeFileSync(page, now)
  else assert.equal(old, now, 'docs/oasdiff.md: UPDATE=1 writes it')
  log(`\n${figures}\n`)
  return `${rows.length} checks: ${counts}; ${agreed} of ${judged.length} pairs of documents agree`
}
