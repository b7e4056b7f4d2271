/** Tracks, for the laws of ranges: a text, a number that may be missing and stands lowest, a text that may be missing and stands highest. */
import fc from 'fast-check'
import { int, text } from 'lapidary'
import { type CursorInput, cursorPagination, pagePagination, rangePagination } from 'lapidary/pagination'
import { z } from 'zod'
import type { Subject, Walker } from './paginationModel.ts'

const Track = z.object({ id: z.int(), title: z.string(), length: z.int().nullable(), genre: z.string().nullable() })
export type Track = z.infer<typeof Track>

/** Everything that a header cannot hold as it is, or that divides the parts of one; and what is not where UTF-16 has it. */
const odd = [
  'a',
  'a;b',
  'a..b',
  '..',
  '.',
  ';',
  ' ',
  'x y',
  'c\r\nd',
  '"',
  '%41',
  '%',
  '*',
  '<>',
  ',',
  'after',
  'é',
  '\uffff',
  '\u{1f600}',
  '\u{10ffff}',
]

export const fields = {
  title: { codec: text, get: (track: Track) => track.title },
  length: { codec: int, get: (track: Track) => track.length },
  genre: { codec: text, get: (track: Track) => track.genre, nulls: 'highest' as const },
}
export type TrackField = keyof typeof fields
const key = (track: Track): number => track.id
export const trackRanges = rangePagination(Track, fields, {
  key: { codec: int, get: key },
  default: 'title',
  options: { length: { limit: 5 } },
})

const item: fc.Arbitrary<Track> = fc.record({
  id: fc.integer({ min: -3, max: 40 }),
  title: fc.constantFrom('', ...odd),
  length: fc.constantFrom(null, -1, 0, 7),
  genre: fc.constantFrom(null, '', 'a', '\uffff', '\u{1f600}'),
})

/** All that the laws know of tracks, but where they are kept. */
export const tracks: Omit<Subject<Track, TrackField>, 'filled'> = {
  ranges: trackRanges,
  fields,
  key,
  item,
  moved: ({ id }, to) => ({ ...to, id }),
  values: {
    title: fc.constantFrom(...odd, 'aa'),
    length: fc.constantFrom(-2, -1, 0, 3, 7, 9),
    genre: fc.constantFrom('a', 'b', '\uffff', '\u{1f600}'),
  },
}

export const trackCursors = cursorPagination(Track, fields, { key: { codec: int, get: key }, default: 'title', maxLimit: 50 })
export const trackCursorsInBody = cursorPagination(Track, fields, {
  key: { codec: int, get: key },
  default: '-length',
  body: { items: 'data', next: 'nextCursor' },
})

/** The query of a page by cursor; every value but the cursor is its own. */
function parseCursorQuery(text: string): CursorInput<TrackField>['query'] {
  const query = new URLSearchParams(text)
  const cursor = query.get('cursor') ?? undefined
  return { cursor, limit: Number(query.get('limit')), sort: query.get('sort') as TrackField }
}

const startOf = (field: string, order: string, limit: number): string => `limit=${limit}&sort=${order === 'asc' ? '' : '-'}${field}`

/** A walk by cursors, each step by `Link`. */
export const byLinkedCursor: Walker<Track, TrackField> = {
  hasOffset: false,
  start: (field, order, _offset, limit) => startOf(field, order, limit),
  read: async ({ source }, text) => {
    const { body, headers } = await trackCursors.page({ query: parseCursorQuery(text) }, source)
    return { items: body, next: headers.Link === undefined ? undefined : /^<\?([\w=&~.-]+)>; rel="next"$/.exec(headers.Link)?.[1] }
  },
}

/** A walk by cursors, each step by the cursor of the body. */
export const byCursorInBody: Walker<Track, TrackField> = {
  hasOffset: false,
  start: (field, order, _offset, limit) => startOf(field, order, limit),
  read: async ({ source }, text) => {
    const { body } = await trackCursorsInBody.page({ query: parseCursorQuery(text) }, source)
    const start = text.replace(/&cursor=.*/, '')
    return { items: body.data, next: body.nextCursor === undefined ? undefined : `${start}&cursor=${body.nextCursor}` }
  },
}

export const trackPages = pagePagination(Track, { limit: 10 })
