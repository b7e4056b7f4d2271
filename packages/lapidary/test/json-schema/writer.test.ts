/** Writing JSON by a schema: declared members alone, and never a value of the wrong type. */
import { type } from 'arktype'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { list } from '../../src/contract/list.ts'
import { compileWriter, type WriteStrategy } from '../../src/json-schema/compileWriter.ts'
import type { JsonSchema } from '../../src/json-schema/jsonSchema.ts'
import { getJsonSchema, type Schema } from '../../src/json-schema/standardSchema.ts'
import { createWriter } from '../../src/json-schema/writer.ts'
import { Tree } from '../support/recursiveType.ts'

const writing = (schema: Schema<unknown, unknown>) => createWriter(getJsonSchema(schema))

const Point = z.object({ x: z.int(), y: z.int() })
const Circle = z.object({ kind: z.literal('circle'), radius: z.number() })
const Square = z.object({ kind: z.literal('square'), side: z.number(), name: z.string().optional() })

const int = fc.maxSafeInteger()
const number = fc.double({ noNaN: true, noDefaultInfinity: true })
const text = fc.string({ unit: 'binary' })
const point = fc.record({ x: int, y: int })
const tree: fc.Memo<Tree> = fc.memo((depth) =>
  fc.record({ value: int, branches: depth > 1 ? fc.array(tree(depth - 1), { maxLength: 3 }) : fc.constant([]) }),
)

/** Schemas with values that have all that is declared, and nothing else. */
const forms: readonly (readonly [name: string, schema: Schema<unknown, unknown>, values: fc.Arbitrary<unknown>])[] = [
  ['a text', z.string(), text],
  ['an integer', z.int(), int],
  ['a number', z.number(), number],
  ['a truth value', z.boolean(), fc.boolean()],
  ['null', z.null(), fc.constant(null)],
  ['anything', z.any(), fc.jsonValue()],
  ['a constant', z.literal('a'), fc.constant('a')],
  ['several constants', z.literal(['a', 1, true]), fc.constantFrom('a', 1, true)],
  ['one of several names', z.enum(['a', 'b"', '\u2028']), fc.constantFrom('a', 'b"', '\u2028')],
  ['a text or null', z.string().nullable(), fc.option(text)],
  ['an object', Point, point],
  [
    'an object with an optional member',
    z.object({ a: z.int(), b: z.string().optional() }),
    fc.record({ a: int, b: text }, { requiredKeys: ['a'] }),
  ],
  ['an object with a member that may be null', z.object({ a: Point.nullable() }), fc.record({ a: fc.option(point) })],
  ['an object with odd names', z.object({ 'a"b': z.int(), '': z.int() }), fc.record({ 'a"b': int, '': int })],
  [
    'objects inside objects',
    z.object({ a: z.object({ b: Point }), c: z.array(Point) }),
    fc.record({ a: fc.record({ b: point }), c: fc.array(point) }),
  ],
  ['a list', z.array(z.string()), fc.array(text)],
  ['a list of lists', z.array(z.array(z.int())), fc.array(fc.array(int))],
  ['a list of our own', list(Point), fc.array(point)],
  ['a list of our own of a type that contains itself', list(Tree), fc.array(tree(3))],
  ['a tuple', z.tuple([z.int(), z.string()]), fc.tuple(int, text)],
  ['a tuple with a rest', z.tuple([z.int()], z.string()), fc.tuple(int, text, text)],
  ['a record', z.record(z.string(), z.int()), fc.dictionary(text, int)],
  ['a record of objects', z.record(z.string(), Point), fc.dictionary(text, point)],
  ['a record of named members', z.record(z.enum(['a', 'b']), z.int()), fc.record({ a: int, b: int })],
  ['a loose object', z.looseObject({ a: z.int() }), fc.record({ a: int, b: fc.jsonValue(), c: text })],
  ['a strict object', z.strictObject({ a: z.int() }), fc.record({ a: int })],
  ['a catch-all', z.object({ a: z.int() }).catchall(z.string()), fc.record({ a: int, b: text })],
  ['a union of scalars', z.union([z.int(), z.string(), z.boolean()]), fc.oneof(int, text, fc.boolean())],
  [
    'a discriminated union',
    z.discriminatedUnion('kind', [Circle, Square]),
    fc.oneof(
      fc.record({ kind: fc.constant('circle'), radius: number }),
      fc.record({ kind: fc.constant('square'), side: number, name: text }, { requiredKeys: ['kind', 'side'] }),
    ),
  ],
  [
    'a union with distinct members',
    z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]),
    fc.oneof(fc.record({ a: int }), fc.record({ b: int })),
  ],
  [
    'a union with a strict branch',
    z.union([z.strictObject({ a: z.int() }), z.object({ a: z.int(), b: z.int() })]),
    fc.record({ a: int, b: int }),
  ],
  ['a union of a list and an object', z.union([z.array(z.int()), Point]), fc.oneof(fc.array(int), point)],
  ['an intersection', z.intersection(Point, z.object({ name: z.string() })), fc.record({ x: int, y: int, name: text })],
  [
    'an intersection of three',
    Point.and(z.object({ a: z.int() })).and(z.object({ b: z.int() })),
    fc.record({ x: int, y: int, a: int, b: int }),
  ],
  [
    'an intersection with a union',
    z.intersection(z.object({ id: z.int() }), z.union([Circle, Square])),
    fc.oneof(
      fc.record({ id: int, kind: fc.constant('circle'), radius: number }),
      fc.record({ id: int, kind: fc.constant('square'), side: number }),
    ),
  ],
  [
    'an intersection with a record',
    z.intersection(z.object({ id: z.int() }), z.record(z.string(), z.union([z.int(), z.string()]))),
    fc.record({ id: int, more: text }),
  ],
  [
    'an intersection whose parts share a member',
    z.intersection(z.object({ a: z.object({ x: z.int() }) }), z.object({ a: z.object({ y: z.int() }) })),
    fc.record({ a: point }),
  ],
  ['a type that contains itself', Tree, tree(4)],
  [
    'ArkType: an object',
    type({ a: 'number.integer', 'b?': 'string | null' }),
    fc.record({ a: int, b: fc.option(text) }, { requiredKeys: ['a'] }),
  ],
  [
    'ArkType: a union',
    type({ kind: "'a'", x: 'number.integer' }).or({ kind: "'b'", y: 'string' }),
    fc.oneof(fc.record({ kind: fc.constant('a'), x: int }), fc.record({ kind: fc.constant('b'), y: text })),
  ],
]

/** As JSON tells them apart: without -0 and without prototypes. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe.each(forms)('%s', (_name, schema, values) => {
  const write = writing(schema)

  test('a written value is read again', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(JSON.parse(write(value))).toEqual(plain(value))
      }),
    )
  })

  test('the schema accepts the written value', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(schema['~standard'].validate(JSON.parse(write(value)))).not.toHaveProperty('issues', expect.anything())
      }),
    )
  })
})

/** The same value with an undeclared member in every object of it. */
function burdened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(burdened)
  if (typeof value !== 'object' || value === null) return value
  return { 'never declared': 'secret', ...Object.fromEntries(Object.entries(value).map(([name, member]) => [name, burdened(member)])) }
}
/** These say that they take any member. */
const open = new Set([
  'anything',
  'a record',
  'a record of objects',
  'a loose object',
  'a catch-all',
  'an intersection with a record',
  'a strict object',
])

/** What a handler may give in place of a value that its schema describes to the letter. */
const disturbed: readonly ((value: unknown) => unknown)[] = [
  (value) => value,
  burdened,
  (value) => (isRecord(value) ? Object.fromEntries(Object.entries(value).reverse()) : value),
  (value) => (isRecord(value) ? Object.fromEntries(Object.entries(value).slice(1)) : value),
  (value) => (isRecord(value) ? { ...value, x: undefined } : value),
  (value) => (isRecord(value) ? Object.assign(Object.create({ inherited: 'secret' }), value) : value),
  (value) => (isRecord(value) ? Object.create(value) : value),
  (value) => (isRecord(value) ? Object.assign(new Telling(), value) : value),
  (value) => (Array.isArray(value) ? Object.assign([...value], { toJSON: () => 'secret' }) : value),
  (value) => (Array.isArray(value) ? Object.setPrototypeOf([...value], Telling.prototype) : value),
  () => [undefined],
  () => Number.NaN,
  () => 10n,
]

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

class Telling {
  toJSON(): unknown {
    return { secret: 'told' }
  }
}

/** What a function gives or throws, to be compared. */
function outcome(run: () => unknown): unknown {
  try {
    return { made: run() }
  } catch (error) {
    return { thrown: String(error) }
  }
}

test.each(forms)('the program of its schema writes the same text: %s', (_name, schema, values) => {
  const form = getJsonSchema(schema)
  const many = { type: 'array', items: getJsonSchema(list(schema))['items'] as JsonSchema }
  for (const [here, made] of [
    [form, values],
    [many, fc.array(values, { maxLength: 4 })],
  ] as const) {
    const write = createWriter(here)
    const [fast, looked] = [compileWriter(here, here, 'program', write), compileWriter(here, here, 'copy', write)]
    fc.assert(
      fc.property(made, fc.constantFrom(...disturbed), fc.boolean(), (value, disturb, isWithin) => {
        const given = isWithin && Array.isArray(value) ? value.map(disturb) : disturb(value)
        const general = outcome(() => write(given))
        expect([outcome(() => fast(given)), outcome(() => looked(given))]).toEqual([general, general])
      }),
      { numRuns: 200 },
    )
  }
})

const Optional = z.object({ a: z.int().optional(), b: z.string().optional(), c: z.int(), d: Point.optional(), e: z.int().nullable() })
const points = { type: 'array', items: getJsonSchema(Point) }
const treeOrNothing = {
  $defs: { T: { anyOf: [{ type: 'array', prefixItems: [{ type: 'integer' }, { $ref: '#/$defs/T' }] }, { type: 'null' }] } },
  $ref: '#/$defs/T',
}

test.each<readonly [sentence: string, schema: JsonSchema, value: unknown, text: string | undefined]>([
  ['objects as they are declared', points, [{ x: 1, y: 2 }], '[{"x":1,"y":2}]'],
  [
    'several of them',
    points,
    [
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ],
    '[{"x":1,"y":2},{"x":3,"y":4}]',
  ],
  ['nothing', points, [], '[]'],
  ['a member too many', points, [{ x: 1, y: 2, secret: 3 }], '[{"x":1,"y":2}]'],
  ['another order', points, [{ y: 2, x: 1 }], '[{"x":1,"y":2}]'],
  ['a member too few', points, [{ x: 1 }], undefined],
  ['a member of another type', points, [{ x: 1, y: '2' }], undefined],
  ['a hole', points, new Array(1), undefined],
  ['no list', points, { x: 1, y: 2 }, undefined],
  ['a text that is escaped', getJsonSchema(z.string()), 'a"\n', '"a\\"\\n"'],
  ['only what is needed', getJsonSchema(Optional), { c: 1, e: null }, '{"c":1,"e":null}'],
  ['what comes before what is needed', getJsonSchema(Optional), { b: 'b', c: 1, e: 2 }, '{"b":"b","c":1,"e":2}'],
  ['everything', getJsonSchema(Optional), { a: 0, b: 'b', c: 1, d: { x: 1, y: 2 }, e: 2 }, '{"a":0,"b":"b","c":1,"d":{"x":1,"y":2},"e":2}'],
  ['members that are all optional', getJsonSchema(z.object({ a: z.int().optional(), b: z.string().optional() })), { b: 'b' }, '{"b":"b"}'],
  ['none of them', getJsonSchema(z.object({ a: z.int().optional() })), {}, '{}'],
  ['one of several scalars', getJsonSchema(z.array(z.union([z.int(), z.string(), z.null()]))), [1, 'a"', null], '[1,"a\\"",null]'],
  ['none of several scalars', getJsonSchema(z.union([z.int(), z.string()])), true, undefined],
  ['a constant', getJsonSchema(Circle), { kind: 'circle', radius: 1 }, '{"kind":"circle","radius":1}'],
  ['another constant', getJsonSchema(Circle), { kind: 'square', radius: 1 }, undefined],
  [
    'a recursive schema',
    getJsonSchema(Tree),
    { value: 1, branches: [{ value: 2, branches: [] }] },
    '{"value":1,"branches":[{"value":2,"branches":[]}]}',
  ],
  ['what contains itself in a choice', treeOrNothing, [1, [2, null]], '[1,[2,null]]'],
  ['members that are inherited', points, [Object.create({ x: 1, y: 2 })], '[{"x":1,"y":2}]'],
  [
    'a member that is named like the prototype',
    { type: 'object', properties: JSON.parse('{"__proto__":{"type":"integer"},"a":{"type":"integer"}}'), required: ['__proto__'] },
    JSON.parse('{"a":1,"__proto__":2}'),
    '{"__proto__":2,"a":1}',
  ],
  ['one of several constants', { enum: ['a"', 2, null] }, 'a"', JSON.stringify('a"')],
  ['no constant of several', { enum: ['a"', 2, null] }, 'a', undefined],
  ['nothing or a point', { anyOf: [{ $ref: '#/$defs/P' }, { type: 'null' }], $defs: { P: getJsonSchema(Point) } }, null, 'null'],
  ['a pair', { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'null' }] }, [1, null], '[1,null]'],
  ['a pair and more', { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'null' }] }, [1, null, 2], undefined],
])('a program writes valid values, and leaves others to the general writer: %s', (_sentence, schema, value, text) => {
  for (const strategy of ['program', 'copy'] as const)
    expect([strategy, compileWriter(schema, schema, strategy, () => 'general')(value)]).toEqual([strategy, text ?? 'general'])
})

test.each<WriteStrategy>(['program', 'copy'])('if code from text is forbidden, the general writer writes everything: %s', (way) => {
  const forbidden = (): never => {
    throw new EvalError('not allowed')
  }
  vi.stubGlobal('Function', new Proxy(Function, { construct: forbidden }))
  const write = compileWriter(points, points, way, () => 'general')
  vi.unstubAllGlobals()
  expect(write([{ x: 1, y: 2 }])).toBe('general')
})

test('a schema is compiled once, and lists of one item have one JSON Schema', () => {
  expect(compileWriter(points)).toBe(compileWriter(points))
  expect(getJsonSchema(list(Point))).toBe(getJsonSchema(list(Point)))
})

test('a record of named members is written without others', () => {
  expect(writing(z.record(z.enum(['a', 'b']), z.int()))({ a: 1, b: 2, secret: 3 })).toBe('{"a":1,"b":2}')
})

test.each(forms.filter(([name]) => !open.has(name)))('undeclared members are never written: %s', (_name, schema, values) => {
  const write = writing(schema)
  fc.assert(
    fc.property(values, (value) => {
      expect(JSON.parse(write(burdened(value)))).toEqual(plain(value))
    }),
  )
})

test('an inherited member is not written', () => {
  const write = writing(z.object({ a: z.int(), constructor: z.any().optional(), toString: z.any().optional() }))
  expect(write(Object.create({ b: 1 }, { a: { value: 1, enumerable: true } }))).toBe('{"a":1}')
})

test('a union whose branches differ in a bound writes by the branch that its schema would choose', () => {
  const Union = z.union([z.object({ a: z.string().min(5) }), z.object({ a: z.string(), b: z.int() })])
  expect(writing(Union)({ a: 'x', b: 1 })).toBe('{"a":"x","b":1}')
})

const Everything = z.object({
  int: z.int().optional(),
  number: z.number().optional(),
  text: z.string().optional(),
  truth: z.boolean().optional(),
  nothing: z.null().optional(),
  name: z.enum(['a', 'b']).optional(),
  texts: z.array(z.string()).optional(),
  named: z.record(z.enum(['a', 'b']), z.int()).optional(),
  pair: z.tuple([z.int(), z.string()]).optional(),
  record: z.record(z.string(), z.int()).optional(),
  point: Point.optional(),
  shape: z.union([Circle, Square]).optional(),
  maybe: z.string().nullable().optional(),
  both: z.intersection(Point, z.object({ z: z.int() })).optional(),
  tree: Tree.optional(),
  'a/b~c': z.int().optional(),
})

test.each<[unknown, string]>([
  [{ int: 1.5 }, 'at "/int" expected an integer, got a number'],
  [{ int: 2 ** 53 }, 'at "/int" expected an integer, got a number'],
  [{ int: '1' }, 'at "/int" expected an integer, got a string'],
  [{ int: null }, 'at "/int" expected an integer, got null'],
  [{ int: 1n }, 'at "/int" expected an integer, got a bigint'],
  [{ number: Number.NaN }, 'at "/number" expected a number, got a number'],
  [{ number: Number.POSITIVE_INFINITY }, 'at "/number" expected a number, got a number'],
  [{ text: 1 }, 'at "/text" expected a string, got an integer'],
  [{ truth: 0 }, 'at "/truth" expected true or false, got an integer'],
  [{ nothing: 0 }, 'at "/nothing" expected null, got an integer'],
  [{ name: 'c' }, 'at "/name" expected one of a, b, got a string'],
  [{ texts: 'a' }, 'at "/texts" expected an array, got a string'],
  [{ texts: ['a', undefined] }, 'at "/texts/1" expected a string, got nothing'],
  [{ pair: ['a', 1] }, 'at "/pair/0" expected an integer, got a string'],
  [{ pair: [1] }, 'at "/pair'],
  [{ pair: [1, 'a', 'secret'] }, 'at "/pair"'],
  [{ record: { a: 'b' } }, 'at "/record/a" expected an integer, got a string'],
  [{ named: { a: 1 } }, 'at "/named/b"'],
  [{ point: { x: 1 } }, 'at "/point/y" expected an integer, got nothing'],
  [{ point: { x: 1, y: undefined } }, 'at "/point/y" expected an integer, got nothing'],
  [{ shape: { kind: 'line' } }, 'at "/shape"'],
  [{ maybe: 1 }, 'at "/maybe" expected a string or null, got an integer'],
  [{ both: { x: 1, y: 2 } }, 'at "/both/z" expected an integer, got nothing'],
  [
    { tree: { value: 1, branches: [{ value: 1, branches: [{ value: 'x', branches: [] }] }] } },
    'at "/tree/branches/0/branches/0/value" expected an integer, got a string',
  ],
  [{ 'a/b~c': 'x' }, 'at "/a~1b~0c" expected an integer, got a string'],
  [[], 'expected an object, got an array'],
  [undefined, 'expected an object, got nothing'],
  [() => {}, 'expected an object, got a function'],
])('%o is not written, and the error has its place', (value, message) => {
  expect(() => writing(Everything)(value)).toThrow(TypeError)
  expect(() => writing(Everything)(value)).toThrow(message)
})

test('a value that JSON does not have is not written, even by a schema that allows anything', () => {
  for (const value of [undefined, () => {}, Symbol('a'), 1n]) expect(() => writing(z.any())(value)).toThrow(TypeError)
})
