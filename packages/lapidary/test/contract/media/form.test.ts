/** Forms: the reader reads what the writer writes. */

import fc from 'fast-check'
import { form, ParseError } from 'lapidary'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { getJsonSchema } from '../../../src/json-schema/standardSchema.ts'

const Order = z.object({
  item: z.string(),
  count: z.int(),
  price: z.number(),
  gift: z.boolean(),
  size: z.enum(['small', 'large']),
  note: z.string().optional(),
  tags: z.array(z.string()),
  sizes: z.array(z.int()),
})
const schema = getJsonSchema(Order)
const encoder = new TextEncoder()
const read = (text: string | Uint8Array, by: typeof schema | undefined = schema): unknown =>
  form.reader?.(by)(typeof text === 'string' ? encoder.encode(text) : text)
const write = form.writer(schema)

const text = fc.string({ unit: 'grapheme' })
const orders = fc.record(
  {
    item: text,
    count: fc.maxSafeInteger(),
    price: fc.integer({ min: -1e6, max: 1e6 }).map((cents) => cents / 100),
    gift: fc.boolean(),
    size: fc.constantFrom('small', 'large'),
    note: text,
    tags: fc.array(text),
    sizes: fc.array(fc.integer()),
  },
  { requiredKeys: ['item', 'count', 'price', 'gift', 'size', 'tags', 'sizes'] },
)

test('a written form is read to the same value', () => {
  fc.assert(
    fc.property(orders, (order) => {
      expect(read(write(order) as string)).toEqual(JSON.parse(JSON.stringify(order)))
    }),
  )
})

test('URLSearchParams reads a written form to the same pairs', () => {
  fc.assert(
    fc.property(fc.record({ item: text, tags: fc.array(text) }), ({ item, tags }) => {
      const written = write({ item, tags }) as string
      const pairs = new URLSearchParams(written)
      expect([pairs.get('item'), pairs.getAll('tags')]).toEqual([item, tags])
    }),
  )
})

test('a form that URLSearchParams writes is read', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
      const parameters = new URLSearchParams(pairs)
      const names = new Set(parameters.keys())
      expect(form.reader?.(undefined)(encoder.encode(parameters.toString()))).toEqual(
        Object.fromEntries([...names].map((name) => [name, parameters.getAll(name)])),
      )
    }),
  )
})

test('members that are not declared are not written', () => {
  expect(write({ item: 'tea', secret: 1, note: undefined })).toBe('item=tea')
})

test.each<[what: string, value: object]>([
  ['an object', { item: {} }],
  ['null', { item: null }],
  ['undefined in a list', { tags: [undefined] }],
  ['a list in a list', { tags: [['a']] }],
  ['half of a character', { item: '\ud800' }],
])('%s is not written', (_what, value) => {
  expect(() => write(value)).toThrow(TypeError)
})

test('half of a character is no name', () => {
  expect(() => form.writer(undefined)({ '\ud800': 'a' })).toThrow('A text with a lone surrogate cannot be encoded as UTF-8.')
})

test('blanks are written as +, each of them', () => {
  expect(form.writer(undefined)({ 'a b c': ' d +' })).toBe('a+b+c=+d+%2B')
})

const right = 'item=a&count=1&price=1.5&gift=true&size=small'
const flaw = (pointer: string, detail: string) => new ParseError([{ pointer, detail }])

test.each<[string, ParseError]>([
  [`${right}&item=b`, flaw('/item', 'expected one value, got 2')],
  [right.replace('item=a&', ''), flaw('/item', 'expected a string, got nothing')],
  [right.replace('count=1', 'count=1.0'), flaw('/count', 'expected an integer such as 42, within ±9007199254740991')],
  [right.replace('count=1', 'count='), flaw('/count', 'expected an integer such as 42, within ±9007199254740991')],
  [right.replace('count=1', 'count=9007199254740993'), flaw('/count', 'expected an integer such as 42, within ±9007199254740991')],
  [right.replace('1.5', '1e3'), flaw('/price', 'expected a number such as 1.5')],
  [right.replace('1.5', '0x10'), flaw('/price', 'expected a number such as 1.5')],
  [right.replace('1.5', 'NaN'), flaw('/price', 'expected a number such as 1.5')],
  [right.replace('1.5', '9007199254740993'), flaw('/price', 'expected a number such as 1.5')],
  [right.replace('1.5', '1'.repeat(400)), flaw('/price', 'expected a number such as 1.5')],
  [right.replace('gift=true', 'gift=on'), flaw('/gift', 'expected true or false')],
  [`${right}&sizes=1&sizes=x`, flaw('/sizes', 'expected an integer such as 42, within ±9007199254740991')],
  [`${right}&x=%zz`, flaw('/x', 'expected percent-encoded UTF-8')],
])('%s is rejected', (text, refusal) => {
  const found = read(text) as ParseError
  expect(found).toBeInstanceOf(ParseError)
  expect(found.issues).toEqual(refusal.issues)
})

test('a name alone has an empty text', () => {
  expect(read(right.replace('item=a', 'item'))).toMatchObject({ item: '' })
  expect(form.reader?.(undefined)(encoder.encode('a&a=&b=1'))).toEqual({ a: ['', ''], b: ['1'] })
})

test.each<[what: string, bytes: Uint8Array, detail: string]>([
  ['bytes that are not UTF-8', Uint8Array.of(0x61, 0x3d, 0xff), 'expected UTF-8 text'],
  ['a name that is not percent-encoded', encoder.encode('%zz=1'), 'expected percent-encoded UTF-8'],
])('%s are no member, so that the issue names none', (_what, bytes, detail) => {
  expect(read(bytes)).toEqual(flaw('', detail))
})

test('an issue escapes the name of its member', () => {
  const Odd = getJsonSchema(z.object({ 'a/b': z.int(), 'c~d': z.int() }))
  expect((read('c~d=x', Odd) as ParseError).issues.map(({ pointer }) => pointer)).toEqual(['/a~1b', '/c~0d'])
})

test('all errors are reported at once', () => {
  expect((read('item=a&item=b&count=x') as ParseError).issues.map(({ pointer }) => pointer)).toEqual([
    '/item',
    '/count',
    '/price',
    '/gift',
    '/size',
  ])
})

test('a nullable member is read as its other type', () => {
  const Nullable = getJsonSchema(z.object({ count: z.int().nullable(), note: z.string().nullish() }))
  expect(read('count=3&note=a', Nullable)).toEqual({ count: 3, note: 'a' })
})

test('the members of an intersection are the members of its parts', () => {
  const Both = getJsonSchema(z.intersection(z.object({ a: z.int() }), z.object({ b: z.array(z.string()) })))
  expect(read('a=1&b=x', Both)).toEqual({ a: 1, b: ['x'] })
  expect(read('b=x', Both)).toEqual(flaw('/a', expect.stringMatching(/^expected an integer.*, got nothing$/) as unknown as string))
})

test('a member has the type of one of its parts', () => {
  const properties = {
    all: { allOf: [{ type: 'integer' }, { minimum: 1 }] },
    any: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
    list: { type: 'array' },
  }
  expect(read('all=3&any=true&list=1&list=b', { type: 'object', properties })).toEqual({ all: 3, any: true, list: ['1', 'b'] })
})

test('a member __proto__ is a member like any other', () => {
  const schema = { type: 'object', properties: { ['__proto__']: { type: 'string' }, list: { type: 'array' } }, required: ['__proto__'] }
  expect(JSON.stringify(read('__proto__=a&list=b', schema))).toBe('{"__proto__":"a","list":["b"]}')
  const lists = { type: 'object', properties: { ['__proto__']: { type: 'array', items: { type: 'string' } } } }
  expect(JSON.stringify(read('__proto__=a&__proto__=b', lists))).toBe('{"__proto__":["a","b"]}')
})

test('unknown names are ignored, also those of Object.prototype', () => {
  expect(read(`${right}&__proto__=1&constructor=2&nobody=3`)).toEqual({
    item: 'a',
    count: 1,
    price: 1.5,
    gift: true,
    size: 'small',
    tags: [],
    sizes: [],
  })
  expect(({} as Record<string, unknown>)['nobody']).toBe(undefined)
})

test('one byte order mark at the start is skipped, as in every body, and any other is a character', () => {
  expect(form.reader?.(undefined)(encoder.encode('\ufeff\ufeffname=\ufeff'))).toEqual({ '\ufeffname': ['\ufeff'] })
})
