/** Pages of a Kysely query, on SQLite and on PostgreSQL: the same rows as from an array, found by an index. */
import fc from 'fast-check'
import { type SelectQueryBuilder, sql } from 'kysely'
import { type Keyset, keyset, kyselySource } from 'lapidary/kysely'
import type { PageQuery } from 'lapidary/pagination'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createArraySource } from '../../src/pagination/source.ts'
import { changingLaw, type Subject, stillLaw, walkFactor } from '../support/paginationModel.ts'
import {
  byCursorInBody,
  byLinkedCursor,
  fields,
  type Track,
  type TrackField,
  trackCursors,
  trackPages,
  tracks,
} from '../support/paginationTracks.ts'
import { samples } from '../support/samples.ts'
import { postgresTracks, sqliteTracks, type Tables, type TrackDatabase } from '../support/trackDatabases.ts'

const by: Keyset<Tables, 'tracks', TrackField> = {
  fields: { title: 'tracks.title', length: 'length', genre: 'genre' },
  key: 'id',
  nulls: { length: 'lowest', genre: 'highest' },
}

const anyQuery: fc.Arbitrary<PageQuery<TrackField>> = fc.constantFrom<TrackField>('title', 'length', 'genre').chain((field) => {
  const value = field === 'title' ? tracks.values.title : fc.option(tracks.values[field], { nil: null })
  return fc.record(
    {
      field: fc.constant(field),
      order: fc.constantFrom('asc', 'desc' as const),
      after: fc.record({ value, key: fc.integer({ min: -4, max: 41 }) }, { requiredKeys: ['value'] }),
      offset: fc.oneof(fc.nat({ max: 5 }), fc.constant(Number.MAX_SAFE_INTEGER)),
      limit: fc.oneof(fc.nat({ max: 8 }), fc.constant(Number.MAX_SAFE_INTEGER)),
    },
    { requiredKeys: ['field', 'order', 'offset', 'limit'] },
  )
})

const queryOf = (query: Partial<PageQuery<TrackField>>): PageQuery<TrackField> => ({
  field: 'title',
  order: 'asc',
  offset: 0,
  limit: 5,
  ...query,
})

describe.each([
  ['SQLite', sqliteTracks, samples(100), samples(850)],
  ['PostgreSQL', postgresTracks, samples(40), samples(150)],
] as const)('%s', (name, open, numRuns, numCursorWalks) => {
  let database: TrackDatabase
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())

  async function fill(items: readonly Track[]): Promise<void> {
    await database.tracks.deleteFrom('tracks').execute()
    if (items.length > 0)
      await database.tracks
        .insertInto('tracks')
        .values([...items])
        .execute()
  }

  const all = () => database.tracks.selectFrom('tracks').selectAll()

  test('a page equals that of an array: both orders, equal values, nulls at either end, after values and positions', async () => {
    const items = fc.uniqueArray(tracks.item, { maxLength: 30, selector: tracks.key })
    await fc.assert(
      fc.asyncProperty(items, fc.array(anyQuery, { minLength: 1, maxLength: 20 }), async (some, queries) => {
        await fill(some)
        const model = createArraySource(some, fields, tracks.key)
        const { count, page } = kyselySource(all(), by)
        expect(await count()).toBe(some.length)
        for (const query of queries) expect([query, await page(query)]).toEqual([query, await model.page(query)])
      }),
      { numRuns },
    )
  })

  const subjectBy = (columns: typeof by): Subject<Track, TrackField> => ({
    ...tracks,
    filled: async (items) => {
      await fill(items)
      return {
        source: kyselySource(all(), columns),
        insert: async (track) => void (await database.tracks.insertInto('tracks').values(track).execute()),
        remove: async ({ id }) => void (await database.tracks.deleteFrom('tracks').where('id', '=', id).execute()),
        update: async ({ id, ...rest }) => void (await database.tracks.updateTable('tracks').set(rest).where('id', '=', id).execute()),
      }
    },
  })

  test('iterations over pages visit each item once', async () => {
    await fc.assert(stillLaw(subjectBy(by)), { numRuns })
    await fc.assert(changingLaw(subjectBy(by)), { numRuns })
  })

  test.each([
    ['Link', byLinkedCursor],
    ['the cursor of the body', byCursorInBody],
  ])(
    'iterations by %s visit each unchanged item once while others are added, removed and moved',
    { timeout: 120_000 * walkFactor },
    async (_what, walker) => {
      await fc.assert(changingLaw(subjectBy(by), 30, walker), { numRuns: numCursorWalks * walkFactor })
    },
  )

  test('a page by cursor counts nothing, and reads one row more than it sends', async () => {
    await fill([1, 2, 3, 4].map((id) => ({ id, title: 'same', length: null, genre: null })))
    const source = kyselySource(all(), by, () => expect.unreachable())
    const first = await trackCursors.page({ query: { cursor: undefined, limit: 2, sort: 'title' } }, source)
    const cursor = /cursor=([\w-]+)/.exec(first.headers.Link ?? '')?.[1]
    const second = await trackCursors.page({ query: { cursor, limit: 2, sort: 'title' } }, source)
    expect([first, second].map(({ body }) => body.map(({ id }) => id))).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(second.headers.Link).toBe(undefined)
  })

  test('numbered pages have the rows of a query in its order, and the number of all rows', async () => {
    await fill(Array.from({ length: 25 }, (_, id) => ({ id, title: `${id % 3}`, length: null, genre: id % 2 ? 'odd' : 'even' })))
    const source = kyselySource(all().where('genre', '=', 'odd').orderBy('title', 'desc').orderBy('id'))
    const readPage = async (page: number) => {
      const { body, headers } = await trackPages.page({ query: { page, limit: 5 } }, source)
      return [body.map(({ id }) => id), headers['Total-Count']] as const
    }
    expect([await readPage(1), await readPage(2), await readPage(3), await readPage(4), await readPage(Number.MAX_SAFE_INTEGER)]).toEqual([
      [[5, 11, 17, 23, 1], 12],
      [[7, 13, 19, 3, 9], 12],
      [[15, 21], 12],
      [[], 12],
      [[], 12],
    ])
    expect(() => kyselySource(all())).toThrow(/^kyselySource\(\): the query has no order, so that its pages could have any rows\./)
  })

  test('pages that end before maxBytes do so as well', async () => {
    // Of a megabyte, two or three fit into one page, and some are larger than a page.
    const size = sql<number>`300000 + id * 37 % 4 * 300000`
    await fc.assert(stillLaw(subjectBy({ ...by, size })), { numRuns: Math.ceil(numRuns / 2) })
    await fc.assert(changingLaw(subjectBy({ ...by, size })), { numRuns: Math.ceil(numRuns / 2) })
  })

  test('a page reads the rows that fit, and one more', async () => {
    await fill(Array.from({ length: 300 }, (_, id) => ({ id, title: `${id % 3}`, length: null, genre: null })))
    const source = kyselySource(all(), { ...by, size: sql<number>`400000` })
    let read = 0
    const counting = {
      ...source,
      page: async (query: PageQuery<TrackField>) => {
        const rows = await source.page(query)
        read = Math.max(read, rows.length)
        return rows
      },
    }
    const readPage = (range: string, maxBytes?: number) =>
      tracks.ranges.page({ headers: { Range: undefined }, query: { range } }, counting, maxBytes === undefined ? {} : { maxBytes })
    const { body, headers } = await readPage('title; limit 1000; order asc')
    expect([body.map(({ id }) => id), read]).toEqual([[0, 3], 3])
    expect(headers['Next-Range']).toBe('title; offset 2; limit 1000; order asc')
    expect((await readPage('title; limit 1000; order asc', 4_000_000)).body).toHaveLength(10)
    // One that is larger than a page is a page.
    expect((await readPage('title; limit 1000', 1)).body).toHaveLength(1)
    expect((await readPage('title; limit 0')).body).toEqual([])
    // Back from a token among equal values: its items are counted as they fit, too.
    read = 0
    const token = /after%20([\w-]+)/.exec((await readPage('title; limit 3; order asc; offset 50')).headers.Link ?? '')?.[1]
    expect((await readPage(`title; after ${token}; order desc`)).body.map(({ id }) => id)).toEqual([150, 147])
    expect(read).toBe(3)
  })

  test('the query keeps its conditions, its columns and what is added later', async () => {
    await fill([1, 2, 3, 4, 5, 6].map((id) => ({ id, title: `${id % 2}`, length: id < 3 ? null : id, genre: null })))
    const odd = database.tracks.selectFrom('tracks').where('title', '=', '1').select('tracks.length')
    const page = keyset(odd, queryOf({ field: 'length', after: { value: null, key: 0 } }), by).select('title')
    expect(await page.execute()).toEqual([
      { length: null, title: '1' },
      { length: 3, title: '1' },
      { length: 5, title: '1' },
    ])
    expect(await kyselySource(odd, by).count()).toBe(3)
    expect(await kyselySource(odd, by, () => 7).count()).toBe(7)
  })

  test.runIf(name === 'PostgreSQL')('PostgreSQL seeks by rows of columns, and sorts nothing', async () => {
    await sql`set enable_seqscan = off`.execute(database.tracks)
    for (const order of ['asc', 'desc'] as const) {
      const page = keyset(all(), queryOf({ order, after: { value: 'a', key: 7 } }), by)
      const plan = (await page.explain()).map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(/Index Scan (Backward )?using tracks_by_title on tracks/)
      expect(plan).toContain(`Index Cond: (ROW(title, id) ${order === 'asc' ? '>' : '<'} ROW(`)
      expect(plan).not.toContain('Sort')
    }
    const nulls = await keyset(all(), queryOf({ field: 'length', after: { value: null, key: 7 } }), by).explain()
    const plan = nulls.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Index Cond: ((length IS NULL) AND (id > 7))')
    expect(plan).toContain('Index Cond: (length IS NOT NULL)')
    expect(plan).not.toContain('Seq Scan')
  })

  test('a field can be an expression', async () => {
    await fill([1, 2, 3].map((id) => ({ id, title: '', length: null, genre: null })))
    const sizes = { fields: { size: sql<number>`id + id` }, key: 'tracks.id' } as const
    const rows = await keyset(all(), { field: 'size', order: 'desc', after: { value: 6, key: 3 }, offset: 0, limit: 9 }, sizes).execute()
    expect(rows.map(({ id }) => id)).toEqual([2, 1])
  })
})

/** What is left of a table of many tracks once SQLite has planned the page. */
describe('SQLite seeks', () => {
  let database: TrackDatabase
  beforeAll(async () => {
    database = await sqliteTracks()
    const many = Array.from({ length: 600 }, (_, id) => ({
      id,
      title: `${id % 9}`,
      length: id % 2 ? id % 7 : null,
      genre: id % 3 ? 'a' : null,
    }))
    for (let start = 0; start < many.length; start += 200)
      await database.tracks
        .insertInto('tracks')
        .values(many.slice(start, start + 200))
        .execute()
  })
  afterAll(() => database.close())

  const planOf = async (query: SelectQueryBuilder<Tables, 'tracks', object>): Promise<readonly string[]> => {
    const { sql: text, parameters } = query.compile()
    const { rows } = await database.tracks.executeQuery<{ detail: string }>({
      ...query.compile(),
      sql: `explain query plan ${text}`,
      parameters,
    })
    return rows.map(({ detail }) => detail)
  }
  const paged = (query: Partial<PageQuery<TrackField>>) => keyset(database.tracks.selectFrom('tracks').selectAll(), queryOf(query), by)

  const orders = ['asc', 'desc'] as const

  test.each(orders)('exactly once for a field that is never null: %s', async (order) => {
    const sign = order === 'asc' ? '>' : '<'
    expect(await planOf(paged({ order }))).toEqual(['SCAN tracks USING INDEX tracks_by_title'])
    expect(await planOf(paged({ order, after: { value: '3' } }))).toEqual([`SEARCH tracks USING INDEX tracks_by_title (title${sign}?)`])
    expect(await planOf(paged({ order, after: { value: '3', key: 7 } }))).toEqual([
      `SEARCH tracks USING INDEX tracks_by_title ((title,id)${sign}(?,?))`,
    ])
  })

  test('once for an expression with an index', async () => {
    const query = database.tracks.selectFrom('tracks').selectAll()
    const page = keyset(
      query,
      { field: 'size', order: 'asc', after: { value: 6, key: 3 }, offset: 0, limit: 9 },
      {
        fields: { size: sql<number>`id + id` },
        key: 'id',
      },
    )
    expect(await planOf(page)).toEqual(['SEARCH tracks USING INDEX tracks_by_size (<expr>>?)'])
  })

  const anchors = [undefined, { value: null }, { value: null, key: 9 }, { value: 3 }, { value: 3, key: 9 }]
  const rows = orders.flatMap((order) =>
    (['length', 'genre'] as const).flatMap((field) =>
      anchors
        // Behind every null, where nulls are the last, there is nothing to seek.
        .filter((after) => after?.value !== null || 'key' in after || (field === 'length') === (order === 'asc'))
        .map((after) => [field, order, after] as const),
    ),
  )
  test.each(rows)('for a field that can be null: %s, %s, after %j', async (field, order, after) => {
    const plan = await planOf(paged({ field, order, ...(after === undefined ? {} : { after }) }))
    const reads = plan.filter((line) => /\btracks\b/.test(line))
    // Nothing reads the table from its beginning; what is sorted is what the seeks have found.
    expect(reads.filter((line) => !line.startsWith('SEARCH tracks USING'))).toEqual([])
    if (reads.length === 1) expect(plan).toEqual(reads)
    if (after?.value === 3)
      expect(reads.join()).toMatch('key' in after ? `((${field},id)${order === 'asc' ? '>' : '<'}(?,?))` : /(length|genre)[<>]\?/)
  })
})
