/** What a change of an API does to clients and to servers: each row of the table, in both directions. */
import { type ApiManifest, type Change, type Compatibility, diff, manifest } from '@lapidary/testing'
import { endpoint, int, noContent, ok, reply, text } from 'lapidary'
import { describe, expect, test } from 'vitest'
import * as everything from '../../../lapidary/test/support/everything.ts'
import { rows } from '../support/diff/rows/index.ts'

/** The worst of them. */
const worst = (verdicts: readonly Compatibility[]): Compatibility =>
  verdicts.includes('breaking') ? 'breaking' : verdicts.includes('unknown') ? 'unknown' : 'safe'

const verdictsOf = (changes: readonly Change[]) => ({
  clients: worst(changes.map(({ clients }) => clients)),
  servers: worst(changes.map(({ servers }) => servers)),
})

describe.each(rows)('$sentence', ({ old, now, clients, servers, place, change }) => {
  const changes = (): readonly Change[] => diff(manifest(old), manifest(now))

  test(`is ${clients} for clients, and ${servers} for servers`, () => {
    const all = changes()
    expect({ ...verdictsOf(all), all }).toMatchObject({ clients, servers })
    const isNone = clients === 'safe' && servers === 'safe' && place === ''
    if (isNone) expect(all).toEqual([])
    else expect(all.map((one) => [one.place, one.change])).toContainEqual([place, change])
  })

  test('is the reverse if the two descriptions are exchanged', () => {
    expect(verdictsOf(diff(manifest(now), manifest(old)))).toEqual({ clients: servers, servers: clients })
  })

  test('has a sentence as its reason', () => {
    const reasons = changes().map(({ reason }) => reason)
    expect(reasons.length > 0).toBe(place !== '' || clients !== 'safe' || servers !== 'safe')
    for (const reason of reasons) expect(reason).toMatch(/^["/A-Z].*[^.]\.$/)
  })
})

test.each(rows.filter(({ place }) => place === 'etag'))(
  'a change of etag is one change, not one of each header: $sentence',
  ({ old, now }) => {
    expect(diff(manifest(old), manifest(now)).map(({ place }) => place)).toEqual(['etag'])
  },
)

test('a change of deprecated is one change, and the reason for a removal says that the endpoint was deprecated', () => {
  const create = (sunset: string) => ({
    old: endpoint('GET /old', { response: noContent, deprecated: { sunset: new Date(sunset), link: '/news' }, tags: [sunset] }),
  })
  const [one, other] = [manifest(create('2027-01-01')), manifest(create('2028-01-01'))]
  expect(diff(one, other).map(({ place }) => place)).toEqual(['deprecated'])
  expect(diff(one, manifest({})).map(({ reason }) => reason)).toEqual([
    'Old clients call GET /old, which new servers do not have. It was deprecated.',
  ])
})

test('the table has many rows, and no two are the same', () => {
  expect(rows.length).toBeGreaterThanOrEqual(60)
  expect(new Set(rows.map(({ sentence }) => sentence)).size).toBe(rows.length)
})

test('the name of a header has no case, wherever it is declared', () => {
  const withNames = (change: (name: string) => string): ApiManifest =>
    manifest({
      get: endpoint('GET /', {
        headers: { [change('X-Note')]: text },
        response: ok(text, { headers: { [change('X-Count')]: int } }),
        errors: [reply(404, undefined, { headers: { [change('X-Lost')]: text } })],
        responseHeaders: { [change('X-Edition')]: '1' },
      }) as never,
    })
  const [one, other] = [withNames((name) => name), withNames((name) => name.toLowerCase())]
  expect([...diff(one, other), ...diff(other, one)]).toEqual([])
})

test('an API has no changes against itself', () => {
  const one = manifest(everything.api)
  expect(diff(one, one)).toEqual([])
  expect(diff(JSON.parse(JSON.stringify(one)), manifest(everything.api))).toEqual([])
})
