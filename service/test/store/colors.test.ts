/** Pages of colours, against a model in memory and against the query plan. */

import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { open } from '../../src/store/open.ts'
import { pageSql } from '../../src/store/sqlite/colors.ts'
import type { Color, PageQuery } from '../../src/store/store.ts'
import { folder, opened } from './scratch.ts'

// Processes, disks and hashes take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const fields = ['name', 'hex', 'rgb'] as const
const orders = ['asc', 'desc'] as const

const text = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right))
const compare = (left: string | number, right: string | number): number =>
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
    return byValue > 0 || (byValue === 0 && after.key !== undefined && sign * text(color.name, after.key) > 0)
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
  const after = fc.option(fc.record({ value, key: fc.option(name, { nil: undefined }) }), { nil: undefined })
  return fc.record({
    field: fc.constant(field),
    order: fc.constantFrom(...orders),
    after,
    offset: fc.nat({ max: 8 }),
    limit: fc.nat({ max: 12 }),
  })
})

/** A store that holds these colours and no others. */
async function filled(colors: readonly Color[], path: string): Promise<void> {
  const database = new Database(path)
  database.exec('DELETE FROM colors')
  const add = database.prepare('INSERT INTO colors (name, red, green, blue, hex) VALUES (?, ?, ?, ?, ?)')
  for (const color of colors) add.run(color.name, ...color.rgb, color.hex)
  database.close()
}

test('a page is what the interface says: ties, both orders, offset, value and exact position', async () => {
  const path = join(folder(), 'service.db')
  const store = await opened(path)
  await fc.assert(
    fc.asyncProperty(palette, fc.array(anyQuery, { minLength: 1, maxLength: 40 }), async (colors, queries) => {
      await filled(colors, path)
      expect(await store.colors.count()).toBe(colors.length)
      for (const query of queries) expect(await store.colors.page(query)).toEqual(model(colors, query))
    }),
    { numRuns: 60 },
  )
})

test('following exact positions visits every colour once, for each field, order and page size', async () => {
  const store = await opened(':memory:')
  for (const field of fields) {
    for (const order of orders) {
      for (const limit of [1, 2, 7, 147, 148, 149]) {
        const seen: string[] = []
        for (let after: PageQuery['after']; ; ) {
          const page = await store.colors.page({ field, order, after, offset: 0, limit })
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

test('the largest offset and limit there can be are taken', async () => {
  const store = await opened(':memory:')
  expect(await store.colors.page({ field: 'rgb', order: 'desc', offset: Number.MAX_SAFE_INTEGER, limit: 5 })).toEqual([])
  expect(await store.colors.page({ field: 'hex', order: 'asc', offset: 147, limit: Number.MAX_SAFE_INTEGER })).toHaveLength(1)
  expect(await store.colors.page({ field: 'name', order: 'asc', offset: 0, limit: 0 })).toEqual([])
})

const statements = fields.flatMap((field) =>
  orders.flatMap((order) => (['first', 'value', 'position'] as const).map((start) => pageSql(field, order, start))),
)

test.each(statements)('reads an index in its own order, without sorting: %s', async (sql) => {
  const path = join(folder(), 'service.db')
  await (await open(`sqlite:${path}`)).close()
  const database = new Database(path, { readonly: true })
  const plan = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', '1')}`).all()
  database.close()
  const where = sql.includes('WHERE') ? 'SEARCH' : 'SCAN'
  // By name the table itself is the index: it is kept in the order of its primary key.
  const index = sql.includes('ORDER BY name')
    ? `${where} colors( USING PRIMARY KEY \\(name[<>]\\?\\))?`
    : `${where} colors USING INDEX colors_by_(hex|rgb).*`
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringMatching(new RegExp(`^${index}$`))])
})
