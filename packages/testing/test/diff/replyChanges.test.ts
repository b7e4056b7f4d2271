/** Errors of ranges of statuses: what a client that knows one description reads of each status that a server of the other one sends. */
import { type ApiManifest, type Change, type Compatibility, diff, formatWitness, manifest } from '@lapidary/testing'
import { type AnyReply, type Api, endpoint, ok, reply, text } from 'lapidary'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const bodies = { A: z.string(), B: z.int() }

const keys = ['404', '4XX', '5XX', 'default'] as const
type Key = (typeof keys)[number]
/** The body that is declared for each key, if there is one. */
type Declared = Readonly<Partial<Record<Key, 'A' | 'B'>>>

const createReply = (key: Key, body: z.ZodType): AnyReply => (key === '404' ? reply(404, body) : reply(key, body)) as AnyReply

/** An API with an endpoint for each list of errors. */
const toManifest = (...lists: readonly (readonly AnyReply[])[]): ApiManifest =>
  manifest(
    Object.fromEntries(
      lists.map((errors, index) => [`at${index}`, endpoint(`GET /${index}`, { response: ok(text), errors })]),
    ) as unknown as Api,
  )

const listErrors = (declared: Declared): readonly AnyReply[] =>
  keys.flatMap((key) => (declared[key] === undefined ? [] : [createReply(key, bodies[declared[key]])]))

const combinations = keys.reduce<readonly Declared[]>(
  (found, key) => found.flatMap((one): Declared[] => [one, { ...one, [key]: 'A' }, { ...one, [key]: 'B' }]),
  [{}],
)
/** An API with an endpoint for each combination. */
const all = toManifest(...combinations.map(listErrors))

/** What is declared for a status of a key, and for no narrower one. */
const findBody = (declared: Declared, key: Key): 'A' | 'B' | undefined =>
  declared[key] ?? (key === '404' ? declared['4XX'] : undefined) ?? declared.default

function judge(caller: 'A' | 'B' | undefined, server: 'A' | 'B' | undefined): Compatibility {
  if (server === undefined) return 'safe'
  return caller === undefined ? 'unknown' : caller === server ? 'safe' : 'breaking'
}

/** For each key that one of both declares and whose statuses get another body: what this does. */
const predict = (old: Declared, now: Declared): object =>
  Object.fromEntries(
    keys
      .filter((key) => key in old || key in now)
      .map((key) => [key, findBody(old, key), findBody(now, key)] as const)
      .filter(([, one, other]) => one !== other)
      .map(([key, one, other]) => [`error ${key}`, { clients: judge(one, other), servers: judge(other, one) }]),
  )

const order: readonly Compatibility[] = ['safe', 'unknown', 'breaking']
const worst = (one: Compatibility, other: Compatibility = 'safe'): Compatibility =>
  order.indexOf(one) > order.indexOf(other) ? one : other

/** The judgement of each key. */
function sumUp(changes: readonly Change[]): object {
  const found: Record<string, { clients: Compatibility; servers: Compatibility }> = {}
  for (const { place, clients, servers } of changes) {
    const key = place.split(' ').slice(0, 2).join(' ')
    found[key] = { clients: worst(clients, found[key]?.clients), servers: worst(servers, found[key]?.servers) }
  }
  return found
}

/** Those whose first body is A: with A and B exchanged, the others are the same. */
const halves = combinations.filter((declared) => Object.values(declared)[0] !== 'B')

test.each(halves)('%j is compared with all other declarations', (declared) => {
  const changes = diff(toManifest(...combinations.map(() => listErrors(declared))), all)
  for (const [index, other] of combinations.entries())
    expect(
      sumUp(changes.filter((change) => change.endpoint === `at${index}`)),
      `${JSON.stringify(declared)} → ${JSON.stringify(other)}`,
    ).toEqual(predict(declared, other))
})

describe('a witness of a range', () => {
  const witnessOf = (old: readonly AnyReply[], now: readonly AnyReply[]): string | undefined => {
    const [first] = diff(toManifest(old), toManifest(now)).flatMap(({ witness }) => (witness === undefined ? [] : [witness]))
    return first && formatWitness(first)
  }

  test('has the status of an error that only the range is left of', () => {
    expect(witnessOf([createReply('404', bodies.A)], [createReply('4XX', bodies.B)])).toMatch(/\n\nHTTP\/1.1 404\n[^{]*\n\n\d+$/)
  })

  test('has a status that no narrower error has', () => {
    const bad = reply(400, bodies.A) as AnyReply
    const old = [bad, createReply('4XX', bodies.A), createReply('5XX', bodies.A), createReply('default', bodies.A)]
    expect(witnessOf(old, [bad, createReply('4XX', bodies.B), createReply('5XX', bodies.A), createReply('default', bodies.A)])).toMatch(
      /\n\nHTTP\/1.1 401\n[^{]*\n\n\d+$/,
    )
    expect(witnessOf(old, [bad, createReply('4XX', bodies.A), createReply('5XX', bodies.A), createReply('default', bodies.B)])).toMatch(
      /\n\nHTTP\/1.1 300\n[^{]*\n\n\d+$/,
    )
  })

  test('problems of several types are the same, by whichever range they are declared', () => {
    const problems = (key: Key): readonly AnyReply[] => [
      { ...createReply(key, bodies.A), problem: { type: 'https://example.com/gone' } } as AnyReply,
      createReply(key, bodies.B),
    ]
    expect(diff(toManifest(problems('4XX')), toManifest([...problems('404'), ...problems('4XX')]))).toEqual([])
  })
})
