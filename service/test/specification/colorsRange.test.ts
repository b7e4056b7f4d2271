/** The specification's "Range value (pagination)": the syntax of a Range, and invalid ones. */

import { afterAll, describe, expect, test } from 'vitest'
import { service } from '../support/service.ts'
import { comparable, problem, specify, wrong } from './expected.ts'
import { accepted, expected, ranged } from './partial.ts'
import { exchange, type Sent, send, withHeaders } from './send.ts'

const it = await service()
afterAll(it.close)

const first100 = expected('name', { limit: 100 })
const malformed = problem(400, accepted, { in: 'header', name: 'Range' })

describe('the syntax of a range', () => {
  const three = expected('name', { after: 'red', offset: 1, limit: 3, order: 'asc' })
  specify(it.main, [
    ['options come in any order', ranged('name red; order asc; limit 3; offset 1'), three],
    ['options come in any other order', ranged('name red; limit 3; offset 1; order asc'), three],
    ['spaces around ; are free: none', ranged('name red;offset 1;limit 3;order asc'), three],
    ['spaces around ; are free: many', ranged('name red   ;   offset 1  ;  limit 3 ;order asc'), three],
    ['numbers may have zeros in front', ranged('name red; offset 01; limit 003; order asc'), three],
    ['the value is percent-encoded UTF-8', ranged('name r%65d; offset 1; limit 3; order asc'), three],
    ['a value with a space, encoded', ranged('name r%20; limit 1; order asc'), expected('name', { after: 'r ', limit: 1, order: 'asc' })],
    [
      'a value with a semicolon, encoded',
      ranged('name r%3B; limit 1; order asc'),
      expected('name', { after: 'r;', limit: 1, order: 'asc' }),
    ],
    ['a value beyond ASCII, encoded', ranged('name %C3%A9; limit 1'), expected('name', { after: 'é', limit: 1 })],
    ['a value with =', ranged('name a=b; limit 1; order asc'), expected('name', { after: 'a=b', limit: 1, order: 'asc' })],
    ['a value like an option', ranged('name limit; limit 1; order asc'), expected('name', { after: 'limit', limit: 1, order: 'asc' })],
    ['the name of the header has no case', withHeaders('GET /colors', { RANGE: 'name; limit 2' }), expected('name', { limit: 2 })],
  ])
})

describe('a malformed Range: 400', () => {
  test.each([
    ['empty', ''],
    ['a semicolon alone', ';'],
    ['options alone', '; limit 2'],
    ['an option in place of the field', 'limit 2; name'],
    ['two words after the field', 'name red green'],
    ['two words after the field and options', 'name red green; limit 2'],
    ['a trailing ;', 'name;'],
    ['a trailing ; behind options', 'name; limit 2;'],
    ['two ; in a row', 'name;; limit 2'],
    ['an unknown option', 'name; size 2'],
    ['an option in another case', 'name; Limit 2'],
    ['an order in another case', 'name; order ASC'],
    ['an order that is none', 'name; order up'],
    ['an order that is missing', 'name; order'],
    ['a limit that is missing', 'name; limit'],
    ['an option of two values', 'name; limit 2 3'],
    ['an option with =', 'name; limit=2'],
    ['a negative limit', 'name; limit -1'],
    ['a negative offset', 'name; offset -1'],
    ['a limit that is no integer', 'name; limit 2.5'],
    ['a limit with an exponent', 'name; limit 1e2'],
    ['a limit with a sign', 'name; limit +2'],
    ['a limit that is no number', 'name; limit two'],
    ['a limit beyond the integers', 'name; limit 9007199254740992'],
    ['an offset beyond the integers', 'name; offset 9007199254740992'],
    ['limit twice', 'name; limit 2; limit 2'],
    ['offset twice', 'name; offset 0; offset 0'],
    ['order twice', 'name; order asc; order desc'],
    ['a value that does not convert', 'rgb red'],
    ['a value that is no integer', 'rgb 1.5'],
    ['a value beyond the integers', 'rgb 9007199254740992'],
    ['a value of bad percent-encoding', 'name %'],
    ['a value of percent-encoded Latin-1', 'name %E9'],
    ['a value with NUL, which not every database can hold', 'name a%00'],
    ['a value with a raw byte beyond ASCII', 'name \xe9'],
    ['a field that is none', '; name'],
    ['a field with a comma', 'name, hex'],
    ['a malformed option of an unknown field', 'size; limit x'],
  ])('%s: %j', async (_what, range) => {
    expect(comparable(await send(it.main, ranged(range)))).toEqual(malformed)
  })

  test.each([
    ['the same twice', ['name', 'name']],
    ['two fields', ['name', 'hex']],
    ['each with options', ['name; limit 2', 'name; limit 2']],
    ['an empty one behind', ['name', '']],
    ['an empty one behind a value', ['name red', '']],
    ['an empty one behind options', ['name; limit 2', '']],
    ['an empty one in front', ['', 'name']],
    ['another unit behind', ['name', 'bytes=0-99']],
    ['another unit in front', ['bytes=0-99', 'name']],
    ['another unit twice', ['bytes=0-99', 'bytes=0-99']],
  ])('two Range headers, %s: %j', async (_what, ranges) => {
    const { status, body } = comparable(await send(it.main, withHeaders('GET /colors', { Range: ranges })))
    expect({ status, errors: (body as { errors: unknown }).errors }).toEqual({
      status: 400,
      errors: [wrong({ in: 'header', name: 'Range' })],
    })
  })

  test('two Range headers on a raw socket', async () => {
    const response = await exchange(
      it.main,
      'GET /colors HTTP/1.1\r\nHost: x\r\nRange: name red\r\nRange: name blue\r\nConnection: close\r\n\r\n',
    )
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('a field that is not an allowed range field: 416 with Accept-Ranges', () => {
  test.each(['size', 'size; limit 2', 'size 5', 'Name', 'NAME', 'name_', 'constructor', '__proto__', 'toString', 'productId'])(
    '%s',
    async (range) => {
      expect(comparable(await send(it.main, ranged(range)))).toEqual(problem(416, accepted))
    },
  )
})

describe('a Range in another unit: ignored', () => {
  test.each(['bytes=0-99', 'bytes=0-1, 5-9', 'items=1', 'name=red', 'x='])('%s', async (range) => {
    expect(comparable(await send(it.main, ranged(range)))).toEqual(first100)
  })
})

describe('GET /colors?range=<the header’s text, percent-encoded> means the same as the header', () => {
  const withRange = (range: string) => `GET /colors?range=${encodeURIComponent(range)}`
  const refused = problem(400, accepted, { in: 'query', name: 'range' })

  test.each([
    'name',
    'name; limit 2',
    'name red; order asc; offset 1; limit 3',
    'rgb',
    'rgb 100; order asc',
    'hex %23ff0000; limit 2',
    'name r%65d',
    'size',
    'name; limit 0',
  ])('%s', async (range) => {
    expect(comparable(await send(it.main, withRange(range)))).toEqual(comparable(await send(it.main, ranged(range))))
  })

  specify(it.main, [
    ['spaces may be written as plus', 'GET /colors?range=name;+limit+2', expected('name', { limit: 2 })],
    ['range without = is absent', 'GET /colors?range', first100],
    ['both given: 400', withHeaders('GET /colors?range=name', { Range: 'name' }), refused],
    ['both given, one in another unit: 400', withHeaders('GET /colors?range=name', { Range: 'bytes=0-99' }), refused],
    ['an empty text: 400', 'GET /colors?range=', refused],
    ['a malformed text: 400', withRange('name;'), refused],
    ['another unit: 400', withRange('bytes=0-99'), refused],
  ])
})

test.each([
  ['range twice', 'GET /colors?range=name&range=name', { in: 'query', name: 'range' }],
  ['bad percent-encoding', 'GET /colors?range=%zz', { in: 'query', name: 'range' }],
] as const)('GET /colors?range=, %s: 400', async (_what, request, place) => {
  const { status, body } = comparable(await send(it.main, request))
  expect({ status, errors: (body as { errors: unknown }).errors }).toEqual({ status: 400, errors: [wrong(place)] })
})

describe('Accept-Ranges: name,hex,rgb on every response', () => {
  const getAcceptRanges = async (request: string | Sent) => (await send(it.main, request)).headers['accept-ranges']
  test.each([
    ['206', 'GET /colors'],
    ['206 with an empty page', ranged('name; limit 0')],
    ['206 to HEAD', 'HEAD /colors'],
    ['400 for a malformed Range', ranged('name;')],
    ['400 for two Range headers', withHeaders('GET /colors', { Range: ['name', 'name'] })],
    ['400 for a range given twice in the query', 'GET /colors?range=name&range=name'],
    ['400 for a query that cannot be read', 'GET /colors?other=%ff'],
    ['416', ranged('size')],
    ['406', withHeaders('GET /colors', { Accept: 'image/png' })],
    ['405', 'POST /colors'],
    ['405 for a method of another protocol', 'PROPFIND /colors'],
    ['204 to OPTIONS', 'OPTIONS /colors'],
    ['204 to OPTIONS with a slash behind', 'OPTIONS /colors/'],
  ])('%s', async (_what, request) => {
    expect(await getAcceptRanges(request)).toBe('name,hex,rgb')
  })
})
