/** The rule about range pagination. */
import { splitHeaderList } from 'lapidary/internal'
import { type WireRequest, withHeaderLines } from '../exchange.ts'
import { canReachHandler, type Probe, type ProbeContext } from '../rule.ts'
import { readResponseValue } from './responseBody.ts'
import { parseLinkHeader } from './responseHeaders.ts'

/** The number of pages of a walk; a collection with more items gets larger pages. */
const maxWalkedPages = 20

/** Resolves the target of a link to a path and query. */
function resolveLinkTarget(from: string, to: string): string {
  const { pathname, search } = new URL(to, new URL(from, 'http://localhost'))
  return pathname + search
}

/** Walks the pages, and returns their items and the total count of the last page. */
async function walkPages(
  { send, fail, subject }: ProbeContext,
  firstRequest: WireRequest,
  nextHeader: 'Link' | 'Next-Range',
): Promise<{ readonly items: readonly string[]; readonly total: number }> {
  const { response: reply } = subject.endpoint
  const items: string[] = []
  let total = 0
  let request: WireRequest | undefined = firstRequest
  for (let page = 1; request !== undefined; page += 1) {
    if (page > maxWalkedPages * 3 + 1) fail(`the pages do not end: after ${page - 1} pages there is still another`)
    const response = await send(request, 'valid')
    if (response.status !== reply.status) fail(`page ${page}: expected ${reply.status}, got ${response.status}`)
    const value = await readResponseValue(reply, response)
    for (const item of Array.isArray(value) ? value : []) items.push(JSON.stringify(item))
    total = Number(response.header('total-count') ?? Number.NaN)
    const nextRange = response.header('next-range')
    const nextLink = parseLinkHeader(response.header('link') ?? '')?.find(({ rel }) => rel === 'next')
    if (nextRange === undefined && nextLink !== undefined) fail(`page ${page} has a link to the next page, but no Next-Range`)
    if (nextRange !== undefined && nextLink === undefined) fail(`page ${page} has Next-Range, but no link to the next page`)
    if (nextRange === undefined || nextLink === undefined) break
    request =
      nextHeader === 'Link'
        ? { ...withHeaderLines(firstRequest, 'Range'), target: resolveLinkTarget(firstRequest.target, nextLink.target) }
        : withHeaderLines(firstRequest, 'Range', nextRange)
  }
  return { items, total }
}

export const paginationRule: Probe = {
  name: 'pagination',
  description: 'The pages of a collection contain each item exactly once, in both orders, by Link and by Next-Range.',
  appliesTo: (context) => {
    const { response, headers } = context.subject.endpoint
    return canReachHandler(context) && response.status === 206 && Object.hasOwn(headers, 'Range')
  },
  probe: async (context) => {
    const { sampleCalls, buildRequest, send, fail, subject } = context
    const [call] = sampleCalls(1)
    if (call === undefined) return
    const request = await buildRequest({ ...call, query: { ...call.query, range: [] }, headers: { ...call.headers, Range: [] } })
    const response = await send(request, 'valid')
    const limit = Math.max(1, Math.ceil(Number(response.header('total-count') ?? 0) / maxWalkedPages))
    for (const field of splitHeaderList(subject.endpoint.responseHeaders['Accept-Ranges'] ?? '')) {
      for (const order of ['asc', 'desc']) {
        for (const nextHeader of ['Link', 'Next-Range'] as const) {
          const firstRequest = withHeaderLines(request, 'Range', `${field}; limit ${limit}; order ${order}`)
          const { items, total } = await walkPages(context, firstRequest, nextHeader)
          const distinct = new Set(items).size
          const walk = `by ${field}, ${order}, following ${nextHeader}, ${limit} items a page`
          if (distinct < items.length) fail(`${walk}: ${items.length - distinct} items are on two pages`)
          if (total !== items.length) fail(`${walk}: Total-Count is ${total}, the pages have ${items.length} items`)
        }
      }
    }
  },
}
