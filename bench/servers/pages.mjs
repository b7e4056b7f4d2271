/** A page as the peers of Lapidary give it, who leave that to their users: the rows, how many there are in all, and where to go on. */
import { pageSize } from './data.mjs'

/**
 * @typedef {object} Page
 * @property {import('./data.mjs').Color[]} items
 * @property {{ 'Total-Count': string, Link?: string }} headers  as texts, which is all that some take; no Link on the last page
 */

/**
 * The page strictly behind a name.
 * @param {import('./data.mjs').Store} rows
 * @param {string} after
 * @returns {Page}
 */
export function pageOf(rows, after) {
  const total = { 'Total-Count': `${rows.count()}` }
  // One more than is sent tells whether there is a next page.
  const items = rows.page(after, pageSize + 1)
  if (items.length <= pageSize) return { items, headers: total }
  items.pop()
  const last = encodeURIComponent(items[pageSize - 1].name)
  return { items, headers: { ...total, Link: `</colors?after=${last}>; rel="next"` } }
}
