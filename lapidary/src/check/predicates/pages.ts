/** Pages by the Range header: whoever walks them meets each item once. */
import { elementsOf } from '../../describe/headerField.ts'
import { type Asked, withLines } from '../exchange.ts'
import type { Probe, Probing } from '../predicate.ts'
import { valueIn } from './body.ts'
import { linksIn } from './headers.ts'
import { isOpen } from './valid.ts'

/** So many pages are walked at most; who has more items gets larger pages. */
const pages = 20

/** The items of all pages from this one on, and how many there are in all, as the last page says. */
async function walk(
  probing: Probing,
  first: Asked,
  way: 'Link' | 'Next-Range',
): Promise<{ readonly items: readonly string[]; readonly total: number }> {
  const { ask, complain, subject } = probing
  const items: string[] = []
  let total = 0
  let asked: Asked | undefined = first
  for (let page = 0; asked !== undefined; page += 1) {
    if (page > pages * 3) complain(`the walk does not come to an end: after ${page} pages there is still another`)
    const answered = await ask(asked, 'valid')
    if (answered.status !== subject.endpoint.response.status)
      complain(`page ${page + 1}: expected ${subject.endpoint.response.status}, got ${answered.status}`)
    const value = await valueIn(subject.endpoint.response, answered)
    for (const item of Array.isArray(value) ? value : []) items.push(JSON.stringify(item))
    total = Number(answered.header('total-count') ?? Number.NaN)
    const [next, link] = [answered.header('next-range'), linksIn(answered.header('link') ?? '')?.find(({ rel }) => rel === 'next')]
    if ((next === undefined) !== (link === undefined))
      complain(`page ${page + 1} has ${next === undefined ? 'no Next-Range, and a' : 'a Next-Range, and no'} link to the next page`)
    asked =
      next === undefined || link === undefined
        ? undefined
        : way === 'Link'
          ? { ...withLines(first, 'Range'), target: relative(first.target, link.target) }
          : withLines(first, 'Range', next)
  }
  return { items, total }
}

function relative(from: string, to: string): string {
  const { pathname, search } = new URL(to, new URL(from, 'http://localhost'))
  return pathname + search
}

export const walks: Probe = {
  name: 'walks',
  sentence: 'Whoever walks the pages of a collection meets each of its items once, in either order, by Link and by Next-Range.',
  isAbout: (probing) =>
    isOpen(probing) && probing.subject.endpoint.response.status === 206 && Object.hasOwn(probing.subject.endpoint.headers, 'Range'),
  probe: async (probing) => {
    const { calls, request, ask, complain, subject } = probing
    const [call] = calls(1)
    if (call === undefined) return
    const plain = await request({ ...call, query: { ...call.query, range: [] }, headers: { ...call.headers, Range: [] } })
    const begun = await ask(plain, 'valid')
    const total = Number(begun.header('total-count') ?? 0)
    const fields = elementsOf(subject.endpoint.always['Accept-Ranges'] ?? '')
    const limit = Math.max(1, Math.ceil(total / pages))
    for (const field of fields) {
      for (const order of ['asc', 'desc']) {
        for (const way of ['Link', 'Next-Range'] as const) {
          const walked = await walk(probing, withLines(plain, 'Range', `${field}; limit ${limit}; order ${order}`), way)
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
