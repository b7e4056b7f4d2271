/** "after <token>": a page that begins after one color, deleted or not, and the `Link` from page to page. */

import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { kind } from '../support/databases/database.ts'
import { service, serviceOfTest } from '../support/service.ts'
import { type Color, colors, inOrder, page } from './colors.ts'
import { comparable, problem, specify } from './expected.ts'
import { accepted, expected, partial, ranged, targetIn, tokenBehind } from './partial.ts'
import { send } from './send.ts'

const it = await service()
afterAll(it.close)

const afterPlum = await tokenBehind(it.main, 'name plu; order asc; limit 1')
const afterAqua = await tokenBehind(it.main, 'hex %2300fffe; order asc; limit 1')
const afterAquaAndCyan = await tokenBehind(it.main, 'hex %2300fffe; order asc; limit 2')
const afterCyan = await tokenBehind(it.main, 'hex %23010000; limit 1')
const [aqua, cyan] = page('hex', { after: '#00fffe', limit: 2, order: 'asc' }).items as [Color, Color]

describe('after <token>', () => {
  specify(it.main, [
    [
      'the colours strictly after the one that the token stands for',
      ranged(`name; after ${afterPlum}; limit 3; order asc`),
      expected('name', { after: 'plum', limit: 3, order: 'asc' }),
    ],
    ['in the other order as well', ranged(`name; after ${afterPlum}; limit 3`), expected('name', { after: 'plum', limit: 3 })],
    [
      'the offset counts from that colour',
      ranged(`name; after ${afterPlum}; offset 2; limit 3; order asc`),
      expected('name', { after: 'plum', offset: 2, limit: 3, order: 'asc' }),
    ],
    [
      'options come in any order, and may be left out',
      ranged(`name;order asc;after ${afterPlum}`),
      expected('name', { after: 'plum', limit: 100, order: 'asc' }),
    ],
    ['limit 0', ranged(`name; after ${afterPlum}; limit 0`), partial([], undefined)],
    [
      'the position is exact: between two colours of one value',
      ranged(`hex; after ${afterAqua}; limit 1; order asc`),
      partial([cyan], 'hex %2300ffff..%2300ffff', 'hex %2300ffff; offset 0; limit 1; order asc'),
    ],
    [
      'between two colours of one value, the other way',
      ranged(`hex; after ${afterCyan}; limit 1`),
      partial([aqua], 'hex %2300ffff..%2300ffff', 'hex %2300ffff; offset 0; limit 1; order desc'),
    ],
    [
      'turned round between two colours of one value',
      ranged(`hex; after ${afterAquaAndCyan}; limit 1`),
      partial([aqua], 'hex %2300ffff..%2300ffff', 'hex %2300ffff; offset 0; limit 1; order desc'),
    ],
    ['through the query', `GET /colors?range=name;after+${afterPlum};limit+3`, expected('name', { after: 'plum', limit: 3 })],
    [
      'HEAD has the same headers',
      { ...ranged(`name; after ${afterPlum}; limit 3`), line: 'HEAD /colors' },
      { ...expected('name', { after: 'plum', limit: 3 }), body: '' },
    ],
  ])

  test('Next-Range among equal values counts from the value before them', async () => {
    const first = 'rgb; order asc; limit 1'
    const sums = inOrder('rgb', 'asc').map(({ rgb }) => rgb.reduce((sum, one) => sum + one))
    let token = await tokenBehind(it.main, first)
    for (let index = 1; index < 30; index += 1) {
      const { headers } = await send(it.main, ranged(`rgb; order asc; limit 1; after ${token}`))
      const start = sums.slice(0, index + 1).findLastIndex((sum, at) => sum !== sums[at + 1])
      expect(headers['next-range']).toBe(
        start < 0 ? `rgb; offset ${index + 1}; limit 1; order asc` : `rgb ${sums[start]}; offset ${index - start}; limit 1; order asc`,
      )
      token = await tokenBehind(it.main, `rgb; order asc; limit 1; after ${token}`)
    }
  })
})

const [head, tail] = [afterPlum.slice(0, -1), afterPlum.slice(1)]
const refused: readonly (readonly [what: string, range: string])[] = [
  ['a forged token', 'name; after AAAA'],
  ['a word that is no token', 'name; after plum'],
  ['a token with a sign that none has', `name; after ${head}.`],
  ['a token with padding', `name; after ${afterPlum}=`],
  ['a token with its end cut off', `name; after ${head}`],
  ['a token with its beginning cut off', `name; after ${tail}`],
  ['a token with another first sign', `name; after ${afterPlum.startsWith('A') ? 'B' : 'A'}${tail}`],
  ['a token with another last sign', `name; after ${head}${afterPlum.endsWith('A') ? 'B' : 'A'}`],
  ['a token and a sign more', `name; after ${afterPlum}A`],
  ['a token for another field: hex for name', `name; after ${afterAqua}`],
  ['a token for another field: name for hex', `hex; after ${afterPlum}`],
  ['a token for another field: name for rgb', `rgb; after ${afterPlum}`],
  ['a token and a value', `name red; after ${afterPlum}`],
  ['a token twice', `name; after ${afterPlum}; after ${afterPlum}`],
  ['no token', 'name; after'],
  ['two tokens', `name; after ${afterPlum} ${afterPlum}`],
  ['another case', `name; After ${afterPlum}`],
]

describe('an invalid token: 400', () => {
  specify(
    it.main,
    refused.flatMap(([what, range]) => [
      [`${what}, in the header`, ranged(range), problem(400, accepted, { in: 'header', name: 'Range' })] as const,
      [
        `${what}, in the query`,
        `GET /colors?range=${encodeURIComponent(range)}`,
        problem(400, accepted, { in: 'query', name: 'range' }),
      ] as const,
    ]),
  )
})

test('a valid token with an unknown field: 416', async () => {
  expect(comparable(await send(it.main, ranged(`size; after ${afterPlum}`)))).toEqual(problem(416, accepted))
})

describe('a token stays valid', () => {
  const names = async (base: string, range: string): Promise<readonly string[]> =>
    (JSON.parse((await send(base, ranged(range))).text) as Color[]).map(({ name }) => name)

  test('when its color is deleted', async () => {
    const { main, database } = await serviceOfTest()
    const token = await tokenBehind(main, 'name plu; order asc; limit 1')
    await database.run('DELETE FROM colors WHERE name = ?', [['plum']])
    expect(await names(main, `name; after ${token}; limit 1; order asc`)).toEqual(['powderblue'])
    expect(await names(main, `name; after ${token}; limit 1`)).toEqual(['pink'])
  })

  test('when colors are inserted: later ones are shown, earlier ones shift nothing', async () => {
    const { main, database } = await serviceOfTest()
    const token = await tokenBehind(main, 'name plu; order asc; limit 1')
    await database.run('INSERT INTO colors (name, red, green, blue, hex) VALUES (?, 1, 2, 3, ?)', [
      ['aaa', '#010203'],
      ['plumbago', '#010203'],
    ])
    expect(await names(main, `name; after ${token}; limit 2; order asc`)).toEqual(['plumbago', 'powderblue'])
  })

  test('in the other deployment, and in another process with the same colours', async () => {
    const { main } = await serviceOfTest()
    const { items } = page('name', { after: 'plum', limit: 2 })
    for (const base of [it.pagination, main])
      expect(await names(base, `name; after ${afterPlum}; limit 2`)).toEqual(items.map(({ name }) => name))
  })
})

/** The names on the way along the Links, and what happens behind each page. */
async function walk(base: string, first: string, between: () => Promise<void> = async () => {}): Promise<readonly string[]> {
  const names: string[] = []
  for (let target: string | undefined = `/colors?range=${encodeURIComponent(first)}`; target !== undefined; ) {
    const { status, headers, text } = await send(base, `GET ${target}`)
    if (status !== 206) throw new Error(`${target}: ${status}`)
    names.push(...(JSON.parse(text) as Color[]).map(({ name }) => name))
    if (names.length > 3 * colors.length) throw new Error(`The walk from "${first}" does not end.`)
    target = targetIn(headers['link'])
    await between()
  }
  return names
}

const ways = (['name', 'hex', 'rgb'] as const).flatMap((field) => (['asc', 'desc'] as const).map((order) => [field, order] as const))

describe.each(ways)('following Link by %s, %s', (field, order) => {
  const all = inOrder(field, order).map(({ name }) => name)

  test.each(kind === 'sqlite' ? [1, 7, 74, 147, 148] : [7, 147, 148])('visits each color once, in order, in pages of %d', async (size) => {
    expect(await walk(it.main, `${field}; limit ${size}; order ${order}`)).toEqual(all)
    if (size > 1) expect(await walk(it.pagination, `${field}; limit ${size}; order ${order}; offset 3`)).toEqual(all.slice(3))
  })

  test('visits each unchanged color once while others are added and removed', async () => {
    const { main, database } = await serviceOfTest()
    const { run, close } = await database.session()
    onTestFinished(close)
    // Every third colour goes, the last one seen among them; as many come, on either side of where the walk is.
    const going = all.filter((_, index) => index % 3 === 2)
    let turn = 0
    const visited = await walk(main, `${field}; limit 3; order ${order}`, async () => {
      const gone = going[turn]
      if (gone === undefined) return
      await run('DELETE FROM colors WHERE name = ?', [[gone]])
      await run('INSERT INTO colors (name, red, green, blue, hex) VALUES (?, ?, ?, ?, ?)', [
        [`new${turn}`, turn, turn, turn, '#123456'],
        [`a${turn}`, 255 - turn, 255, 255, '#fedcba'],
      ])
      turn += 1
    })
    const untouched = all.filter((name) => !going.includes(name))
    expect(visited.filter((name) => untouched.includes(name))).toEqual(untouched)
    expect(new Set(visited).size).toBe(visited.length)
  })
})
