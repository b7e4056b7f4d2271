/** Pages of colors, compared with a model in memory. */

import fc from 'fast-check'
import type { PageQuery as AnyPageQuery, FieldValue } from 'lapidary/pagination'
import { expect, test } from 'vitest'
import type { Color } from '../../../src/api/colors.ts'
import type { ColorField } from '../../../src/store/store.ts'
import type { Database } from '../../support/databases/database.ts'
import { databaseOfTest, openedAt, stored } from '../scratch.ts'

type PageQuery = AnyPageQuery<ColorField>

const fields = ['name', 'hex', 'rgb'] as const
const orders = ['asc', 'desc'] as const

const text = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))
const compare = (left: string | number, right: FieldValue): number =>
  typeof left === 'number' ? left - Number(right) : text(left, String(right))

const valueIn = (field: PageQuery['field'], { name, hex, rgb: [red, green, blue] }: Color): string | number =>
  ({ name, hex, rgb: red + green + blue })[field]

/** What the store's interface says, in plain code. */
function model(all: readonly Color[], { field, order, after, offset, limit }: PageQuery): readonly Color[] {
  const sign = order === 'asc' ? 1 : -1
  const key = (color: Color) => valueIn(field, color)
  const beyond = (color: Color): boolean => {
    if (after === undefined) return true
    const byValue = sign * compare(key(color), after.value)
    return byValue > 0 || (byValue === 0 && after.key !== undefined && sign * text(color.name, String(after.key)) > 0)
  }
  return all
    .filter(beyond)
    .sort((left, right) => sign * (compare(key(left), key(right)) || text(left.name, right.name)))
    .slice(offset, offset + limit)
}

/** Few values, so that there are many ties; names of one to three characters, some beyond U+FFFF. */
const name = fc.string({ unit: fc.constantFrom('a', 'B', 'ä', ' ', '\uffee', '😀'), minLength: 1, maxLength: 3 })
const component = fc.constantFrom(0, 1, 255)
const hex = fc.constantFrom('#000000', '#00ff00', '#0000ff')
const rgb = fc.tuple(component, component, component)
const palette = fc.uniqueArray(fc.record({ name, rgb, hex }), { maxLength: 25, selector: (color) => color.name })

const anyQuery: fc.Arbitrary<PageQuery> = fc.constantFrom(...fields).chain((field) => {
  const value: fc.Arbitrary<string | number> = { name, hex, rgb: fc.integer({ min: -1, max: 766 }) }[field]
  const after = fc.record({ value, key: name }, { requiredKeys: ['value'] })
  const parts = { field: fc.constant(field), order: fc.constantFrom(...orders), offset: fc.nat({ max: 8 }), limit: fc.nat({ max: 12 }) }
  return fc.record({ ...parts, after }, { requiredKeys: ['field', 'order', 'offset', 'limit'] })
})

/** The database holds these colours and no others. */
async function filled(colors: readonly Color[], { run }: Database): Promise<void> {
  await run('DELETE FROM colors')
  const values = colors.map(({ name, rgb, hex }) => [name, ...rgb, hex])
  await run('INSERT INTO colors (name, red, green, blue, hex) VALUES (?, ?, ?, ?, ?)', values)
}

test('a page follows the interface: equal values, both orders, offset, value and exact position', async () => {
  const database = await databaseOfTest()
  const store = await openedAt(database.url)
  await fc.assert(
    fc.asyncProperty(palette, fc.array(anyQuery, { minLength: 1, maxLength: 40 }), async (colors, queries) => {
      await filled(colors, database)
      expect(await store.colors.count()).toBe(colors.length)
      for (const query of queries) expect(await store.colors.page(query)).toEqual(model(colors, query))
    }),
    { numRuns: 60 },
  )
})

test('following exact positions visits every color once, for each field, order and page size', async () => {
  const store = await stored()
  for (const field of fields) {
    for (const order of orders) {
      for (const limit of [1, 2, 7, 147, 148, 149]) {
        const seen: string[] = []
        for (let after: PageQuery['after']; ; ) {
          const page = await store.colors.page({ field, order, offset: 0, limit, ...(after && { after }) })
          const last = page.at(-1)
          if (last === undefined) break
          seen.push(...page.map((color) => color.name))
          after = { value: valueIn(field, last), key: last.name }
        }
        expect(seen).toHaveLength(148)
        expect(new Set(seen).size).toBe(148)
      }
    }
  }
})

test('the largest possible offset and limit are accepted', async () => {
  const store = await stored()
  expect(await store.colors.page({ field: 'rgb', order: 'desc', offset: Number.MAX_SAFE_INTEGER, limit: 5 })).toEqual([])
  expect(await store.colors.page({ field: 'hex', order: 'asc', offset: 147, limit: Number.MAX_SAFE_INTEGER })).toHaveLength(1)
  expect(await store.colors.page({ field: 'name', order: 'asc', offset: 0, limit: 0 })).toEqual([])
})

test('colors are added together without those with existing names, and the count follows', async () => {
  const store = await stored()
  const first: Color = { name: 'deep; teal..', rgb: [0, 80, 81], hex: '#005051' }
  const second: Color = { name: '😀', rgb: [255, 255, 255], hex: '#ffffff' }
  expect(await store.colors.add([])).toBe(0)
  expect(await store.colors.add([first, { name: 'red', rgb: [1, 2, 3], hex: '#010203' }, second])).toBe(2)
  expect(await store.colors.add([first, second])).toBe(0)
  expect(await store.colors.count()).toBe(150)
  const red = await store.colors.page({ field: 'name', order: 'asc', after: { value: 're' }, offset: 1, limit: 1 })
  expect(red).toEqual([{ name: 'red', rgb: [255, 0, 0], hex: '#ff0000' }])
  expect(await store.colors.page({ field: 'name', order: 'desc', offset: 0, limit: 1 })).toEqual([second])
})

test('colors of which one cannot be stored are not added at all', async () => {
  const store = await stored()
  const good: Color = { name: 'good', rgb: [1, 2, 3], hex: '#010203' }
  await expect((async () => store.colors.add([good, { name: 'bad', rgb: [256, 0, 0], hex: '#000000' }]))()).rejects.toThrow()
  expect(await store.colors.count()).toBe(148)
  expect(await store.colors.add([good])).toBe(1)
})
