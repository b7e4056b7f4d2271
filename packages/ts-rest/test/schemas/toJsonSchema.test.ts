/** The JSON Schema of zod 3 is the one that zod 4 makes of the same schema, as `writeSchema` writes it. */
import { getJsonSchema, write } from 'lapidary/internal'
import { expect, test } from 'vitest'
import { z as zod4 } from 'zod'
import { z } from 'zod3'
import { writeSchema } from '../../src/migration/writeSchema.ts'
import { readTree, toSchema } from '../../src/schemas/toSchema.ts'
import type { Tree } from '../../src/schemas/tree.ts'

/** What TypeScript makes of an enum of numbers. */
const Level = { 1: 'Low', 2: 'High', Low: 1, High: 2 } as const

const schemas = [
  z.string(),
  z.string().min(1).max(9),
  z.string().length(3),
  z.string().regex(/^a/),
  z.string().regex(/a/).regex(/b/),
  z.string().email(),
  z.string().email().min(3),
  z.string().trim().email(),
  z.string().url(),
  z.string().uuid(),
  z.string().cuid(),
  z.string().cuid2(),
  z.string().ulid(),
  z.string().nanoid(),
  z.string().base64(),
  z.string().ip({ version: 'v4' }),
  z.string().datetime(),
  z.string().datetime({ offset: true, precision: 3 }),
  z.string().datetime({ local: true }),
  z.string().date(),
  z.string().time(),
  z.string().time({ precision: 0 }),
  z.string().duration(),
  z.string().startsWith('a.b').endsWith('c'),
  z.string().includes('x'),
  z.string().toLowerCase(),
  z.number(),
  z.number().int(),
  z.number().int().min(1),
  z.number().min(1).int().max(5),
  z.number().positive(),
  z.number().int().positive(),
  z.number().lt(4).multipleOf(0.5).finite(),
  z.coerce.number(),
  z.coerce.string(),
  z.coerce.boolean(),
  z.boolean(),
  z.null(),
  z.any(),
  z.unknown(),
  z.never(),
  z.literal('a'),
  z.literal(1),
  z.literal(null),
  z.enum(['a', 'b']),
  z.nativeEnum({ A: 'a', B: 1 } as const),
  z.nativeEnum(Level),
  z.object({}),
  z.object({ a: z.string(), 'b-c': z.number().optional(), d: z.string().nullish() }),
  z.object({ a: z.string().default('x'), b: z.any(), c: z.string().catch('y') }),
  z.object({ a: z.string() }).strict(),
  z.object({ a: z.string() }).passthrough(),
  z.object({ a: z.string() }).catchall(z.number()),
  z.array(z.string()).min(1).max(3),
  z.array(z.string()).length(2),
  z.tuple([z.string(), z.number()]),
  z.tuple([z.string()]).rest(z.number()),
  z.record(z.number()),
  z.record(z.enum(['a', 'b']), z.number()),
  z.union([z.string(), z.number()]),
  z.union([z.string().min(1), z.number()]).nullable(),
  z.object({ a: z.string() }).nullable(),
  z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b'), n: z.number() })]),
  z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
  z.string().brand('Name'),
  z.string().readonly(),
  z.string().transform(Number),
  z.string().transform((text) => text.length),
  z.string().transform(Number).pipe(z.number()),
  z.string().transform(Number).default('3'),
  z.date(),
  z.coerce.date(),
  z.object({ at: z.date().optional() }),
  z.preprocess((value) => String(value), z.string()),
  z.string().describe('A name.'),
  z.object({ a: z.string().describe('A name.').optional(), b: z.number().describe('A count.').default(1) }),
  z.string().describe('A name.').nullable(),
  z.object({ a: z.undefined(), b: z.union([z.string(), z.undefined()]), c: z.void().or(z.number()) }),
]

const dates = `
  const dateTime = z.codec(z.string().meta({ format: 'date-time' }), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })
  const dateText = z.codec(z.string(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })`

const writeCode = (schema: object): string =>
  write(writeSchema(readTree(schema) as Tree, 'json', { findName: () => undefined, useDate: () => {} }))

/** What code makes. */
const evaluate = (code: string): object => new Function('z', `${dates}\nreturn (${code})`)(zod4) as object

test.each(schemas.map((schema) => [writeCode(schema), schema] as const))('%s', (code, schema) => {
  const omitDialect = ({ $schema: _dialect, ...own }: object & { readonly $schema?: unknown }): object => own
  expect(getJsonSchema(toSchema(schema, 'json'))).toEqual(omitDialect(getJsonSchema(evaluate(code) as never)))
})

test('schemas that contain themselves', () => {
  interface Tree {
    readonly name: string
    readonly children?: readonly Tree[] | undefined
  }
  const tree: z.ZodType<Tree> = z.object({ name: z.string(), children: z.lazy(() => tree.array()).optional() })
  const forest = z.object({ trees: z.array(tree), first: tree.nullable() })
  const tree4 = zod4.object({
    name: zod4.string(),
    get children() {
      return zod4.array(tree4).optional()
    },
  })
  const forest4 = zod4.object({ trees: zod4.array(tree4), first: tree4.nullable() })
  const read = (schema: object): object => {
    const { $schema: _dialect, ...own } = getJsonSchema(toSchema(schema, 'json')) as object & { readonly $schema?: unknown }
    return own
  }
  expect(read(tree)).toEqual({
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    required: ['name'],
  })
  expect(read(tree)).toEqual(read(tree4))
  expect(read(forest)).toEqual(read(forest4))
})
