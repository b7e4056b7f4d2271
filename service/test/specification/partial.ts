/** Requests for pages of colors, and their expected responses. */

import { expect } from 'vitest'
import { type Color, colors, type Field, page, sumOf } from './colors.ts'
import { type Expected, json } from './expected.ts'
import { type Sent, send, withHeaders } from './send.ts'

/** On every answer of `/colors`. */
export const accepted: Readonly<Record<string, string>> = { 'accept-ranges': 'name,hex,rgb' }
/** `GET /colors` with this Range. */
export const ranged = (range: string): Sent => withHeaders('GET /colors', { Range: range })

/** The `Link` to the page that a `Next-Range` names: the same field, limit and order, after the position of the token. */
function linkTo(next: string): unknown {
  const [, field, limit, order] = /^([a-z]+)[^;]*; offset [0-9]+; limit ([0-9]+); order ([a-z]+)$/.exec(next) ?? []
  const target = `/colors\\?range=${field}%3B%20after%20[A-Za-z0-9_-]+%3B%20offset%200%3B%20limit%20${limit}%3B%20order%20${order}`
  return expect.stringMatching(new RegExp(`^<${target}>; rel="next"$`))
}

/** The target of a `Link` to the next page. */
export const targetIn = (link: string | undefined): string | undefined => /^<([^<> ]+)>; rel="next"$/.exec(link ?? '')?.[1]

/** The token that stands for the last colour of the page at this range. */
export async function tokenBehind(base: string, range: string): Promise<string> {
  const { headers } = await send(base, ranged(range))
  const [, token = `no token in ${headers['link']}`] = /after%20([^%]+)%3B/.exec(headers['link'] ?? '') ?? []
  return token
}

/** A page: its colours, its `Content-Range`, its `Next-Range` and the `Link` that goes with it. */
export const partial = (items: readonly Color[], content: string | undefined, next?: string): Expected =>
  json(
    items,
    {
      ...accepted,
      'total-count': String(colors.length),
      ...(content === undefined ? {} : { 'content-range': content }),
      ...(next === undefined ? {} : { 'next-range': next, link: linkTo(next) }),
    },
    206,
  )

/** The page that a plain reading of the rules gives, on fields whose values differ. */
export function expected(field: Field, options: Parameters<typeof page>[1] & { limit: number }): Expected {
  const { items, more } = page(field, options)
  const { limit, order = 'desc' } = options
  const value = (item: Color | undefined): string =>
    item === undefined ? '' : field === 'rgb' ? String(sumOf(item)) : encodeURIComponent(item[field])
  const last = value(items.at(-1))
  return partial(
    items,
    items.length === 0 ? undefined : `${field} ${value(items[0])}..${last}`,
    more ? `${field} ${last}; offset 0; limit ${limit}; order ${order}` : undefined,
  )
}
