/** JSON Schemas at random, and pairs of them. */
import * as fc from 'fast-check'
import type { JsonSchema } from '../../../../lapidary/src/json-schema/jsonSchema.ts'

const name = fc.constantFrom('a', 'b', 'c')
const small = fc.integer({ min: -3, max: 6 })

const maybe = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> => fc.option(values, { nil: undefined, freq: 1 })
const keepDefined = (record: object): JsonSchema => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

/** Schemas of all kinds that the toolkit looks into, some of them without any value. */
export const { schema }: { readonly schema: fc.Arbitrary<JsonSchema> } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc
      .record({ type: fc.constantFrom('integer', 'number'), minimum: maybe(small), maximum: maybe(small), exclusiveMinimum: maybe(small) })
      .map(keepDefined),
    fc
      .record({ type: fc.constant('string'), minLength: maybe(fc.nat(3)), maxLength: maybe(fc.integer({ min: 2, max: 5 })) })
      .map(keepDefined),
    fc.subarray(['a', 'b', 'c', 1, null], { minLength: 1 }).map((values): JsonSchema => ({ enum: values })),
    fc.constantFrom<JsonSchema>({ type: 'boolean' }, { type: 'null' }, { const: 'a' }, {}, { type: ['string', 'null'] }),
    fc
      .record({
        type: fc.constant('array'),
        items: tie('schema'),
        minItems: maybe(fc.nat(2)),
        maxItems: maybe(fc.integer({ min: 1, max: 3 })),
      })
      .map(keepDefined),
    fc.tuple(tie('schema'), tie('schema')).map((prefixItems): JsonSchema => ({ type: 'array', prefixItems, items: false, minItems: 2 })),
    fc
      .tuple(fc.dictionary(name, tie('schema'), { maxKeys: 3 }), fc.subarray(['a', 'b', 'c']), fc.constantFrom(undefined, false, true))
      .map(([properties, required, additionalProperties]) =>
        keepDefined({
          type: 'object',
          properties,
          required: required.filter((one) => Object.hasOwn(properties, one)),
          additionalProperties,
        }),
      ),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf): JsonSchema => ({ anyOf })),
    fc.tuple(tie('schema'), tie('schema')).map((allOf): JsonSchema => ({ allOf })),
  ),
}))

/** The same schema with something else somewhere in it. */
function changed(whole: JsonSchema, part: JsonSchema, at: number): JsonSchema {
  let left = at
  const walk = (value: unknown, isSchema: boolean): unknown => {
    if (isSchema && typeof value === 'object' && value !== null && !Array.isArray(value) && left-- === 0) return part
    if (Array.isArray(value)) return value.map((one) => walk(one, true))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, below]) => {
        if (['enum', 'required', 'const', 'type'].includes(key) && isSchema) return [key, below]
        return [key, walk(below, key !== 'properties' || !isSchema)]
      }),
    )
  }
  return walk(whole, true) as JsonSchema
}

/** Two schemas, mostly with much in common. */
export const pairs: fc.Arbitrary<[JsonSchema, JsonSchema]> = fc.oneof(
  fc.tuple(schema, schema),
  fc.tuple(schema, schema, fc.nat(6)).map(([one, part, at]): [JsonSchema, JsonSchema] => [one, changed(one, part, at)]),
)
