/** What a change of an API does to clients and to servers: each row of the table, in both directions. */
import { type Change, type Compatibility, diff, manifest } from '@lapidary/testing'
import { describe, expect, test } from 'vitest'
import * as everything from '../../../lapidary/test/everything.ts'
import { rows } from './rows/index.ts'

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

  test('is the other way round where the new one is the old one', () => {
    expect(verdictsOf(diff(manifest(now), manifest(old)))).toEqual({ clients: servers, servers: clients })
  })

  test('has a sentence for a reason', () => {
    const reasons = changes().map(({ reason }) => reason)
    expect(reasons.length > 0).toBe(place !== '' || clients !== 'safe' || servers !== 'safe')
    for (const reason of reasons) expect(reason).toMatch(/^["/A-Z].*[^.]\.$/)
  })
})

test.each(rows.filter(({ place }) => place === 'etag'))('what the word etag adds is told once, as the word: $sentence', ({ old, now }) => {
  expect(diff(manifest(old), manifest(now)).map(({ place }) => place)).toEqual(['etag'])
})

test('the table is a long one, and each row is another', () => {
  expect(rows.length).toBeGreaterThanOrEqual(60)
  expect(new Set(rows.map(({ sentence }) => sentence)).size).toBe(rows.length)
})

test('nothing becomes of an API that stays as it is', () => {
  const one = manifest(everything.api)
  expect(diff(one, one)).toEqual([])
  expect(diff(JSON.parse(JSON.stringify(one)), manifest(everything.api))).toEqual([])
})
