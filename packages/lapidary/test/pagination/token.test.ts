/** The token of `after`: its position, its validity while items change, and the rejection of other texts. */
import fc from 'fast-check'
import { endpoint, int, text } from 'lapidary'
import { link } from 'lapidary/links'
import { rangePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ValueCodec } from '../../src/pagination/range.ts'
import { createRangeTokens, type RangeTokens, type TokenPosition } from '../../src/pagination/token.ts'
import { linkedRange } from '../support/paginationModel.ts'
import { samples } from '../support/samples.ts'

const options = { offset: 0, limit: 100, order: 'desc' } as const
const collection = (names: Readonly<Record<string, ValueCodec>>, key: ValueCodec = text): RangeTokens =>
  createRangeTokens(Object.fromEntries(Object.entries(names).map(([name, codec]) => [name, { codec, options }])), key)

const tracks = collection({ title: text, length: int })

/** The token of a place that has one: without it there would be nothing to be tried below. */
function written(tokens: RangeTokens, field: string, one: TokenPosition): string {
  const token = tokens.write(field, one)
  if (token === undefined || token === '') throw new Error(`There is no token of ${JSON.stringify(one)}.`)
  return token
}

const word = fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed() && !value.includes('\0'))
const plain = fc.record({
  value: fc.option(
    word.filter((value) => value !== ''),
    { nil: undefined },
  ),
  offset: fc.maxSafeNat(),
})
const place: fc.Arbitrary<TokenPosition> = fc.record({
  value: fc.option(word, { nil: null }),
  key: word,
  plain,
  order: fc.constantFrom('asc', 'desc' as const),
})

test('a token is one word that needs no encoding in a URL, and contains its position', () => {
  fc.assert(
    fc.property(place, (one) => {
      const token = written(tracks, 'title', one)
      expect(token).toMatch(/^[A-Za-z0-9_-]+$/)
      expect(tracks.read('title', token)).toEqual(one)
    }),
  )
})

const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']

test('a token with a changed, missing, doubled or added character is invalid', () => {
  fc.assert(
    fc.property(place, fc.nat(), fc.constantFrom(...alphabet), (one, at, sign) => {
      const token = written(tracks, 'title', one)
      const index = at % token.length
      const [before, here, behind] = [token.slice(0, index), token.charAt(index), token.slice(index + 1)]
      const spoilt = [before, `${before}${behind}`, `${before}${here}${here}${behind}`, `${token}${sign}`, `${sign}${token}`]
      if (sign !== here) spoilt.push(`${before}${sign}${behind}`)
      for (const text of spoilt) expect([text, tracks.read('title', text)]).toEqual([text, undefined])
    }),
    { numRuns: samples(500) },
  )
})

test('each character of a token counts, even its last bits', () => {
  const token = written(tracks, 'title', { value: 'Ágætis', key: 'x', plain: { value: undefined, offset: 3 }, order: 'asc' })
  expect(token.length).toBeGreaterThan(20)
  for (let index = 0; index < token.length; index += 1) {
    for (const sign of alphabet) {
      if (sign === token[index]) continue
      expect(tracks.read('title', `${token.slice(0, index)}${sign}${token.slice(index + 1)}`)).toBe(undefined)
    }
  }
})

test('other texts are invalid', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...alphabet) }), (given) => {
      expect(tracks.read('title', given)).toBe(undefined)
    }),
  )
})

test('a token belongs to one field of one collection', () => {
  const one: TokenPosition = { value: '7', key: '1', plain: { value: '7', offset: 0 }, order: 'desc' }
  const twins = collection({ name: text, title: text })
  const token = written(twins, 'name', one)
  expect(twins.read('name', token)).toEqual(one)
  expect(twins.read('title', token)).toBe(undefined)
  for (const other of [
    collection({ name: text, subject: text }),
    collection({ name: text }),
    collection({ title: text, name: text }),
    collection({ name: int, title: text }),
    collection({ name: text, title: text }, int),
  ])
    expect(other.read('name', token)).toBe(undefined)
})

test('a value that its codec would not read again has no token', () => {
  const base = { plain: { value: undefined, offset: 1 }, order: 'asc' } as const
  for (const strange of ['\ud800', 'a\udfff', 'a\0']) {
    expect(tracks.write('title', { ...base, value: strange, key: 'x' })).toBe(undefined)
    expect(tracks.write('title', { ...base, value: 'x', key: strange })).toBe(undefined)
  }
})

test('a token is short: it contains a value once', () => {
  const value = 'x'.repeat(300)
  expect(tracks.write('title', { value, key: 'x', plain: { value, offset: 0 }, order: 'asc' })?.length).toBeLessThan(430)
})

test('a forged token can do no more than a range: the same codecs read its words', () => {
  // The same checksum, as a reader of this file could make it, over values that no track has.
  const loose = collection({
    title: text,
    length: { ...int, parse: (given: string) => Number(given), print: (value: number) => `${value}` },
  })
  for (const value of [1.5, 2 ** 60]) {
    const token = written(loose, 'length', { value, key: 'x', plain: { value: undefined, offset: 0 }, order: 'asc' })
    expect([loose.read('length', token)?.value, tracks.read('length', token)]).toEqual([value, undefined])
  }
  const up = written(tracks, 'title', { value: 'a', key: 'x', plain: { value: undefined, offset: 0 }, order: 'up' as never })
  expect(tracks.read('title', up)).toBe(undefined)
  // No range can begin behind null, so no plain position is there; a client that follows a Link never gets such a token.
  const nowhere = written(tracks, 'title', { value: null, key: 'x', plain: { value: null as never, offset: 0 }, order: 'asc' })
  expect(tracks.read('title', nowhere)).toBe(undefined)
  const numbered = collection({ title: text, length: int }, { ...text, name: int.name })
  const forged = written(numbered, 'title', { value: 'a', key: 'not a number', plain: { value: undefined, offset: 0 }, order: 'asc' })
  expect(collection({ title: text, length: int }, int).read('title', forged)).toBe(undefined)
})

const Track = z.object({ id: z.string(), title: z.string() })
const trackRanges = rangePagination(Track, { title: { codec: text, get: ({ title }) => title } }, { key: ({ id }) => id, default: 'title' })
const api = { tracks: endpoint('GET /tracks', { ...trackRanges.declaration }) }
const shelf = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, title: id < 'c' ? 'first' : 'second' }))

type Send = (range: string, method?: string) => Promise<Response>
const serveTracks = (all: readonly z.infer<typeof Track>[]): Send => {
  const server = serve(api, {
    tracks: (input) => trackRanges.page(input, all, { link: (range) => link(api.tracks, { query: { range } }) }),
  })
  return (range, method = 'GET') => server.fetch(new Request('http://test/tracks', { method, headers: { Range: range } }))
}
const ids = async (response: Response): Promise<string> => ((await response.json()) as { id: string }[]).map(({ id }) => id).join('')

/** The token in the Link behind the first `count` tracks. */
async function tokenBehind(count: number): Promise<string> {
  const { headers } = await serveTracks(shelf)(`title; order asc; limit ${count}`)
  const [, token] = /after%20([^%]+)/.exec(headers.get('Link') ?? '') ?? []
  if (token === undefined) throw new Error(`There is no token in the Link ${headers.get('Link')}.`)
  return token
}

describe('after', () => {
  test('begins after the item of the token, and offset counts from there', async () => {
    const token = await tokenBehind(3)
    expect(await ids(await serveTracks(shelf)(`title; after ${token}; order asc`))).toBe('def')
    expect(await ids(await serveTracks(shelf)(`title; after ${token}; order asc; offset 1; limit 1`))).toBe('e')
  })

  test('works in both orders', async () => {
    expect(await ids(await serveTracks(shelf)(`title; after ${await tokenBehind(5)}; order desc`))).toBe('dcba')
  })

  test('stays valid when its item is removed, and when others are added', async () => {
    const token = await tokenBehind(3)
    const [, , , ...rest] = shelf
    expect(await ids(await serveTracks(rest)(`title; after ${token}; order asc`))).toBe('def')
    const more = [...shelf, { id: 'bb', title: 'first' }, { id: 'cc', title: 'second' }]
    expect(await ids(await serveTracks(more)(`title; after ${token}; order asc`))).toBe('ccdef')
  })

  test('leaves Next-Range without a token, even among equal values', async () => {
    const response = await serveTracks(shelf)(`title; after ${await tokenBehind(3)}; order asc; limit 2`)
    expect(response.headers.get('Next-Range')).toBe('title first; offset 3; limit 2; order asc')
  })
})

test('Link has the URL of the endpoint, and is sent if and only if more items follow', async () => {
  const response = await serveTracks(shelf)('title; limit 4')
  expect(response.headers.get('Link')).toMatch(
    /^<\/tracks\?range=title%3B%20after%20[A-Za-z0-9_-]+%3B%20offset%200%3B%20limit%204%3B%20order%20desc>; rel="next"$/,
  )
  expect((await serveTracks(shelf)('title; limit 6')).headers.has('Link')).toBe(false)
  expect((await serveTracks(shelf)('title; limit 0')).headers.has('Link')).toBe(false)
})

test('HEAD has the headers of GET', async () => {
  const [get, head] = await Promise.all([serveTracks(shelf)('title; limit 4'), serveTracks(shelf)('title; limit 4', 'HEAD')])
  expect([...head.headers]).toEqual([...get.headers])
  expect(head.headers.has('Link')).toBe(true)
})

test('no result of the option link ends the angle brackets', async () => {
  const input = { headers: { Range: 'title; limit 1' }, query: { range: undefined } }
  const { headers } = await trackRanges.page(input, shelf, { link: (range) => `/é?a=<b>&c="d"\r\n&range=${encodeURIComponent(range)}` })
  expect(headers.Link).toMatch(/^<\/%C3%A9\?a=%3Cb%3E&c=%22d%22%0D%0A&range=title%3B[^<>" ]+>; rel="next"$/)
  const usual = await trackRanges.page(input, shelf)
  expect(linkedRange(usual.headers)).toMatch(/^title; after [A-Za-z0-9_-]+; offset 0; limit 1; order desc$/)
})
