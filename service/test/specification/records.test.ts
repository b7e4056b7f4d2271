/** The specification's "Resources and their fields": the members of each record and their types. */

import { afterAll, describe, expect, test } from 'vitest'
import { service, serviceOfTest } from '../support/service.ts'
import { comparable, item, json, nothing, problem, specify } from './expected.ts'
import { albert, ann, client, email } from './known.ts'
import { type Sent, send, withBody, withHeaders, withJson } from './send.ts'

const it = await service({ files: { 'myfile.txt': 'Text\n' }, environment: { SECRET_TOKEN: 'x' } })
afterAll(it.close)

const isCalendarDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)

/** The type of a value in the words of the specification. */
function typeOf(value: unknown): string {
  if (Array.isArray(value)) return `array of ${[...new Set(value.map(typeOf))].join(' or ')}, ${value.length}`
  if (Number.isSafeInteger(value)) return 'integer'
  if (typeof value !== 'string') return value === null ? 'null' : typeof value
  if (isCalendarDate(value)) return 'date'
  return /^#[0-9a-f]{6}$/.test(value) ? '# and six hexadecimal digits' : 'string'
}

const typesOf = (record: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(record as object).map(([name, value]) => [name, typeOf(value)]))

const user = { name: 'string', age: 'integer', email: 'string', registration_date: 'date' }
const color = { name: 'string', rgb: 'array of integer, 3', hex: '# and six hexadecimal digits' }
const person = { firstName: 'string', lastName: 'string' }

const records: readonly (readonly [string, string | Sent, Record<string, string>])[] = [
  ['User', 'GET /users', user],
  ['User', 'GET /users/1', user],
  ['User', 'GET /user/2', user],
  ['User', 'GET /albert', user],
  ['User', 'GET /isaac', user],
  ['User', 'GET /headers/both', user],
  ['Position', 'GET /position/1/2', { xCoord: 'integer', yCoord: 'integer' }],
  ['HelloMessage', 'GET /hello', { msg: 'string' }],
  ['Email', withJson('POST /marketing', client), { from: 'string', to: 'string', subject: 'string', body: 'string' }],
  ['Person', 'GET /persons', person],
  ['FileContent', 'GET /myfile.txt', { content: 'string' }],
  ['Color', 'GET /colors', color],
  ['Color', withHeaders('GET /colors', { Range: 'hex' }), color],
  ['Product', 'GET /products', { productId: 'integer' }],
  ['Product', 'GET /products/1', { productId: 'integer' }],
]

test.each(records)('%s of %j: these members, of these types, and no others', async (_record, request, expected) => {
  const { body } = comparable(await send(it.main, request))
  const all: unknown[] = Array.isArray(body) ? body : [body]
  expect(all.length).toBeGreaterThan(0)
  for (const record of all) expect(typesOf(record)).toEqual(expected)
})

test('User of /userStream: these members, of these types, and no others', async () => {
  const { text } = await send(it.main, 'GET /userStream')
  const lines = text.trim().split('\n')
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(typesOf(JSON.parse(line))).toEqual(user)
})

test('rgb and hex of every Color agree, and each component is one byte', async () => {
  const { body } = comparable(await send(it.main, withHeaders('GET /colors', { Range: 'name; limit 1000' })))
  expect(body).toHaveLength(148)
  for (const { rgb, hex } of body as { rgb: number[]; hex: string }[]) {
    expect(rgb).toHaveLength(3)
    expect(`#${rgb.map((component) => component.toString(16).padStart(2, '0')).join('')}`).toBe(hex)
    expect(hex).toHaveLength(7)
  }
})

test('a Product has the optional further member name', async () => {
  const { main } = await serviceOfTest()
  expect(comparable(await send(main, withJson('POST /products', { productId: 7, name: 'Seven' })))).toEqual(
    nothing(201, { location: '/products/7' }),
  )
  expect(comparable(await send(main, 'GET /products/7'))).toEqual(item({ productId: 7, name: 'Seven' }))
})

test.each([
  ['name of a Product', { line: 'POST /products', record: (name: string) => ({ productId: 8, name }) }, 500, 201, 'name'],
  ['secret of a Secret', { line: 'POST /secret', record: (secret: string) => ({ secret }) }, 500, 204, 'secret'],
] as const)('the %s has a length', async (_text, { line, record }, maxLength, status, name) => {
  const { main } = await serviceOfTest({ environment: { SECRET_TOKEN: 'x' } })
  const post = async (length: number): Promise<unknown> => {
    const sent = withJson(line, record('ä'.repeat(length)))
    return comparable(await send(main, { ...sent, headers: { ...sent.headers, Authorization: 'Bearer x' } }))
  }
  expect(await post(maxLength + 1)).toEqual(problem(400, {}, { in: 'body', pointer: `/${name}` }))
  expect(await post(maxLength)).toMatchObject({ status })
})

test('rows of an older version may be longer, and are read as they are', async () => {
  const { main, database } = await serviceOfTest()
  const long = 'ä🌍'.repeat(50_000)
  const old = { ...ann, email: long }
  const { name, age, email, registration_date } = old
  const day = registration_date
  await database.run('INSERT INTO users (name, age, email, registration_date) VALUES (?, ?, ?, ?)', [[name, age, email, day]])
  await database.run('INSERT INTO products (product_id, name) VALUES (?, ?)', [[9, long]])
  expect(comparable(await send(main, 'GET /users/4'))).toEqual(item(old))
  const isOld = (user: unknown): boolean => JSON.stringify(user) === JSON.stringify(old)
  for (const target of ['/users', '/users?sortby=name', '/users?sortby=age']) {
    const { body } = comparable(await send(main, `GET ${target}`))
    expect(body).toHaveLength(4)
    expect((body as unknown[]).filter(isOld)).toHaveLength(1)
  }
  expect(comparable(await send(main, 'GET /products')).body).toContainEqual({ productId: 9, name: long })
})

describe('ClientInfo', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(client).filter(([member]) => member !== name))
  test.each(Object.keys(client))('%s is required', async (name) => {
    expect(comparable(await send(it.main, withJson('POST /marketing', without(name))))).toEqual(
      problem(400, {}, { in: 'body', pointer: `/${name}` }),
    )
  })

  const typed = (change: object): Sent => withJson('POST /marketing', { ...client, ...change })
  specify(it.main, [
    ['clientName is a string', typed({ clientName: 1 }), problem(400, {}, { in: 'body', pointer: '/clientName' })],
    ['clientEmail is a string', typed({ clientEmail: null }), problem(400, {}, { in: 'body', pointer: '/clientEmail' })],
    ['clientAge is an integer', typed({ clientAge: 26.5 }), problem(400, {}, { in: 'body', pointer: '/clientAge' })],
    [
      'clientInterestedIn is an array',
      typed({ clientInterestedIn: 'haskell' }),
      problem(400, {}, { in: 'body', pointer: '/clientInterestedIn' }),
    ],
    [
      'clientInterestedIn is an array of string',
      typed({ clientInterestedIn: ['haskell', 1] }),
      problem(400, {}, { in: 'body', pointer: '/clientInterestedIn/1' }),
    ],
    [
      'everything that is wrong is said at once',
      withJson('POST /marketing', {}),
      problem(400, {}, ...Object.keys(client).map((name) => ({ in: 'body', pointer: `/${name}` }) as const)),
    ],
    ['the record is an object', withJson('POST /marketing', [client]), problem(400, {}, { in: 'body', pointer: '' })],
    ['the record is not null', withJson('POST /marketing', null), problem(400, {}, { in: 'body', pointer: '' })],
    ['further members are ignored', typed({ further: true }), json(email)],
  ])
})

describe('User in requests', () => {
  const put = (change: object): Sent => withJson('PUT /users/2', { ...ann, ...change })
  const raw = (name: string, text: string): Sent =>
    withBody('PUT /users/2', 'application/json', JSON.stringify({ ...ann, [name]: 'here' }).replace('"here"', text))
  const refused = (name: string) => problem(400, {}, { in: 'body', pointer: `/${name}` })

  test.each(['2024-02-29', '1683-03-01', '2000-02-29', '0001-01-01', '9999-12-31', '2024-12-31'])(
    'registration_date may be %s',
    async (day) => {
      const { main } = await serviceOfTest()
      expect(comparable(await send(main, put({ registration_date: day })))).toEqual(nothing(204))
      expect(comparable(await send(main, 'GET /users/2'))).toEqual(item({ ...ann, registration_date: day }))
    },
  )

  test.each([
    '2023-02-29',
    '1900-02-29',
    '2024-02-30',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '2024-1-1',
    '24-01-01',
    '2024/01/01',
    '01-01-2024',
    '2024-01-01T00:00:00Z',
    ' 2024-01-01',
    '2024-01-01\n',
    '20240101',
    '+12024-01-01',
    '0000-01-01',
    '',
    20240101,
    null,
    true,
    [],
    {},
  ])('registration_date may not be %j', async (day) => {
    expect(comparable(await send(it.main, put({ registration_date: day })))).toEqual(refused('registration_date'))
  })

  test('name may have at most 500 characters of any kind', async () => {
    const { main } = await serviceOfTest()
    // Of three bytes each, and none like the one before: nothing that a database could make shorter.
    const name = Array.from({ length: 500 }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7919) % 20_000))).join('')
    expect(comparable(await send(main, put({ name })))).toEqual(nothing(204))
    expect(comparable(await send(main, 'GET /users/2'))).toEqual(item({ ...ann, name }))
    expect(comparable(await send(main, 'GET /users?sortby=name')).status).toBe(200)
    expect(comparable(await send(main, put({ name: `${name}x` })))).toEqual(refused('name'))
  })

  test('email may have at most 320 characters', async () => {
    const { main } = await serviceOfTest()
    const email = 'ä'.repeat(320)
    expect(comparable(await send(main, put({ email })))).toEqual(nothing(204))
    expect(comparable(await send(main, 'GET /users/2'))).toEqual(item({ ...ann, email }))
    expect(comparable(await send(main, put({ email: `${email}x` })))).toEqual(refused('email'))
  })

  test.each([
    ['1.0', 1],
    ['1e2', 100],
    ['-5', -5],
    ['-0', 0],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
  ])('age may be %s', async (text, age) => {
    const { main } = await serviceOfTest()
    expect(comparable(await send(main, raw('age', text)))).toEqual(nothing(204))
    expect(comparable(await send(main, 'GET /users/2'))).toEqual(item({ ...ann, age }))
  })

  test.each(['1.5', '"1"', 'null', 'true', '[]', '{}', '""'])('age may not be %s', async (text) => {
    expect(comparable(await send(it.main, raw('age', text)))).toEqual(refused('age'))
  })

  test.each(['9007199254740992', '-9007199254740992', '9007199254740993', '9007199254740990.5', '1e400', '1e16'])(
    'age may not be %s, which would be rounded',
    async (text) => {
      expect((await send(it.main, raw('age', text))).status).toBe(400)
    },
  )

  test.each(['', 'Zoë 🌍', 'a\nb', '<b>', "'; DROP TABLE users; --", '\u0001', 'x'.repeat(500)])('name may be %j', async (name) => {
    const { main } = await serviceOfTest()
    expect(comparable(await send(main, put({ name })))).toEqual(nothing(204))
    expect(comparable(await send(main, 'GET /users/2'))).toEqual(item({ ...ann, name }))
  })

  test.each([
    ['name', '"\\u0000"'],
    ['name', '"\\ud800"'],
    ['email', '"a\\u0000b"'],
    ['email', '1'],
    ['name', 'null'],
  ])('%s may not be %s', async (name, text) => {
    expect(comparable(await send(it.main, raw(name, text)))).toEqual(refused(name))
  })

  test('undeclared members are never stored', async () => {
    const { main } = await serviceOfTest()
    const more = JSON.stringify(ann).replace('{', '{"admin":true,"__proto__":{"age":1},"constructor":1,"id":1,')
    const { status, headers } = await send(main, withBody('POST /users', 'application/json', more))
    expect({ status, location: headers['location'] }).toEqual({ status: 201, location: '/users/4' })
    expect(comparable(await send(main, 'GET /users/4'))).toEqual(item(ann))
    expect(comparable(await send(main, 'GET /users/1')).body).not.toEqual(ann)
  })
})

test('the Error record: status, reason phrase, body and headers exactly as set', async () => {
  const { status, reason, headers, text } = await send(it.main, 'GET /echo/unavailable')
  expect({ status, reason, type: headers['content-type'], 'retry-after': headers['retry-after'] }).toEqual({
    status: 503,
    reason: 'Service Unavailable',
    type: 'text/plain;charset=utf-8',
    'retry-after': '1',
  })
  expect(text).toMatch(/^Sorry, /)
})

test('registration_date is served as an ISO 8601 calendar date', async () => {
  expect(comparable(await send(it.main, 'GET /albert'))).toEqual(json(albert))
})
