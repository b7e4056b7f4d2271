/** What pages of colours are asked for by, and what is expected of them. */

import { type Sent, withHeaders } from './ask.ts'
import { type Color, colors, type Field, page, sumOf } from './colors.ts'
import { type Expected, json } from './expected.ts'

/** On every answer of `/colors`. */
export const accepted: Readonly<Record<string, string>> = { 'accept-ranges': 'name,hex,rgb' }
/** `GET /colors` with this Range. */
export const ranged = (range: string): Sent => withHeaders('GET /colors', { Range: range })

/** A page: its colours, its `Content-Range` and its `Next-Range`. */
export const partial = (items: readonly Color[], content: string | undefined, next?: string): Expected =>
  json(
    items,
    {
      ...accepted,
      'total-count': String(colors.length),
      ...(content === undefined ? {} : { 'content-range': content }),
      ...(next === undefined ? {} : { 'next-range': next }),
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
