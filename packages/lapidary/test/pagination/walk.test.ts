/** Iterations over pages: each item once, for any values, pages and directions, even while items are added and removed. */
import fc from 'fast-check'
import { type PageQuery, type PageSource, paginate } from 'lapidary/pagination'
import { expect, test } from 'vitest'
import { changingLaw, inOrder, type Subject, seed, stillLaw } from '../support/paginationModel.ts'
import { byCursorInBody, byLinkedCursor, type Track, type TrackField, trackRanges, tracks } from '../support/paginationTracks.ts'
import { samples } from '../support/samples.ts'

const { key, item } = tracks

const subject: Subject<Track, TrackField> = {
  ...tracks,
  filled: (items) => {
    const all = [...items]
    const at = ({ id }: Track): number => all.findIndex((track) => track.id === id)
    return {
      source: all,
      insert: (track) => void all.push(track),
      remove: (track) => void all.splice(at(track), 1),
      update: (track) => void all.splice(at(track), 1, track),
    }
  },
}

test(`each item of an unchanged collection comes once, by Next-Range and Link in any mixture, in both orders (seed ${seed})`, async () => {
  await fc.assert(stillLaw(subject), { numRuns: samples(2_000), seed })
})

test(`by Link each unchanged item comes once while others are added, removed and moved (seed ${seed})`, async () => {
  await fc.assert(changingLaw(subject), { numRuns: samples(2_000), seed })
})

test.each([
  ['Link', byLinkedCursor],
  ['the cursor of the body', byCursorInBody],
])(
  `by cursor, following %s, each unchanged item comes once while others are added, removed and moved (seed ${seed})`,
  async (_what, walker) => {
    await fc.assert(changingLaw(subject, 30, walker), { numRuns: samples(4_000), seed })
  },
)

/** Tracks whose queries are written down. */
function watched(tracks: readonly Track[]): { readonly queries: PageQuery[]; readonly source: PageSource<Track, TrackField> } {
  const queries: PageQuery[] = []
  const count = (): number => tracks.length
  const page = (query: PageQuery<TrackField>): readonly Track[] => {
    queries.push(query)
    return inOrder(subject, tracks, query.field, query.order).slice(query.offset, query.offset + query.limit)
  }
  return { queries, source: { count, page } }
}

test('a page takes one query, and one row more than it sends', async () => {
  const { queries, source } = watched([1, 2, 3, 4].map((id) => ({ id, title: 'same', length: null, genre: null })))
  const { headers } = await trackRanges.page({ headers: { Range: 'title; limit 2' }, query: { range: undefined } }, source)
  expect(queries).toEqual([{ field: 'title', order: 'desc', offset: 0, limit: 3 }])
  const range = decodeURIComponent(/range=([^>]*)/.exec(headers.Link ?? '')?.[1] ?? '')
  await trackRanges.page({ headers: { Range: range }, query: { range: undefined } }, source)
  expect(queries.slice(1)).toEqual([{ field: 'title', order: 'desc', after: { value: 'same', key: 3 }, offset: 0, limit: 3 }])
})

test('paginate() iterates over the results of page() in the same process', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(item, { maxLength: 30, selector: key }), fc.integer({ min: 1, max: 9 }), async (tracks, limit) => {
      const ids: number[] = []
      for await (const { id } of paginate((input) => trackRanges.page(input, tracks), { range: `genre; order asc; limit ${limit}` }))
        ids.push(id)
      expect(ids).toEqual(inOrder(subject, tracks, 'genre', 'asc').map(key))
    }),
    { numRuns: 200 },
  )
})

test('reversing the order among many equal values counts those that are behind', async () => {
  const all = Array.from({ length: 2_100 }, (_, index) => ({ id: index + 1, title: 'same', length: null, genre: null }))
  const at = async (range: string) => (await trackRanges.page({ headers: { Range: range }, query: { range: undefined } }, all)).headers
  for (const offset of [500, 1_100, 1_500]) {
    const { Link = '' } = await at(`title; offset ${offset}; limit 1; order asc`)
    const after = /after [\w-]+/.exec(decodeURIComponent(Link))?.[0]
    // The item of the token is there, those behind it, and the one of this page.
    const sent = all.length - offset + 1
    expect((await at(`title; ${after}; limit 1; order desc`))['Next-Range']).toBe(`title; offset ${sent}; limit 1; order desc`)
  }
})

test('it does so for large items, of which few are read at once', async () => {
  const all = Array.from({ length: 20 }, (_, index) => ({ id: index + 1, title: 'same', length: null, genre: null }))
  const page = (query: PageQuery<TrackField>): readonly Track[] => {
    const { field, order, after, offset, limit } = query
    const ordered = inOrder(subject, all, field, order)
    const begin = after?.key === undefined ? 0 : ordered.findIndex(({ id }) => id === after.key) + 1
    return ordered.slice(begin + offset, begin + offset + limit)
  }
  const source: PageSource<Track, TrackField> = { count: () => all.length, page, sizes: (query) => page(query).map(() => 100) }
  const at = async (range: string) =>
    (await trackRanges.page({ headers: { Range: range }, query: { range: undefined } }, source, { maxBytes: 300 })).headers
  const { Link = '' } = await at('title; offset 10; limit 1; order asc')
  const after = /after [\w-]+/.exec(decodeURIComponent(Link))?.[0]
  expect((await at(`title; ${after}; limit 1; order desc`))['Next-Range']).toBe('title; offset 11; limit 1; order desc')
})
