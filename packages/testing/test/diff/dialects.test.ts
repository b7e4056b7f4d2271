/** What a manifest keeps of the dialect and the addresses of a schema: what changes the meaning of the schema. */
import { type ApiManifest, type Change, diff, manifest } from '@lapidary/testing'
import { endpoint, noContent, type Schema } from 'lapidary'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../lapidary/src/json-schema/jsonSchema.ts'

const draft7 = 'http://json-schema.org/draft-07/schema#'
const draft2019 = 'https://json-schema.org/draft/2019-09/schema'
const today = 'https://json-schema.org/draft/2020-12/schema'
const integer: JsonSchema = { type: 'integer' }
const text: JsonSchema = { type: 'string' }

const toSchema = (json: unknown): Schema => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => ({ value }),
    jsonSchema: { input: () => json as Record<string, unknown> },
  },
})

/** The manifest of an API whose one body has a schema. */
const describeBody = (json: unknown) => manifest({ put: endpoint('PUT /', { body: toSchema(json), response: noContent }) })
const getSchema = (json: unknown): unknown => describeBody(json).endpoints['put']?.body?.schema
const compare = (old: unknown, now: unknown): readonly Change[] => diff(describeBody(old), describeBody(now))
const judge = (old: unknown, now: unknown): readonly string[] => compare(old, now).map(({ clients }) => clients)

/** The manifest of a schema that no endpoint may have. */
function describeForeignBody(schema: JsonSchema): ApiManifest {
  const plain = describeBody(text)
  const { put } = plain.endpoints
  if (put?.body == null) throw new Error('There is no body.')
  return { ...plain, endpoints: { put: { ...put, body: { ...put.body, schema } } } }
}

test('keywords of a draft that does not have them restrict nothing, and its own ones do', () => {
  // Draft 7 has no dependentRequired: clients need not send "b".
  const old = { $schema: draft7, type: 'object', properties: { a: integer, b: integer }, dependentRequired: { a: ['b'] } }
  expect(judge(old, { ...old, $schema: today })).toEqual(['breaking'])
  // Beside a reference, its keywords count for nothing.
  const beside = { $defs: { whole: integer }, $ref: '#/$defs/whole', minimum: 1 }
  expect(judge({ $schema: draft7, ...beside }, beside)).toEqual(['breaking'])
  const tuple = { type: 'array', minItems: 1, items: [integer], additionalItems: text }
  expect(judge({ $schema: draft7, ...tuple }, { type: 'array', minItems: 1, prefixItems: [integer], items: text })).toEqual([])
})

test('a schema of draft 7 is written in the keywords of draft 2020-12', () => {
  expect(getSchema({ $schema: draft7, type: 'array', items: [integer], additionalItems: text })).toEqual({
    items: text,
    prefixItems: [integer],
    type: 'array',
  })
})

test('the name of a dialect that is not read stays, and nothing is proven of its schemas', () => {
  const old = { $schema: draft2019, type: 'array', prefixItems: [integer], items: [integer], minItems: 1 }
  expect(getSchema(old)).toMatchObject({ $schema: draft2019 })
  expect(judge(old, { ...old, $schema: today, items: text })).toEqual(['unknown'])
  expect(getSchema({ $schema: today, ...integer })).toEqual(integer)
  const draft4 = { $schema: 'http://json-schema.org/draft-04/schema#', type: 'number', minimum: 1, exclusiveMinimum: true }
  expect(judge(draft4, { type: 'number', exclusiveMinimum: 1 })).toEqual(['unknown'])
  expect(compare(draft4, draft4)).toEqual([])
})

test('references of a part with an address of its own start from there', () => {
  const part = (id: object) => ({
    $defs: { a: { ...id, $defs: { b: text }, type: 'array', items: { $ref: '#/$defs/b' } }, b: integer },
    $ref: '#/$defs/a',
  })
  const [own, outer] = [part({ $id: 'https://test.invalid/part' }), { ...part({}), $defs: { ...part({}).$defs, b: text } }]
  // The items of one are texts, those of the other "#/$defs/b" of the whole document: texts in one case, integers in the other.
  expect(judge(own, outer)).toEqual([])
  expect(judge(part({}), own)).toEqual(['breaking'])
  expect(judge(own, { $defs: { b: text }, type: 'array', items: { $ref: '#/$defs/b' } })).toEqual([])
  expect(judge(own, { $defs: { b: { type: ['string', 'null'] } }, type: 'array', items: { $ref: '#/$defs/b' } })).toEqual(['safe'])
})

test('equal references of documents at two addresses lead to two documents', () => {
  const at = (place: string) =>
    describeForeignBody({ $id: `https://${place}.invalid/whole`, type: 'object', properties: { a: { $ref: 'other' } } })
  expect(diff(at('one'), at('two')).map(({ clients }) => clients)).toEqual(['unknown'])
  expect(diff(at('one'), at('one'))).toEqual([])
})

test('an anchor stays where a reference needs it, and leads where it led', () => {
  const list = (items: JsonSchema) => ({ $defs: { item: { $anchor: 'item', ...items } }, type: 'array', items: { $ref: '#item' } })
  expect(getSchema(list(integer))).toEqual({ $defs: { item: { $anchor: 'item', ...integer } }, items: { $ref: '#item' }, type: 'array' })
  expect(judge(list(integer), list({ type: 'number' }))).toEqual(['safe'])
  expect(judge(list({ type: 'number' }), list(integer))).toEqual(['breaking'])
})

test('addresses and anchors that no reference needs are left out', () => {
  const schema = { $id: 'https://test.invalid/whole', type: 'object', properties: { a: { $id: 'part', $anchor: 'here', ...integer } } }
  expect(getSchema(schema)).toEqual({ type: 'object', properties: { a: integer } })
  const referring = { $id: 'https://test.invalid/whole', $defs: { a: integer }, type: 'array', items: { $ref: '#/$defs/a' } }
  expect(getSchema(referring)).toEqual({ $defs: { a: integer }, type: 'array', items: { $ref: '#/$defs/a' } })
})

test('a reference by the $id of a part is followed, as TypeBox has it for a schema that contains itself', () => {
  const node = (value: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { value, below: { type: 'array', items: { $ref: 'Node' } } },
    required: ['value', 'below'],
    $id: 'Node',
  })
  const tree = (value: JsonSchema): JsonSchema => ({ $defs: { Node: node(value) }, $ref: 'Node' })
  const two = (value: JsonSchema): JsonSchema => ({ type: 'object', properties: { a: tree(value), b: tree(value) } })
  for (const wrap of [tree, two]) {
    expect(judge(wrap(integer), wrap(integer))).toEqual([])
    expect(new Set(judge(wrap(integer), wrap(text)))).toEqual(new Set(['breaking']))
    expect(judge(wrap(integer), wrap({ type: 'number' }))).not.toContain('breaking')
  }
  // From the whole document, the part is "below/Node".
  const below = (value: JsonSchema, reference: string) =>
    describeForeignBody({ $ref: reference, $defs: { x: { $id: 'below/', $defs: { Node: node(value) } } } })
  expect(diff(below(integer, 'Node'), below(text, 'Node')).map(({ clients }) => clients)).toEqual(['unknown'])
  expect(new Set(diff(below(integer, 'below/Node'), below(text, 'below/Node')).map(({ clients }) => clients))).toEqual(
    new Set(['breaking']),
  )
})
