/** The specification's "Colors (range pagination)": the pages of each field, and where they are served. */

import { afterAll, describe, expect, test } from 'vitest'
import { service } from '../support/service.ts'
import { type Color, page } from './colors.ts'
import { comparable, nothing, problem, specify } from './expected.ts'
import { accepted, expected, partial, ranged } from './partial.ts'
import { send } from './send.ts'

const it = await service()
afterAll(it.close)

const first100 = expected('name', { limit: 100 })

describe('the rules', () => {
  specify(it.main, [
    ['1. when no Range header is sent, the default range on field name applies', 'GET /colors', first100],
    ['2. parts missing take their defaults: all of them', ranged('name'), first100],
    ['2. parts missing take their defaults: offset', ranged('name; limit 3; order asc'), expected('name', { limit: 3, order: 'asc' })],
    ['2. parts missing take their defaults: limit', ranged('name; offset 100'), expected('name', { offset: 100, limit: 100 })],
    ['2. parts missing take their defaults: order', ranged('name; offset 5; limit 3'), expected('name', { offset: 5, limit: 3 })],
    [
      '3. a given value means the items after that value, the value itself excluded',
      ranged('name red; limit 3; order asc'),
      expected('name', { after: 'red', limit: 3, order: 'asc' }),
    ],
    ['3. after a value in descending order', ranged('name red; limit 3'), expected('name', { after: 'red', limit: 3 })],
    ['3. the value need not exist', ranged('name redd; limit 3; order asc'), expected('name', { after: 'redd', limit: 3, order: 'asc' })],
    [
      '3. first the items after the value, then the offset skips',
      ranged('name red; offset 2; limit 3; order asc'),
      expected('name', { after: 'red', offset: 2, limit: 3, order: 'asc' }),
    ],
    ['4. the defaults spelled out', ranged('name; limit 100; offset 0; order desc'), first100],
    ['5. Range: name returns the first 100 items in descending name order', ranged('name'), first100],
    ['5. Range: name; limit 2: the first 2 in descending order', ranged('name; limit 2'), expected('name', { limit: 2 })],
    [
      '5. Range: name <value>; order asc; offset 1: up to 100 items after the value in ascending order',
      ranged('name lightgreen; order asc; offset 1'),
      expected('name', { after: 'lightgreen', order: 'asc', offset: 1, limit: 100 }),
    ],
    ['an empty page has no Content-Range', ranged('name zzz; order asc'), partial([], undefined)],
    ['a page that ends with the last item has no Next-Range', ranged('name; limit 148'), expected('name', { limit: 148 })],
    ['a page that ends before the last item has one', ranged('name; limit 147'), expected('name', { limit: 147 })],
    ['an offset behind the last item: an empty page', ranged('name; offset 148'), partial([], undefined)],
    ['the largest offset: an empty page', ranged('name; offset 9007199254740991'), partial([], undefined)],
    ['limit 0: an empty page without Next-Range, to ask for Total-Count alone', ranged('name; limit 0'), partial([], undefined)],
    ['limit 0 behind a value', ranged('rgb 5; limit 0; order asc'), partial([], undefined)],
  ])
})

describe('hex, an optional additional range', () => {
  specify(it.main, [
    ['Range: hex', ranged('hex %23ff0000; limit 2; order asc'), expected('hex', { after: '#ff0000', limit: 2, order: 'asc' })],
    [
      'the hash may stand as it is',
      ranged('hex #ff0000; limit 2; order asc'),
      expected('hex', { after: '#ff0000', limit: 2, order: 'asc' }),
    ],
    ['the limit is 100 here too', ranged('hex'), expected('hex', { limit: 100 })],
    [
      'equal values are ordered by name, in the same direction: asc',
      ranged('hex %2300fffe; limit 2; order asc'),
      partial(
        page('hex', { after: '#00fffe', limit: 2, order: 'asc' }).items,
        'hex %2300ffff..%2300ffff',
        'hex %2300ffff; offset 0; limit 2; order asc',
      ),
    ],
    [
      'equal values are ordered by name, in the same direction: desc',
      ranged('hex %23010000; limit 2'),
      partial(
        page('hex', { after: '#010000', limit: 2 }).items,
        'hex %2300ffff..%2300ffff',
        'hex %2300ffff; offset 0; limit 2; order desc',
      ),
    ],
  ])

  test('aqua and cyan are one color with two names', () => {
    expect(page('hex', { after: '#00fffe', limit: 2, order: 'asc' }).items.map(({ name }) => name)).toEqual(['aqua', 'cyan'])
    expect(page('hex', { after: '#010000', limit: 2 }).items.map(({ name }) => name)).toEqual(['cyan', 'aqua'])
  })
})

describe('rgb, an optional additional range: the sum of the three components, default limit 5', () => {
  const black: Color = { name: 'black', rgb: [0, 0, 0], hex: '#000000' }
  const darkgreen: Color = { name: 'darkgreen', rgb: [0, 100, 0], hex: '#006400' }
  const white: Color = { name: 'white', rgb: [255, 255, 255], hex: '#ffffff' }
  specify(it.main, [
    ['ascending from black', ranged('rgb; order asc; limit 1'), partial([black], 'rgb 0..0', 'rgb 0; offset 0; limit 1; order asc')],
    ['descending from white', ranged('rgb; limit 1'), partial([white], 'rgb 765..765', 'rgb 765; offset 0; limit 1; order desc')],
    [
      'after 0: black is excluded',
      ranged('rgb 0; order asc; limit 1'),
      partial([darkgreen], 'rgb 100..100', 'rgb 100; offset 0; limit 1; order asc'),
    ],
    [
      'after -1: black is the first',
      ranged('rgb -1; order asc; limit 1'),
      partial([black], 'rgb 0..0', 'rgb 0; offset 0; limit 1; order asc'),
    ],
    ['after the last: nothing', ranged('rgb 765; order asc'), partial([], undefined)],
  ])

  test('the default limit is 5', async () => {
    const { body } = comparable(await send(it.main, ranged('rgb')))
    expect(body).toEqual(page('rgb', { limit: 5 }).items)
  })

  test('another limit can be requested', async () => {
    const { body } = comparable(await send(it.main, ranged('rgb; limit 20')))
    expect(body).toEqual(page('rgb', { limit: 20 }).items)
  })
})

describe('limits', () => {
  test('a limit above MAX_RANGE_LIMIT is lowered to it, in Next-Range too', async () => {
    const small = await service({ environment: { MAX_RANGE_LIMIT: '7' } })
    try {
      expect(comparable(await send(small.main, ranged('name; limit 1000')))).toEqual(expected('name', { limit: 7 }))
      expect(comparable(await send(small.main, ranged('name; limit 9007199254740991; offset 2')))).toEqual(
        expected('name', { limit: 7, offset: 2 }),
      )
      expect(comparable(await send(small.main, 'GET /colors'))).toEqual(expected('name', { limit: 7 }))
      expect(comparable(await send(small.main, ranged('name; limit 3')))).toEqual(expected('name', { limit: 3 }))
      expect(comparable(await send(small.pagination, ranged('name; limit 1000')))).toEqual(expected('name', { limit: 7 }))
    } finally {
      await small.close()
    }
  })
})

describe('the pagination deployment', () => {
  specify(it.pagination, [
    ['GET /colors is the same there', 'GET /colors', first100],
    ['with a Range', ranged('name; limit 2'), expected('name', { limit: 2 })],
    ['HEAD', 'HEAD /colors', { ...first100, body: '' }],
    ['OPTIONS', 'OPTIONS /colors', nothing(204, { allow: 'GET, HEAD, OPTIONS', ...accepted })],
    ['a field that has no ranges', ranged('size'), problem(416, accepted)],
    ['it serves nothing else: users', 'GET /users', problem(404)],
    ['it serves nothing else: hello', 'GET /hello', problem(404)],
    ['it serves nothing else: static files', 'GET /static/x', problem(404)],
  ])
})
