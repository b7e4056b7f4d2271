/** `paginate(call)`: an iteration over the items of all pages. */
import { text, type WithHeaders, withHeaders } from 'lapidary'
import { type NextPageHeaders, type PageCall, paginate, type RangeInput, rangePagination } from 'lapidary/pagination'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Letter = z.object({ letter: z.string() })
const letters = [...'abcdefg'].map((letter) => ({ letter }))
const letterRanges = rangePagination(
  Letter,
  { letter: { codec: text, get: ({ letter }) => letter } },
  { key: ({ letter }) => letter, default: 'letter' },
)

/** Calls in this process, with what they were asked; `change` may take headers away or put others in their place. */
function calling(change: (headers: NextPageHeaders) => NextPageHeaders = (headers) => headers) {
  const ranges: (string | undefined)[] = []
  const call = async (input: RangeInput): Promise<WithHeaders<readonly { letter: string }[], NextPageHeaders>> => {
    expect(input.headers.Range).toBe(undefined)
    ranges.push(input.query.range)
    const { body, headers } = await letterRanges.page(input, letters)
    return withHeaders(body, change(headers))
  }
  return { ranges, call }
}

async function spell(call: PageCall<{ letter: string }>, range?: string): Promise<string> {
  let word = ''
  for await (const { letter } of paginate(call, range === undefined ? {} : { range })) word += letter
  return word
}

test('every item comes once, in order, by the Link of each page', async () => {
  const { ranges, call } = calling()
  expect(await spell(call, 'letter; order asc; limit 3')).toBe('abcdefg')
  expect(ranges[0]).toBe('letter; order asc; limit 3')
  expect(ranges.slice(1)).toEqual([1, 2].map(() => expect.stringMatching(/^letter; after [A-Za-z0-9_-]+; offset 0; limit 3; order asc$/)))
})

test('without a range the server chooses the first page', async () => {
  const { ranges, call } = calling()
  expect(await spell(call)).toBe('gfedcba')
  expect(ranges).toEqual([undefined])
})

test('without a Link, Next-Range is followed', async () => {
  const { ranges, call } = calling(({ 'Next-Range': next }) => ({ 'Next-Range': next }))
  expect(await spell(call, 'letter; order asc; limit 3')).toBe('abcdefg')
  expect(ranges.at(-1)).toBe('letter f; offset 0; limit 3; order asc')
})

describe('a Link in another form', () => {
  const target = '/letters?range=letter+f;+order+asc'
  test.each([
    ['among others', `</letters>; rel="first", <${target}>; rel="next"`],
    ['with several relations', `<${target}>; title="a, <b>; c"; rel="last next"`],
    ['without quotes', `<${target}>;rel=next`],
    ['in another case', `<${target}>; REL="Next"`],
    ['with spaces around the equals sign', `<${target}> ; rel = "next"`],
    ['behind an empty parameter', `<${target}>;; rel=next;`],
    ['behind a link whose title only looks like a relation', `</x?range=letter+e>; title="; rel=next"; rel="prev", <${target}>; rel=next`],
    ['behind a link to the next of something else', `</x?range=letter+e>; rel=next; anchor="/x", <${target}>; rel=next`],
    ['behind a link whose first relation counts', `</x?range=letter+e>; rel=prev; rel=next, <${target}>; rel=next`],
    ['with a fragment', `<http://example.org${target}#top>; rel="next"`],
  ])('%s is followed', async (_what, Link) => {
    const { ranges, call } = calling((headers) => (headers.Link === undefined ? {} : { Link }))
    expect(await spell(call, 'letter; order asc; limit 2')).toBe('abg')
    expect(ranges[1]).toBe('letter f; order asc')
  })

  test.each([
    ['to something else', `<${target}>; rel="prev"`],
    ['that only looks like one', `<${target}>; rel="next-archive"; title="rel=next"`],
    ['without a range', '</letters?page=2>; rel="next"'],
  ])('%s is not: Next-Range is', async (_what, Link) => {
    const { call } = calling((headers) => (headers.Link === undefined ? {} : { ...headers, Link }))
    expect(await spell(call, 'letter; order asc; limit 3')).toBe('abcdefg')
  })
})

test.each(['</letters?page=2>; rel="next"', '</letters>; rel=next', '</letters?range>; rel=next', '<#?range=letter+f>; rel=next'])(
  'a next page without a range is an error, not the end: %s',
  async (Link) => {
    const { ranges, call } = calling((headers) => (headers.Link === undefined ? {} : { Link }))
    await expect(spell(call, 'letter; order asc; limit 2')).rejects.toThrow(/^The Link of the next page has no parameter "range"/)
    expect(ranges).toHaveLength(1)
  },
)

test.each<[string, Readonly<Record<string, string>>, number]>([
  ['is the same page', { letter: 'letter' }, 1],
  ['leads back to the first page', { letter: 'letter b', 'letter b': 'letter' }, 4],
  ['leads back to a later page', { letter: 'letter b', 'letter b': 'letter c', 'letter c': 'letter d', 'letter d': 'letter c' }, 6],
])('a next page that %s is an error, not an endless iteration', async (_what, pages, calls) => {
  const { ranges, call } = calling(() => ({ 'Next-Range': pages[String(ranges.at(-1))] ?? '' }))
  await expect(spell(call, 'letter')).rejects.toThrow(/^The pages after ".*" lead back to ".*", so the iteration would never end\./)
  expect(ranges.length).toBeLessThanOrEqual(calls)
})

test('an iteration that ends early requests no further page', async () => {
  const { ranges, call } = calling()
  for await (const { letter } of paginate(call, { range: 'letter; order asc; limit 2' })) if (letter === 'c') break
  expect(ranges).toHaveLength(2)
})

test('a signal stops the iteration before the next page, and is passed to each call', async () => {
  const { ranges, call } = calling()
  const stop = new AbortController()
  const signals: unknown[] = []
  const walk = paginate(
    (input, { signal }) => {
      signals.push(signal)
      return call(input)
    },
    { range: 'letter; order asc; limit 2', signal: stop.signal },
  )
  expect((await walk.next()).value).toEqual({ letter: 'a' })
  stop.abort(new Error('enough'))
  expect((await walk.next()).value).toEqual({ letter: 'b' })
  await expect(walk.next()).rejects.toThrow('enough')
  expect([ranges.length, signals]).toEqual([1, [stop.signal]])
})

test('the iteration throws what a call throws', async () => {
  await expect(spell(() => Promise.reject(new Error('no such server')))).rejects.toThrow('no such server')
  await expect(spell((input) => letterRanges.page(input, letters), 'size')).rejects.toMatchObject({ status: 416 })
})
