/** Tracks, for the laws of ranges: a text, a number that may be missing and stands lowest, a text that may be missing and stands highest. */
import fc from 'fast-check'
import { int, text } from 'lapidary'
import { rangePagination } from 'lapidary/pagination'
import { z } from 'zod'
import type { Subject } from './paginationModel.ts'

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
