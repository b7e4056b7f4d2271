/** The base and revision documents of oasdiff's own tests: what its tests expect, and what `diff` says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOpenApi } from '@lapidary/openapi'
import { judgeDocuments } from './judge.mjs'
import { isSame, listReasons } from './table.mjs'

/** @typedef {import('./source.mjs').Level} Level */

/**
 * Reasons of differences about a pair of documents, by a pattern of its name.
 *
 * @type {readonly { readonly pairs: string, readonly relation: string, readonly reason: string }[]}
 */
const pairReasons = JSON.parse(readFileSync(new URL('documents.json', import.meta.url), 'utf8'))

const listPairReasons = (/** @type {string} */ name) => pairReasons.filter(({ pairs }) => new RegExp(`^(?:${pairs})$`).test(name))

/** Whether a place of a change is in a response. */
const isOfResponse = (/** @type {string} */ place) => /^(response|error)/.test(place)

/** The changes that checks are about: those of requests, of responses, or all. @param {readonly string[]} ids */
function selectSide(ids) {
  const sides = new Set(ids.map((id) => (/^response-/.test(id) ? 'response' : /request-/.test(id) ? 'request' : 'both')))
  if (sides.size !== 1 || sides.has('both')) return () => true
  return (/** @type {import('@lapidary/testing').Change} */ { place }) => isOfResponse(place) === sides.has('response')
}

const order = /** @type {const} */ (['ERR', 'WARN', 'INFO'])

/**
 * Judges a pair. Its level is the worst of the checks that the tests expect, since `diff` has one verdict about a pair, too.
 *
 * @param {string} folder @param {{ base: string, revision: string, expected: readonly string[] }} pair @param {ReadonlyMap<string, Level>} levels
 */
export async function judgePair(folder, { base, revision, expected }, levels) {
  const name = `${base.replace('data/', '')} → ${revision.replace('data/', '')}`
  const level = order.find((one) => expected.some((id) => levels.get(id) === one)) ?? 'INFO'
  const worst = expected.filter((id) => levels.get(id) === level)
  try {
    const documents = await Promise.all([base, revision].map((file) => readOpenApi(join(folder, file))))
    const { verdict, reason, limits } = judgeDocuments(documents[0], documents[1], selectSide(worst))
    const isAgreed = isSame(level, verdict)
    const reasons = isAgreed ? [] : [...new Set([...listPairReasons(name), ...worst.flatMap(listReasons)].map((one) => one.reason))]
    return { name, level, expected: worst, verdict, reason, limits: [...new Set(limits)], isAgreed, reasons }
  } catch (error) {
    return { name, level, expected: worst, verdict: 'refused', reason: error.message, limits: [], isAgreed: false, reasons: [] }
  }
}
