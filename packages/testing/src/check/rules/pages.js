/** Pages by the Range header: whoever walks them meets each item once. */
import { splitHeaderList } from 'lapidary/internal'
import { withHeaderLines } from '../exchange.js'
import { readResponseValue } from './responseBody.js'
import { parseLinkHeader } from './responseHeaders.js'
import { canReachHandler } from './status.js'

/** So many pages are walked at most; who has more items gets larger pages. */
const maxWalkedPages = 20
/** The items of all pages from this one on, and how many there are in all, as the last page says. */
async function walkPages(probing, first, way) {
  const { send: ask, fail: complain, subject } = probing
  const items = []
  let total = 0
  let asked = first
  for (let page = 0; asked !== undefined; page += 1) {
    if (page > maxWalkedPages * 3) complain(`the walk does not come to an end: after ${page} pages there is still another`)
    const answered = await ask(asked, 'valid')
    if (answered.status !== subject.endpoint.response.status)
      complain(`page ${page + 1}: expected ${subject.endpoint.response.status}, got ${answered.status}`)
    const value = await readResponseValue(subject.endpoint.response, answered)
    for (const item of Array.isArray(value) ? value : []) items.push(JSON.stringify(item))
    total = Number(answered.header('total-count') ?? Number.NaN)
    const [next, link] = [answered.header('next-range'), parseLinkHeader(answered.header('link') ?? '')?.find(({ rel }) => rel === 'next')]
    if ((next === undefined) !== (link === undefined))
      complain(`page ${page + 1} has ${next === undefined ? 'no Next-Range, and a' : 'a Next-Range, and no'} link to the next page`)
    asked =
      next === undefined || link === undefined
        ? undefined
        : way === 'Link'
          ? { ...withHeaderLines(first, 'Range'), target: resolveLinkTarget(first.target, link.target) }
          : withHeaderLines(first, 'Range', next)
  }
  return { items, total }
}
function resolveLinkTarget(from, to) {
  const { pathname, search } = new URL(to, new URL(from, 'http://localhost'))
  return pathname + search
}
export const walksRule = {
  name: 'walks',
  description: 'Whoever walks the pages of a collection meets each of its items once, in either order, by Link and by Next-Range.',
  appliesTo: (probing) =>
    canReachHandler(probing) &&
    probing.subject.endpoint.response.status === 206 &&
    Object.hasOwn(probing.subject.endpoint.headers, 'Range'),
  probe: async (probing) => {
    const { sampleCalls: calls, buildRequest: request, send: ask, fail: complain, subject } = probing
    const [call] = calls(1)
    if (call === undefined) return
    const plain = await request({ ...call, query: { ...call.query, range: [] }, headers: { ...call.headers, Range: [] } })
    const begun = await ask(plain, 'valid')
    const total = Number(begun.header('total-count') ?? 0)
    const fields = splitHeaderList(subject.endpoint.responseHeaders['Accept-Ranges'] ?? '')
    const limit = Math.max(1, Math.ceil(total / maxWalkedPages))
    for (const field of fields) {
      for (const order of ['asc', 'desc']) {
        for (const way of ['Link', 'Next-Range']) {
          const walked = await walkPages(probing, withHeaderLines(plain, 'Range', `${field}; limit ${limit}; order ${order}`), way)
          const { items } = walked
          const met = new Set(items).size
          const how = `by ${field}, ${order}, following ${way}, ${limit} at a time`
          if (met < items.length) complain(`${how}: ${items.length - met} items were met twice`)
          if (walked.total !== items.length) complain(`${how}: there are ${walked.total} items, and ${items.length} were met`)
        }
      }
    }
  },
}
