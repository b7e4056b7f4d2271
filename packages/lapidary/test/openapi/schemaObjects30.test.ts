/** JSON Schemas as Schema Objects of OpenAPI 3.0: what becomes of each keyword, and that no translation refuses what its schema allows. */
import Ajv04 from 'ajv-draft-04'
import { describe, expect, test } from 'vitest'
import { readSuite, type SchemaCase, suiteFolder } from '../../../testing/test/support/jsonSchemaSuite.ts'
import { schemaCases } from '../../../testing/test/support/schemaCases.ts'
import type { JsonSchema } from '../../src/json-schema/jsonSchema.ts'
import type { SchemaObject } from '../../src/openapi/documentTypes.ts'
import { createSchemaObjects } from '../../src/openapi/schemaObjects.ts'
import { createSchemaTranslator } from '../../src/openapi/schemaObjects30.ts'

/** An object literal with a member of this name could be mistaken for a promise. */
const then = 'then'
const text = { type: 'string' }
const integer = { type: 'integer' }
const nullOnly = { type: 'string', nullable: true, enum: [null] }
const user = { $ref: '#/components/schemas/User' }
const components = {
  User: { type: 'object', properties: { name: text } },
  Loose: { type: 'object', patternProperties: { '^x-': text } },
  Tree: { type: 'object', properties: { below: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } } },
}
const translate = createSchemaTranslator(components)

test.each<[string, SchemaObject, SchemaObject]>([
  // Null and types.
  ['a type and null', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  ['null alone', { type: 'null' }, nullOnly],
  ['null alone, as a constant with a description', { const: null, description: 'None.' }, { description: 'None.', ...nullOnly }],
  ['a choice or null', { type: ['string', 'null'], enum: ['a', null] }, { type: 'string', nullable: true, enum: ['a', null] }],
  ['several types', { type: ['string', 'integer'], minLength: 1 }, { minLength: 1, anyOf: [text, integer] }],
  ['several types and null', { type: ['string', 'integer', 'null'] }, { anyOf: [{ type: 'string', nullable: true }, integer] }],
  [
    'several types, one with items',
    { type: ['array', 'string'], items: text },
    { items: text, anyOf: [{ type: 'array', items: {} }, text] },
  ],
  [
    'several types beside a union',
    { type: ['string', 'integer'], anyOf: [{ minLength: 1 }, { minimum: 1 }] },
    { allOf: [{ anyOf: [text, integer] }, { anyOf: [{ minLength: 1 }, { minimum: 1 }] }] },
  ],
  [
    'null in a union of two',
    { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
    { type: 'string', minLength: 1, nullable: true },
  ],
  [
    'null in a union of two, with a description and a default',
    { oneOf: [{ enum: ['a'], type: 'string' }, { type: 'null' }], description: 'A.', default: null },
    { type: 'string', enum: ['a', null], nullable: true, description: 'A.', default: null },
  ],
  [
    'null in a union of two that both have it',
    { anyOf: [{ type: ['string', 'null'], enum: ['a', null] }, { type: 'null' }] },
    { type: 'string', enum: ['a', null], nullable: true },
  ],
  ['a reference or null', { anyOf: [user, { type: 'null' }] }, { anyOf: [user, nullOnly] }],
  ['a union of three with null', { anyOf: [text, integer, { type: 'null' }] }, { anyOf: [text, integer, nullOnly] }],
  ['null in a union beside other keywords', { anyOf: [text, { type: 'null' }], minLength: 2 }, { minLength: 2, anyOf: [text, nullOnly] }],
  // Values.
  ['a constant', { const: 'a' }, { enum: ['a'] }],
  ['a constant among values', { const: 'a', enum: ['a', 'b'] }, { enum: ['a'], allOf: [{ enum: ['a', 'b'] }] }],
  ['no value', { enum: [] }, { not: {} }],
  [
    'true and false',
    { type: 'object', properties: { any: true, none: false } },
    { type: 'object', properties: { any: {}, none: { not: {} } } },
  ],
  // Bounds.
  [
    'exclusive bounds',
    { exclusiveMinimum: 1, exclusiveMaximum: 9 },
    { minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
  ],
  ['the closer one of two bounds', { minimum: 2, exclusiveMinimum: 1 }, { minimum: 2 }],
  ['the closer one, if it is exclusive', { maximum: 2, exclusiveMaximum: 2 }, { maximum: 2, exclusiveMaximum: true }],
  ['usual bounds', { type: 'integer', minimum: 0, maximum: 9, multipleOf: 3 }, { type: 'integer', minimum: 0, maximum: 9, multipleOf: 3 }],
  // Annotations.
  ['the first example', { ...text, examples: ['a', 'b'], title: 'T' }, { ...text, title: 'T', example: 'a' }],
  ['an example that is null', { ...text, examples: [null] }, { ...text, example: null }],
  ['no example', { ...text, examples: [] }, text],
  [
    'words for the reader of a schema',
    { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'u', $comment: 'c', $anchor: 'a', ...text, 'x-mine': 1, vendor: 2 },
    { ...text, 'x-mine': 1 },
  ],
  // Files and texts.
  ['a file', { ...text, contentMediaType: 'image/png', maxLength: 9 }, { ...text, format: 'binary', maxLength: 9 }],
  ['base64', { ...text, contentEncoding: 'base64', contentMediaType: 'image/png' }, { ...text, format: 'byte' }],
  ['another encoding', { ...text, contentEncoding: 'base32' }, text],
  ['JSON in a text', { ...text, contentMediaType: 'application/json', contentSchema: user }, text],
  ['a text with a format', { ...text, format: 'uuid', contentMediaType: 'text/plain' }, { ...text, format: 'uuid' }],
  // Arrays.
  ['an array without items', { type: 'array', minItems: 1 }, { type: 'array', minItems: 1, items: {} }],
  ['an array of no items', { type: 'array', items: false }, { type: 'array', items: {}, maxItems: 0 }],
  [
    'a tuple, closed by its length',
    { type: 'array', prefixItems: [text, integer], items: { anyOf: [text, integer] }, minItems: 2, maxItems: 2 },
    { type: 'array', items: { anyOf: [text, integer] }, minItems: 2, maxItems: 2 },
  ],
  ['a tuple, closed', { type: 'array', prefixItems: [text, text], items: false }, { type: 'array', items: text, maxItems: 2 }],
  ['a tuple with a rest', { type: 'array', prefixItems: [text], items: integer }, { type: 'array', items: { anyOf: [text, integer] } }],
  ['an open tuple', { type: 'array', prefixItems: [text] }, { type: 'array', items: {} }],
  ['what an array contains', { type: 'array', items: text, contains: { const: 'a' }, minContains: 2 }, { type: 'array', items: text }],
  // Objects.
  ['no required member', { type: 'object', properties: {}, required: [] }, { type: 'object', properties: {} }],
  [
    'members by pattern, closed',
    { type: 'object', patternProperties: { '^a': text, '^b': integer }, additionalProperties: false },
    { type: 'object', additionalProperties: { anyOf: [text, integer] } },
  ],
  [
    'members by pattern, and others',
    { type: 'object', patternProperties: { '^a': text }, additionalProperties: integer },
    { type: 'object', additionalProperties: { anyOf: [text, integer] } },
  ],
  ['members by pattern, open', { type: 'object', patternProperties: { '^a': text } }, { type: 'object' }],
  [
    'a record',
    { type: 'object', propertyNames: { pattern: '^a' }, additionalProperties: text, minProperties: 1 },
    { type: 'object', additionalProperties: text, minProperties: 1 },
  ],
  ['any other member', { type: 'object', additionalProperties: true }, { type: 'object', additionalProperties: {} }],
  ['no other member', { type: 'object', additionalProperties: false }, { type: 'object', additionalProperties: false }],
  [
    'what depends on other members',
    { type: 'object', unevaluatedProperties: false, dependentRequired: { a: ['b'] }, dependentSchemas: { a: text } },
    { type: 'object' },
  ],
  // Composition.
  ['conditions', { if: text, [then]: { minLength: 1 }, else: integer, description: 'It depends.' }, { description: 'It depends.' }],
  ['not', { not: { const: 'a' } }, { not: { enum: ['a'] } }],
  ['not, of what 3.0 cannot say', { not: { patternProperties: { '^a': text } } }, {}],
  ['not, of a component that 3.0 cannot say', { not: { $ref: '#/components/schemas/Loose' } }, {}],
  [
    'not, of a component that contains itself',
    { not: { $ref: '#/components/schemas/Tree' } },
    { not: { $ref: '#/components/schemas/Tree' } },
  ],
  ['exactly one', { oneOf: [text, { const: 1 }] }, { oneOf: [text, { enum: [1] }] }],
  [
    'exactly one of what 3.0 cannot say',
    { oneOf: [{ $ref: '#/components/schemas/Loose' }, integer] },
    { anyOf: [{ $ref: '#/components/schemas/Loose' }, integer] },
  ],
  [
    'exactly one, of records',
    { oneOf: [{ type: 'object', propertyNames: text, additionalProperties: text }, integer] },
    { oneOf: [{ type: 'object', additionalProperties: text }, integer] },
  ],
  ['all of several', { allOf: [user, { type: ['string', 'null'] }] }, { allOf: [user, { type: 'string', nullable: true }] }],
  // References.
  ['a reference', user, user],
  ['a reference with a description', { ...user, description: 'Who.' }, { description: 'Who.', allOf: [user] }],
  ['a reference with parts', { ...user, allOf: [{ minProperties: 1 }] }, { allOf: [user, { minProperties: 1 }] }],
])('%s', (_what, schema, expected) => {
  expect(translate(schema)).toEqual(expected)
})

const ajv = new Ajv04.default({ strict: false, validateFormats: false, logger: false, multipleOfPrecision: 9, ownProperties: true })

/** A judge of a document's schema, as a reader of 3.0 understands it. */
function judge30(schema: JsonSchema): (value: unknown) => boolean {
  const objects = createSchemaObjects([], [{ requests: [schema], responses: [] }])
  const whole = objects.of(schema)
  const schemas = objects.components()
  const toOlder = createSchemaTranslator(schemas)
  const all = Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, toOlder(one)]))
  const validate = ajv.compile({ ...nested(toOlder(whole)), components: { schemas: all } })
  return (value) => validate(value) === true
}
/** Draft 4 ignores what stands beside a reference. */
const nested = (schema: SchemaObject): SchemaObject => ('$ref' in schema ? { allOf: [schema] } : schema)

/** What 3.0 has no word for: there, a translation may allow more than its schema. */
const lostPattern =
  /"(?:if|then|else|contains|minContains|maxContains|prefixItems|unevaluated\w+|patternProperties|propertyNames|dependen\w+|format)":/

/** Cases whose schemas stand for themselves: no other document, no address, no dialect of their own. */
const isAlone = ({ schema }: SchemaCase): boolean =>
  typeof schema === 'object' && !/localhost|"\$ref":"[^#]|\$dynamicRef|"\$id"|\$vocabulary|"\$schema":"http:/.test(JSON.stringify(schema))

/** What a translation does wrong: it refuses what its schema allows, or allows what 3.0 could have refused. */
function listMistakes({ schema, tests }: SchemaCase): readonly unknown[] {
  const accepts = judge30(schema as JsonSchema)
  const isExact = !lostPattern.test(JSON.stringify(schema))
  return tests.flatMap(({ data, valid }) => (valid !== accepts(data) && (valid || isExact) ? [{ data, valid }] : []))
}

describe('a translation allows what its schema allows, and no more where 3.0 has the words', () => {
  test.each(schemaCases.filter(isAlone).map((one) => [`${one.keyword}: ${one.title}`, one] as const))('%s', (_title, one) => {
    expect(listMistakes(one)).toEqual([])
  })

  test.skipIf(suiteFolder === undefined)('the JSON-Schema-Test-Suite', () => {
    // Ajv for draft 4 knows no `__proto__`, and rounds.
    const misjudged = ['properties whose names are Javascript object property names', 'float division = inf']
    const cases = readSuite('draft2020-12', suiteFolder ?? '').filter((one) => isAlone(one) && !misjudged.includes(one.title))
    const wrong = cases.flatMap((one) =>
      listMistakes(one).map((mistake) => ({ title: `${one.keyword}: ${one.title}`, schema: one.schema, mistake })),
    )
    expect(wrong).toEqual([])
  })
})
