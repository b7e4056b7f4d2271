/** The table of all checks of oasdiff: its level, our verdict about the smallest pair of documents, and why they differ where they do. */
import { readFileSync } from 'node:fs'
import { judgeDocuments } from './judge.mjs'
import { pairs } from './pairs.mjs'

/** @typedef {import('./source.mjs').Level} Level */
/** @typedef {import('./judge.mjs').Verdict} Verdict */

/**
 * Reasons of differences. `checks` is a pattern of whole ids. `better`: our verdict is decided by a proof or by a witness, and theirs is not
 * that. `other`: it is decided by another rule. `none`: no finding about the wire. `weaker`: theirs is decided, and ours is not.
 *
 * @type {readonly { readonly checks: string, readonly relation: 'better' | 'other' | 'none' | 'weaker', readonly reason: string }[]}
 */
export const reasons = JSON.parse(readFileSync(new URL('reasons.json', import.meta.url), 'utf8'))

/** The verdicts that a level of oasdiff stands for. @type {Readonly<Record<Level, readonly Verdict[]>>} */
const equivalents = { ERR: ['breaking'], WARN: ['unknown', 'breaking'], INFO: ['safe', 'none'] }

/** Whether a verdict says what a level says. @param {Level} level @param {Verdict} verdict */
export const isSame = (level, verdict) => equivalents[level].includes(verdict)

/** The reasons of a difference about one check. @param {string} id */
export const listReasons = (id) => reasons.filter(({ checks }) => new RegExp(`^(?:${checks})$`).test(id))

/** @param {string} id @param {Level} level */
function createRow(id, level) {
  const { verdict, reason: sentence } = judgeDocuments(...pairs[id])
  if (isSame(level, verdict)) return { id, level, verdict, relation: 'same', reason: verdict === 'breaking' ? sentence : '' }
  const found = listReasons(id)
  if (found.length !== 1)
    throw new Error(`${id} is ${level} for oasdiff and ${verdict} here (${sentence}): ${found.length} reasons, expected one`)
  return { id, level, verdict, relation: found[0].relation, reason: found[0].reason }
}

/** @param {ReadonlyMap<string, Level>} levels */
export const createRows = (levels) =>
  [...levels].map(([id, level]) => createRow(id, level)).sort((one, other) => (one.id < other.id ? -1 : 1))

/** @typedef {ReturnType<typeof createRow>} Row */

const escapeCell = (/** @type {string} */ text) => text.replaceAll('|', '\\|').replaceAll('<', '\\<')

/** @param {readonly Row[]} rows */
export const formatRows = (rows) =>
  [
    '| check of oasdiff | oasdiff | here | relation | sentence of `diff`, or reason |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ id, level, verdict, relation, reason }) => `| \`${id}\` | ${level} | ${verdict} | ${relation} | ${escapeCell(reason)} |`,
    ),
  ].join('\n')
