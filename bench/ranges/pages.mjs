/** Which pages are measured: the texts of their ranges, as a client sends them. */
import { color, getFieldValue } from './colors.mjs'

export const limit = 100
/** So many different pages stand for one place, so that it is not one page that is always at hand. */
const pagesPerPlace = 25

export const orders = /** @type {const} */ (['asc', 'desc'])

/**
 * - `first`: the first page, without a value.
 * - `middle`: after a value from the middle half.
 * - `next`: the same, and then the page that its `Link` leads to, by a token.
 * - `last`: the last page.
 * - `tied`: by `Next-Range`, half way through those of equal value; the offset that it counts grows with the collection.
 */
export const places = /** @type {const} */ (['first', 'middle', 'next', 'last', 'tied'])

/** @typedef {typeof places[number]} Place */

/** @param {string} field @param {string | number | undefined} value @param {string} order */
const formatRange = (field, value, order, offset = 0) =>
  `${field}${value === undefined ? '' : ` ${encodeURIComponent(value)}`}; offset ${offset}; limit ${limit}; order ${order}`

/** What is neither among the first quarter of the values nor among the last. */
const middle = {
  name: (/** @type {string} */ value) => value >= 'Deep' && value < 'Warm',
  hex: (/** @type {string} */ value) => value >= '#400000' && value < '#c00000',
  rgb: (/** @type {number} */ value) => value >= 310 && value < 455,
}

/** Values from the middle, always the same ones; every row is as likely as any other. */
export function listMiddleValues(rows, field) {
  const values = []
  for (let attempt = 0; values.length < pagesPerPlace; attempt += 1) {
    const value = getFieldValue(color((attempt * 7_919 + 13) % rows), field)
    if (middle[field](value)) values.push(value)
  }
  return values
}

/** Of all the pages that end with the last item or a little before it, the values that they follow. */
async function listLastRanges(store, field, order) {
  const back = await store.colors.page({ field, order: order === 'asc' ? 'desc' : 'asc', offset: 0, limit: 4 * limit })
  const values = back.map((one) => getFieldValue(one, field)).reverse()
  const starts = Array.from({ length: pagesPerPlace }, (_, index) => values.length - limit - index).filter((start) => start > 0)
  if (starts.length === 0) return [formatRange(field, undefined, order)]
  return starts.map((start) => {
    const before = values.slice(0, start).findLastIndex((value) => value !== values[start - 1])
    // Those of the value that the page begins with or behind are counted from the value before them.
    return before < 0 ? formatRange(field, undefined, order, start) : formatRange(field, values[before], order, start - before - 1)
  })
}

/** The text of the next page's range, as the header Link has it. @param {string | undefined} header */
function parseNextRange(header) {
  const [, target] = /^<([^>]*)>/.exec(header ?? '') ?? []
  return target === undefined ? undefined : new URL(target, 'http://localhost').searchParams.get('range')
}

/**
 * The ranges of a place. None where the collection has no such page.
 *
 * @param {import('./measure.mjs').Collection} collection
 * @param {{ field: 'name' | 'hex' | 'rgb', order: 'asc' | 'desc', place: Place }} where
 * @returns {Promise<readonly string[]>}
 */
export async function listRanges({ rows, store, requestPage }, { field, order, place }) {
  if (place === 'first') return [formatRange(field, undefined, order)]
  if (place === 'last') return listLastRanges(store, field, order)
  const values = listMiddleValues(rows, field)
  // About three in a thousand share a value of the middle.
  if (place === 'tied') return field === 'rgb' ? values.map((value) => formatRange(field, value, order, Math.round(rows * 0.0015))) : []
  const ranges = values.map((value) => formatRange(field, value, order))
  if (place === 'middle') return ranges
  const links = await Promise.all(ranges.map(async (text) => parseNextRange((await requestPage(text)).headers.Link)))
  return links.filter((text) => text !== undefined)
}
