/** "Sending Next-Range back gives exactly the following items": walks through all colours, a page at a time. */

import { afterAll, describe, expect, test } from 'vitest'
import { type Database, kind } from '../support/databases/database.ts'
import { service, serviceOfTest } from '../support/service.ts'
import { type Color, colors, inOrder } from './colors.ts'
import { type Sent, send, withHeaders } from './send.ts'

const it = await service()
afterAll(it.close)

type Order = 'asc' | 'desc'
type As = (range: string) => Sent | string

const asHeader: As = (range) => withHeaders('GET /colors', { Range: range })
const asQuery: As = (range) => `GET /colors?range=${encodeURIComponent(range)}`

/** Every name on the way from the first page to the last, and how long each page was. */
async function walk(base: string, first: string, as: As = asHeader): Promise<{ names: string[]; lengths: number[] }> {
  const names: string[] = []
  const lengths: number[] = []
  for (let range: string | undefined = first; range !== undefined; ) {
    const { status, headers, text } = await send(base, as(range))
    if (status !== 206) throw new Error(`${range}: ${status}`)
    const items: Color[] = JSON.parse(text)
    names.push(...items.map(({ name }) => name))
    lengths.push(items.length)
    range = headers['next-range']
    if (lengths.length > 2 * colors.length) throw new Error(`The walk from "${first}" does not end.`)
  }
  return { names, lengths }
}

const fields = ['name', 'hex', 'rgb'] as const
const ways = fields.flatMap((field) => (['asc', 'desc'] as const).map((order): [typeof field, Order] => [field, order]))

/** All of them, where that is soon done; two databases over a network are asked for some. */
const sizes = kind === 'sqlite' ? Array.from(colors, (_, index) => index + 1) : [3, 7, 73, 74, 147, 148]

/** Full pages and a last one. */
const lengthsOf = (count: number, size: number): number[] =>
  Array.from({ length: Math.ceil(count / size) }, (_, index) => Math.min(size, count - index * size))

describe.each(ways)('by %s, %s', (field, order) => {
  const all = inOrder(field, order).map(({ name }) => name)

  test('pages of any size visit each color exactly once, in order', async () => {
    for (const size of sizes) {
      const { names, lengths } = await walk(it.main, `${field}; limit ${size}; order ${order}`)
      expect(names).toEqual(all)
      expect(lengths).toEqual(lengthsOf(colors.length, size))
    }
  })

  test.each(kind === 'sqlite' ? [1, 2, 7] : [7])('from an offset, in pages of %d', async (size) => {
    expect((await walk(it.main, `${field}; offset 41; limit ${size}; order ${order}`)).names).toEqual(all.slice(41))
  })

  test('with the query parameter too', async () => {
    expect((await walk(it.main, `${field}; limit 7; order ${order}`, asQuery)).names).toEqual(all)
  })

  test('in the pagination deployment too', async () => {
    expect((await walk(it.pagination, `${field}; limit 13; order ${order}`)).names).toEqual(all)
  })
})

describe('unusual names and equal values', () => {
  const strange = [
    '',
    ' ',
    '..',
    'a..b',
    'a;b',
    'a b',
    'a%b',
    '%41',
    'ä',
    'z\u0301',
    '\uffee',
    '🌍',
    'red,blue',
    '=',
    'limit 5',
    '"',
    '\\',
    '\n',
    '-1',
    '0',
    'Red',
  ]

  /** Colours in place of the ones that are known: many of one value, and names that a header cannot hold. */
  async function replace({ run }: Database): Promise<readonly Color[]> {
    const replaced = strange.map((name, index): Color => {
      const component = index % 3
      return { name, rgb: [component, component, component], hex: `#${`0${component}`.repeat(3)}` }
    })
    await run('DELETE FROM colors')
    await run(
      'INSERT INTO colors (name, red, green, blue, hex) VALUES (?, ?, ?, ?, ?)',
      replaced.map(({ name, rgb, hex }) => [name, ...rgb, hex]),
    )
    return replaced
  }

  const byCodePoint = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

  test.each(ways)('by %s, %s: each is visited exactly once, in order, for any size of the pages', async (field, order) => {
    const { main, database } = await serviceOfTest()
    const replaced = await replace(database)
    const value = (color: Color): string => (field === 'rgb' ? String(color.rgb[0]) : color[field])
    const ascending = replaced.toSorted((one, other) => byCodePoint(value(one), value(other)) || byCodePoint(one.name, other.name))
    const all = (order === 'asc' ? ascending : ascending.toReversed()).map(({ name }) => name)
    const pages = kind === 'sqlite' ? Array.from({ length: all.length + 1 }, (_, index) => index + 1) : [1, 4, all.length]
    for (const size of pages) {
      expect((await walk(main, `${field}; limit ${size}; order ${order}`)).names).toEqual(all)
      expect((await walk(main, `${field}; limit ${size}; order ${order}`, asQuery)).names).toEqual(all)
    }
  })

  test('Content-Range and Next-Range contain one word of percent-encoded UTF-8, with two dots only between values', async () => {
    const { main, database } = await serviceOfTest()
    await replace(database)
    for (let offset = 0; offset < strange.length; offset += 1) {
      const { headers, text } = await send(main, asHeader(`name; offset ${offset}; limit 1; order asc`))
      const [{ name = '' } = {}] = JSON.parse(text) as Color[]
      const [, field, first = '', last] = /^([a-z]+) ([!-:<-~]*)\.\.([!-:<-~]*)$/.exec(headers['content-range'] ?? '') ?? []
      expect({ field, same: first === last, name: decodeURIComponent(first), dots: first.includes('..') }).toEqual({
        field: 'name',
        same: true,
        name,
        dots: false,
      })
    }
  })

  test('Total-Count follows additions and removals', async () => {
    const { main, database } = await serviceOfTest()
    const total = async () => (await send(main, asHeader('name; limit 0'))).headers['total-count']
    expect(await total()).toBe(String(colors.length))
    await replace(database)
    expect(await total()).toBe(String(strange.length))
  })
})
