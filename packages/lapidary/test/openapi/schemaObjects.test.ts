/** The schemas of an OpenAPI document: which are components, their names, and that each allows the same values as its original. */
import { type } from 'arktype'
import fc from 'fast-check'
import { array, content, endpoint, file, form, int, type JsonSchema, json, list, multipart, noContent, type Schema, text } from 'lapidary'
import { type OpenApiDocument, openapi, type SchemaObject } from 'lapidary/openapi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isValid } from '../../src/json-schema/invalidPlaces.ts'
import { parseSchema } from '../../src/json-schema/schemaNode.ts'
import { getJsonSchema } from '../../src/json-schema/standardSchema.ts'

type Schemas = Readonly<Record<string, Schema>>

/** The document of an API that takes each of these as a body. */
const documented = (used: readonly Schema[], schemas: Schemas = {}): Promise<OpenApiDocument> =>
  openapi(Object.fromEntries(used.map((body, index) => [`of${index}`, endpoint(`POST /${index}`, { body, response: noContent })])), {
    title: 'Test',
    version: '1.0.0',
    schemas,
  })

/** Those bodies as they stand in the document. */
const bodiesOf = ({ paths }: OpenApiDocument): readonly SchemaObject[] =>
  Object.values(paths).map(({ post }) => post?.requestBody?.content['application/json']?.schema ?? {})

/** The bodies and the components, without that of the toolkit itself. */
async function written(used: readonly Schema[], schemas: Schemas = {}): Promise<{ bodies: readonly SchemaObject[]; components: object }> {
  const document = await documented(used, schemas)
  const { Problem: _, ...components } = document.components.schemas
  return { bodies: bodiesOf(document), components }
}

/** A schema of no library. */
const plain = (json: JsonSchema): Schema => ({
  '~standard': { version: 1, vendor: 'plain', validate: (value) => ({ value }), jsonSchema: { input: () => structuredClone(json) } },
})

const to = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: object, ...required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: properties as Record<string, JsonSchema>,
  ...(required.length > 0 ? { required } : {}),
})

const user = object({ name: { type: 'string' } }, 'name')
const User = plain(user)
const letters = { type: 'string', pattern: '^[a-z]+$' }
const Age = plain({ type: 'integer' })

const integer = { type: 'integer' }

test.each<[string, JsonSchema, object]>([
  [
    'positions of several forms',
    { type: 'array', prefixItems: [letters, integer, letters], items: false, minItems: 2 },
    { type: 'array', prefixItems: [letters, integer, letters], items: { anyOf: [letters, integer] }, minItems: 2, maxItems: 3 },
  ],
  [
    'positions of one form',
    { type: 'array', prefixItems: [integer, integer], items: false, maxItems: 5 },
    { type: 'array', prefixItems: [integer, integer], items: integer, maxItems: 2 },
  ],
  [
    'fewer items than positions',
    { prefixItems: [integer, letters], items: false, maxItems: 1 },
    { prefixItems: [integer, letters], items: { anyOf: [integer, letters] }, maxItems: 1 },
  ],
  ['no position', { type: 'array', prefixItems: [], items: false, minItems: 0 }, { type: 'array', items: {}, minItems: 0, maxItems: 0 }],
  ['nothing but an end', { type: 'array', items: false }, { type: 'array', items: {}, maxItems: 0 }],
  [
    'within another tuple',
    { anyOf: [{ prefixItems: [integer], items: false }] },
    { anyOf: [{ prefixItems: [integer], items: integer, maxItems: 1 }] },
  ],
  ['more may follow', { type: 'array', prefixItems: [letters], items: integer }, { type: 'array', prefixItems: [letters], items: integer }],
  ['anything may follow', { type: 'array', prefixItems: [letters] }, { type: 'array', prefixItems: [letters] }],
])('a closed tuple is closed for readers without prefixItems, too: %s', async (_what, schema, expected) => {
  expect((await written([plain(schema)])).bodies).toEqual([expected])
})

test('a closed tuple allows the same values, even for a reader that tests each item against `items`', async () => {
  const places = fc.array(fc.constantFrom<JsonSchema>(letters, integer, { type: 'boolean' }), { maxLength: 4 })
  const values = fc.array(fc.constantFrom<unknown>('a', 'b', 1, 2.5, true, null), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(places, values, fc.option(fc.nat(3), { nil: undefined }), async (prefixItems, value, minItems) => {
      const original: JsonSchema = { type: 'array', prefixItems, items: false, ...(minItems === undefined ? {} : { minItems }) }
      const [body = {}] = (await written([plain(original)])).bodies as readonly JsonSchema[]
      expect(isValid(parseSchema(body), value)).toBe(isValid(parseSchema(original), value))
      const { prefixItems: _, ...old } = body
      if (isValid(parseSchema(original), value)) expect(isValid(parseSchema(old), value)).toBe(true)
    }),
  )
})

test.each<[string, readonly Schema[], Schemas, readonly object[], object]>([
  ['a name stands for its schema', [User], { User }, [to('User')], { User: user }],
  ['what is not used is no component', [User], { User, Secret: plain(object({ a: letters })) }, [to('User')], { User: user }],
  ['another schema that says the same has the same name', [plain({ ...user, $schema: 'x' })], { User }, [to('User')], { User: user }],
  [
    'the order of members and of required names does not matter',
    [plain({ required: ['b', 'a'], properties: { b: letters, a: user }, type: 'object' })],
    { Both: plain(object({ a: user, b: letters }, 'a', 'b')) },
    [to('Both')],
    { Both: object({ a: user, b: letters }, 'a', 'b') },
  ],
  ['the items of a list have names', [list(User)], { User }, [{ type: 'array', items: to('User') }], { User: user }],
  [
    'objects, unions, tuples and records are components',
    [
      plain(object({ a: user })),
      plain({ anyOf: [user, { type: 'null' }] }),
      plain({ type: 'array', prefixItems: [user], items: false }),
      plain({ type: 'object', additionalProperties: user, propertyNames: letters, patternProperties: { x: user }, not: user }),
    ],
    { User },
    [
      object({ a: to('User') }),
      { anyOf: [to('User'), { type: 'null' }] },
      { type: 'array', prefixItems: [to('User')], items: to('User'), maxItems: 1 },
      { type: 'object', additionalProperties: to('User'), propertyNames: letters, patternProperties: { x: to('User') }, not: to('User') },
    ],
    { User: user },
  ],
  [
    'a component refers to others',
    [plain(object({ by: user }))],
    { Book: plain(object({ by: user })), User },
    [to('Book')],
    { Book: object({ by: to('User') }), User: user },
  ],
  [
    'annotations are beside the reference',
    [plain({ ...user, description: 'The author.' }), plain({ ...user, default: { name: 'Ann' } })],
    { User },
    [
      { ...to('User'), description: 'The author.' },
      { ...to('User'), default: { name: 'Ann' } },
    ],
    { User: user },
  ],
  [
    'a schema overrides the description of its component, and never gets annotations of it',
    [plain({ ...user, description: 'The author.' }), plain(user)],
    { User: plain({ ...user, description: 'Somebody.' }) },
    [{ ...to('User'), description: 'The author.' }, user],
    { User: { ...user, description: 'Somebody.' } },
  ],
  [
    'annotations of one component or of another decide which one a schema is',
    [plain({ ...user, description: 'A reader.', deprecated: true })],
    { Old: plain({ ...user, title: 'Old' }), Reader: plain({ ...user, description: 'Somebody.' }) },
    [{ ...to('Reader'), description: 'A reader.', deprecated: true }],
    { Reader: { ...user, description: 'Somebody.' } },
  ],
  ['of two names for one plain schema, the first counts', [Age], { Age, Years: Age }, [to('Age')], { Age: { type: 'integer' } }],
  [
    'of two names for equal schemas, the same object gets its own name, and all others the first',
    [User, plain(user)],
    { Person: plain(user), User },
    [to('User'), to('Person')],
    { Person: user, User: user },
  ],
  [
    'a plain string or number is a component only as the same object',
    [plain(object({ a: { type: 'integer' } })), plain({ type: 'integer' })],
    { Age: plain({ type: 'integer' }) },
    [object({ a: { type: 'integer' } }), { type: 'integer' }],
    {},
  ],
  ['names that no component may have are spelled anew', [User], { 'the user / 1': User }, [to('TheUser1')], { TheUser1: user }],
])('%s', async (_what, used, schemas, bodies, components) => {
  expect(await written(used, schemas)).toEqual({ bodies, components })
})

// Names that schemas have themselves.

test.each<[string, readonly JsonSchema[], readonly object[], object]>([
  [
    'the key of its definition',
    [
      { $ref: '#/$defs/User', $defs: { User: user, Age: { type: 'integer' } } },
      { type: 'array', items: { $ref: '#/$defs/Age' }, $defs: { Age: { type: 'integer' } } },
      object({ a: { type: 'integer' } }),
    ],
    [to('User'), { type: 'array', items: to('Age') }, object({ a: { type: 'integer' } })],
    { User: user, Age: { type: 'integer' } },
  ],
  [
    'the key in `definitions`, unescaped',
    [object({ a: { $ref: '#/definitions/User' }, b: { $ref: '#/$defs/a~1b%20c' } })].map((one) => ({
      ...one,
      definitions: { User: user },
      $defs: { 'a/b c': letters },
    })),
    [object({ a: to('User'), b: to('ABC') })],
    { User: user, ABC: letters },
  ],
  [
    'the key, of which ~ and / are escaped in this order',
    [{ ...object({ a: { $ref: '#/$defs/a~01b' } }), $defs: { 'a~1b': user } }],
    [object({ a: to('A1b') })],
    { A1b: user },
  ],
  [
    'the last part of its `id`, as draft 4 has it',
    [{ ...letters, id: 'https://example.org/word.json#' } as JsonSchema],
    [to('word')],
    { word: letters },
  ],
  [
    'one for plain schemas that want the same name and are equal',
    [
      object({ a: { type: 'string', $id: 'Word' } }),
      object({ b: { type: 'string', $id: 'Word' } }),
      object({ c: { type: 'integer', $id: 'Word' } }),
    ],
    [object({ a: to('Word') }), object({ b: to('Word') }), object({ c: to('Word2') })],
    { Word: { type: 'string' }, Word2: { type: 'integer' } },
  ],
  [
    'the last part of its `$id`',
    [
      { ...user, $id: 'https://example.org/schemas/user.json' },
      { ...letters, $id: 'urn/word#', $schema: 'https://json-schema.org/' },
      { ...user, id: '' },
    ],
    [to('user'), to('word'), to('user')],
    { user, word: letters },
  ],
  [
    'its title, if it has a form of its own',
    [
      { ...user, title: 'a user' },
      { ...letters, enum: ['a', 'b'], title: 'Letter' },
    ],
    [to('AUser'), to('Letter')],
    { AUser: { ...user, title: 'a user' }, Letter: { ...letters, enum: ['a', 'b'], title: 'Letter' } },
  ],
  [
    'no title of a string or a number',
    [object({ a: { type: 'string', title: 'First name' }, b: { type: 'string', format: 'date', pattern: '^', title: 'Birthday' } })],
    [object({ a: { type: 'string', title: 'First name' }, b: { type: 'string', format: 'date', pattern: '^', title: 'Birthday' } })],
    {},
  ],
  ['and a title without a letter is none', [{ ...user, title: '…' }], [{ ...user, title: '…' }], {}],
  [
    'a number behind its name, if another schema has the name',
    [
      { ...object({ a: user, b: letters }), title: 'User' },
      { $ref: '#/$defs/User', $defs: { User: user } },
      { ...object({ c: letters }), title: 'User' },
    ],
    [to('User'), to('User2'), to('User3')],
    {
      User: { ...object({ a: to('User2'), b: letters }), title: 'User' },
      User2: user,
      User3: { ...object({ c: letters }), title: 'User' },
    },
  ],
])('the name of a component is %s', async (_what, used, bodies, components) => {
  expect(await written(used.map(plain))).toEqual({ bodies, components })
})

test('the problem details of the toolkit get another name if a schema is named Problem', async () => {
  const document = await documented([User], { Problem: User })
  expect(Object.keys(document.components.schemas)).toEqual(['Problem', 'Problem2'])
  const { 400: refused } = document.paths['/0']?.post?.responses ?? {}
  expect(refused).toMatchObject({ content: { 'application/problem+json': { schema: to('Problem2') } } })
})

// References.

const node = object({ next: { $ref: '#' } })

test.each<[string, readonly JsonSchema[], Schemas, readonly object[], object]>([
  ['a schema that contains itself is a component', [node], {}, [to('Schema')], { Schema: object({ next: to('Schema') }) }],
  ['by its name, if it has one', [node], { Node: plain(node) }, [to('Node')], { Node: object({ next: to('Node') }) }],
  [
    'a recursive schema in several spellings is one',
    [{ type: 'array', items: { $ref: '#/$defs/__schema0' }, $defs: { __schema0: object({ next: { $ref: '#/$defs/__schema0' } }) } }],
    { Node: plain(node) },
    [{ type: 'array', items: to('Node') }],
    { Node: object({ next: to('Node') }) },
  ],
  [
    'a recursive schema that is unrolled is one',
    [object({ next: object({ next: { $ref: '#' } }) })],
    { Node: plain(node) },
    [to('Node')],
    { Node: object({ next: to('Node') }) },
  ],
  [
    'two schemas that contain each other are not equal',
    [{ $ref: '#/$defs/a', $defs: { a: object({ b: { $ref: '#/$defs/b' } }), b: object({ a: { $ref: '#/$defs/a' }, x: letters }) } }],
    {},
    [to('a')],
    { a: object({ b: to('b') }), b: object({ a: to('a'), x: letters }) },
  ],
  [
    'generated names are ignored, and a schema without recursion needs none',
    [
      {
        $ref: '#/$defs/intersection225',
        $defs: {
          intersection225: object({ kids: { $ref: '#/$defs/intersection223' } }),
          intersection223: { type: 'array', items: { $ref: '#/$defs/intersection225' } },
        },
      },
      { ...object({ a: { $ref: '#/$defs/union7' } }), $defs: { union7: { type: ['string', 'null'] } } },
    ],
    {},
    [to('Schema'), object({ a: { type: ['string', 'null'] } })],
    { Schema: object({ kids: { type: 'array', items: to('Schema') } }) },
  ],
  [
    'keywords beside a reference are kept',
    [
      { ...object({ a: { $ref: '#/$defs/User', description: 'The author.' } }), $defs: { User: user } },
      { ...object({ a: { $ref: '#/$defs/User', minProperties: 2 } }), $defs: { User: user } },
      { ...object({ a: { $ref: '#/$defs/union7', minLength: 2, allOf: [letters] } }), $defs: { union7: { type: ['string', 'null'] } } },
    ],
    {},
    [
      object({ a: { ...to('User'), description: 'The author.' } }),
      object({ a: { ...to('User'), minProperties: 2 } }),
      object({ a: { minLength: 2, allOf: [{ type: ['string', 'null'] }, letters] } }),
    ],
    { User: user },
  ],
  [
    'a name that is not percent-encoded, or looks as if it were',
    [
      { ...object({ a: { $ref: '#/$defs/100%' } }), $defs: { '100%': user } },
      { ...object({ b: { $ref: '#/$defs/of%20a' } }), $defs: { 'of%20a': letters } },
    ],
    {},
    [object({ a: to('100') }), object({ b: to('Of20a') })],
    { '100': user, Of20a: letters },
  ],
  [
    'a reference by the $id of a part, and by its $anchor',
    [
      { ...object({ a: { $ref: 'User' } }), $defs: { User: { ...user, $id: 'User' } } },
      { ...object({ b: { $ref: '#letters' } }), $defs: { l: { ...letters, $anchor: 'letters' } } },
    ],
    {},
    [object({ a: to('User') }), object({ b: letters })],
    { User: user },
  ],
  [
    'a value that only looks like a reference or a schema is unchanged',
    [
      {
        ...object({ $ref: letters, $defs: user, items: user }),
        default: { $ref: '#/a' },
        examples: [{ items: user }],
        additionalProperties: false,
      },
    ],
    { User },
    [
      {
        ...object({ $ref: letters, $defs: to('User'), items: to('User') }),
        default: { $ref: '#/a' },
        examples: [{ items: user }],
        additionalProperties: false,
      },
    ],
    { User: user },
  ],
])('references: %s', async (_what, used, schemas, bodies, components) => {
  expect(await written(used.map(plain), schemas)).toEqual({ bodies, components })
})

// Schemas of libraries.

/** Whether two schemas are equal, each in its own document: the same path leads to equal values. A second implementation, to share no mistake. */
function agree(one: unknown, oneRoot: unknown, other: unknown, otherRoot: unknown): boolean {
  const assumed = new Map<unknown, Set<unknown>>()
  /** A list that ends with its places, in one form. */
  const bounded = (value: Record<string, unknown>): Record<string, unknown> => {
    const { items, prefixItems = [], maxItems = Number.POSITIVE_INFINITY, ...rest } = value
    const length = Math.min(Number(maxItems), items === false ? (prefixItems as []).length : Number.POSITIVE_INFINITY)
    return length > (prefixItems as []).length
      ? value
      : { ...rest, ...((prefixItems as []).length > 0 && { prefixItems }), maxItems: length }
  }
  const opened = (value: object, root: unknown): Record<string, unknown> => {
    const { $schema: _schema, $defs: _defs, ...all } = bounded(value as Record<string, unknown>)
    const { $ref, ...rest } = all
    if (typeof $ref !== 'string') return all
    const target = $ref
      .split('/')
      .slice(1)
      .reduce((here, step) => Reflect.get(Object(here), step), root)
    return { ...opened(Object(target), root), ...rest }
  }
  const isSame = (left: unknown, right: unknown): boolean => {
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right
    if (Array.isArray(left) !== Array.isArray(right)) return false
    if (assumed.get(left)?.has(right)) return true
    assumed.set(left, (assumed.get(left) ?? new Set()).add(right))
    if (Array.isArray(left) && Array.isArray(right)) {
      return left.length === right.length && left.every((item, index) => isSame(item, right[index]))
    }
    const [mine, yours] = [opened(left, oneRoot), opened(right, otherRoot)]
    const names = Object.keys(mine).sort()
    if (names.join() !== Object.keys(yours).sort().join()) return false
    return names.every((name) =>
      name === 'required' ? `${[mine[name]].flat().sort()}` === `${[yours[name]].flat().sort()}` : isSame(mine[name], yours[name]),
    )
  }
  return isSame(one, other)
}

/** Whether every body of the document says what its schema says. */
async function keeps(used: readonly Schema[], schemas: Schemas): Promise<OpenApiDocument> {
  const document = await documented(used, schemas)
  const bodies = bodiesOf(document)
  expect(bodies).toHaveLength(used.length)
  bodies.forEach((body, index) => {
    const original = getJsonSchema(used[index] as Schema)
    expect({ body, original, agree: agree(body, document, original, original) }).toEqual({ body, original, agree: true })
  })
  expect(JSON.stringify(document)).not.toMatch(/"(?:\$schema|\$defs|\$id|nullable)":/)
  return document
}

let ids = 0
const leaf = fc.constantFrom<z.ZodType>(
  z.string(),
  z.string().max(5).describe('A short text.'),
  z.int(),
  z.number().min(0),
  z.boolean(),
  z.null(),
  z.literal('a'),
  z.enum(['a', 'b']),
  z.iso.date(),
  z.any(),
)
const name = fc.constantFrom('a', 'b', 'c', 'items', 'properties', '$ref', 'title')
const { schema: zodSchema } = fc.letrec<{ schema: z.ZodType }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.dictionary(name, tie('schema'), { maxKeys: 3 }).map((shape) => z.object(shape)),
    fc.dictionary(name, tie('schema'), { maxKeys: 3 }).map((shape) => z.strictObject(shape).describe('Closed.')),
    // One that contains itself, by itself, in a list, and in a choice.
    fc.dictionary(name, tie('schema'), { maxKeys: 2 }).map((shape) => {
      const itself: z.ZodType = z.object({
        ...shape,
        get self() {
          return itself.optional()
        },
        get selves() {
          return z.array(itself)
        },
        get choice() {
          return z.union([itself, z.null()])
        },
      })
      return itself
    }),
    // One that stands in several places; with a name of its own, too.
    tie('schema').map((one) => z.object({ a: one, b: z.array(one), c: one.describe('Again.').optional() })),
    tie('schema').map((one) => {
      ids += 1
      const shared = z.object({ one }).meta({ id: `Shared${ids % 2 === 0 ? ids : `-${ids}`}`, title: 'Shared' })
      return z.object({ shared, more: z.array(shared), again: shared.nullable() })
    }),
    tie('schema').map((one) => z.array(one)),
    fc.tuple(tie('schema'), tie('schema')).map((items) => z.tuple(items)),
    tie('schema').map((one) => z.record(z.string(), one)),
    fc.tuple(tie('schema'), tie('schema')).map((choices) => z.union(choices)),
    tie('schema').map((one) => z.object({ one: one.optional(), two: one.nullable() })),
  ),
}))

describe('of zod', () => {
  test('any of them keep their meaning as components and references, and are the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(zodSchema, { minLength: 1, maxLength: 4 }),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        async (used, isNamed) => {
          const schemas = Object.fromEntries(used.flatMap((one, index) => (isNamed[index] ? [[`Named${index}`, one]] : [])))
          const document = await keeps([...used, ...used.map((one) => list(one))], schemas)
          expect(await documented([...used, ...used.map((one) => list(one))], schemas)).toEqual(document)
        },
      ),
      { numRuns: 40 },
    )
  })

  test('two with the same form have one name, and others never', async () => {
    await fc.assert(
      fc.asyncProperty(zodSchema, zodSchema, async (one, other) => {
        const [left, right] = [z.object({ x: one }), z.object({ x: other })]
        const [first, second] = bodiesOf(await documented([left, right], { Same: left, same: right }))
        const [leftJson, rightJson] = [getJsonSchema(left), getJsonSchema(right)]
        expect([first, second]).toEqual([to('Same'), to('same')])
        const lists = bodiesOf(await documented([list(left), list(right)], { Same: left, same: right }))
        const areSame = agree(leftJson, leftJson, rightJson, rightJson)
        expect(lists).toEqual(['Same', areSame ? 'Same' : 'same'].map((called) => ({ type: 'array', items: to(called) })))
      }),
      { numRuns: 40 },
    )
  })
})

describe('of ArkType', () => {
  const { tree, forest } = type.module({ tree: { value: 'number', 'kids?': 'tree[]' }, forest: { oldest: 'tree', trees: 'tree[]' } })

  test('a recursive one', async () => {
    await keeps([tree, forest], {})
    expect(await written([forest, tree], { Tree: tree })).toEqual({
      bodies: [object({ oldest: to('Tree'), trees: { type: 'array', items: to('Tree') } }, 'oldest', 'trees'), to('Tree')],
      components: { Tree: object({ kids: { type: 'array', items: to('Tree') }, value: { type: 'number' } }, 'value') },
    })
  })

  test.each(['string | null', 'string[]', "'a' | 'b' | 5", 'number.integer >= 0', '/^a+$/', 'string.date.iso', 'unknown'])(
    '%s',
    async (definition) => {
      const one = type.raw({ 'a?': definition, b: definition }) as Schema
      await keeps([one, list(one)], {})
      await keeps([one, list(one)], { One: one })
    },
  )

  test('one that is equal to one of zod has the same name', async () => {
    const { bodies } = await written([type({ a: 'string' }), list(z.object({ a: z.string() }))], { A: z.object({ a: z.string() }) })
    expect(bodies).toEqual([to('A'), { type: 'array', items: to('A') }])
  })
})

test('the encoding of a form names the types of its files, and how its lists are written', async () => {
  const image = file({ types: ['image/png', 'image/gif'] })
  const { paths } = await openapi(
    {
      form: endpoint('POST /form', {
        body: content(z.object({ name: z.string(), sizes: z.array(z.int()) }), json, form),
        response: noContent,
      }),
      both: endpoint('POST /both', {
        body: content(
          plain({ ...object({ a: { type: 'array' } }), allOf: [object({ b: { type: ['null', 'array'] }, c: letters })] }) as Schema<object>,
          form,
        ),
        response: noContent,
        examples: { body: { a: ['x'], b: ['y'], c: 'z' } },
      }),
      anyForm: endpoint('POST /any-form', { body: form, response: noContent }),
      files: endpoint('POST /files', {
        body: multipart({ title: text, sizes: array(int), image, file: file(), images: array(image), files: array(file()) }),
        response: noContent,
      }),
    },
    { title: 'Forms', version: '1' },
  )
  const schemas = paths['/files']?.post?.requestBody?.content['multipart/form-data']?.schema
  const anyFile = { type: 'string', contentMediaType: 'application/octet-stream' }
  expect(schemas).toMatchObject({ properties: { title: { type: 'string' }, image: anyFile, files: { type: 'array', items: anyFile } } })
  const encodings = Object.values(paths).map(({ post }) => Object.values(post?.requestBody?.content ?? {}).map(({ encoding }) => encoding))
  const list = { style: 'form', explode: true }
  const types = { contentType: 'image/png, image/gif' }
  // A style would cancel the types of files.
  expect(encodings).toEqual([
    [undefined, { sizes: list }],
    [{ a: list, b: list }],
    [undefined],
    [{ sizes: list, image: types, images: types }],
  ])
})
