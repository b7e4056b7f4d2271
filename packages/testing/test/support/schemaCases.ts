/** Schemas for every keyword of JSON Schema (draft 2020-12), with values that they allow and values that they do not. */
import type { SchemaCase } from './jsonSchemaSuite.ts'

/** The type of a schema of the toolkit leaves `true` and `false` out of most places. */
type Row = readonly [schema: object | boolean, valid: readonly unknown[], invalid: readonly unknown[]]

/** An object literal with a member of this name could be mistaken for a promise. */
const then = 'then'
const integer = { type: 'integer' } as const
const text = { type: 'string' } as const
const tree = {
  $defs: { node: { type: 'object', properties: { leaf: integer, below: { type: 'array', items: { $ref: '#/$defs/node' } } } } },
} as const

const rows: Readonly<Record<string, readonly Row[]>> = {
  boolean: [
    [true, [1, 'a', null], []],
    [false, [], [1, 'a', null]],
    [{}, [1, {}], []],
  ],
  type: [
    [integer, [1, 2, -3], [1.5, '1', null]],
    [{ type: 'number' }, [1, 1.5], ['1', null]],
    [text, ['', 'a'], [1, null]],
    [{ type: 'object' }, [{}, { a: 1 }], [[], null, 'a']],
    [{ type: 'array' }, [[], [1]], [{}, null, 'a']],
    [{ type: 'boolean' }, [true, false], [0, '', null]],
    [{ type: 'null' }, [null], [0, '', false]],
    [{ type: ['integer', 'string'] }, [1, 'a'], [1.5, null]],
    [{ type: ['array', 'object', 'null'] }, [[], {}, null], [1, 'a']],
  ],
  constEnum: [
    [{ const: 2 }, [2], [1, '2', null]],
    [
      { const: { a: 1, b: 2 } },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [{ a: 1 }, { a: 1, b: 2, c: 3 }, []],
    ],
    [{ const: [{ a: 1 }] }, [[{ a: 1 }]], [[], [{ a: 2 }], { a: 1 }]],
    [{ const: false }, [false], [0, null, '']],
    [{ const: 0 }, [0], [false, null, '0']],
    [{ const: null }, [null], [0, false]],
    [{ enum: [1, 2, 3] }, [1, 2, 3], [4, '1', null]],
    [{ enum: [{ a: 1 }, [1, 2], 'a', null] }, [{ a: 1 }, [1, 2], 'a', null], [{}, [2, 1], 'b']],
    [{ enum: [0, false] }, [0, false], [null, '', true]],
    [{ enum: ['a', 'b'], type: 'string', minLength: 1 }, ['a', 'b'], ['', 'c']],
  ],
  bounds: [
    [{ minimum: 2 }, [2, 3, 'a'], [1, 1.5]],
    [{ maximum: 2 }, [2, 1, 'a'], [3, 2.5]],
    [{ exclusiveMinimum: 2 }, [2.5, 3, 'a'], [2, 1]],
    [{ exclusiveMaximum: 2 }, [1.5, 1, 'a'], [2, 3]],
    [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.5, null], [3, 0]],
    [{ type: 'integer', minimum: 1, maximum: 3 }, [1, 2, 3], [0, 4, 1.5]],
    [{ type: 'number', minimum: 1.1, maximum: 1.9 }, [1.1, 1.5, 1.9], [1, 2]],
    [{ multipleOf: 2 }, [4, 0, -2, 'a'], [1, 3, 0.5]],
    [{ multipleOf: 1.5 }, [0, 4.5, 'a'], [1, 35]],
    [{ type: 'integer', multipleOf: 3 }, [3, 0, -6], [1, 1.5]],
  ],
  texts: [
    [{ minLength: 2 }, ['ab', '\u{1f48e}\u{1f48e}', 1], ['a', '\u{1f48e}']],
    [{ maxLength: 2 }, ['ab', '\u{1f48e}\u{1f48e}', 1], ['abc']],
    [{ type: 'string', minLength: 1, maxLength: 2 }, ['a', 'ab'], ['', 'abc']],
    [{ pattern: '^a+$' }, ['a', 'aaa', 1], ['b', '']],
    [{ pattern: 'a' }, ['bab', 'a', 1], ['b', '']],
    [{ pattern: '^\\p{L}$' }, ['é', 'a', 1], ['1', '']],
  ],
  arrays: [
    [{ items: integer }, [[], [1], 'a'], [['a'], [1, null]]],
    [{ items: true }, [[1, 'a'], []], []],
    [{ items: false }, [[], 'a'], [[1]]],
    [{ prefixItems: [integer, text] }, [[], [1], [1, 'a', null]], [['a'], [1, 1]]],
    [{ prefixItems: [integer], items: false }, [[], [1], {}], [[1, 2], ['a']]],
    [{ prefixItems: [integer], items: text }, [[1, 'a'], []], [[1, 2], ['a']]],
    [{ prefixItems: [true, false] }, [[], [1]], [[1, 2]]],
    [{ minItems: 1 }, [[1], [1, 2], 'a'], [[]]],
    [{ maxItems: 2 }, [[], [1, 2], 'a'], [[1, 2, 3]]],
    [{ type: 'array', items: integer, minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3], ['a']]],
    [{ allOf: [{ prefixItems: [integer] }], items: text }, [[], 'a'], [[1], ['a'], [1, 'a']]],
  ],
  uniqueItems: [
    [
      { uniqueItems: true },
      [[], [1, 2], [1, true], [{ a: 1 }, { a: 2 }], [0, false], 'a'],
      [
        [1, 1],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      ],
    ],
    [
      { uniqueItems: false },
      [
        [1, 1],
        [1, 2],
      ],
      [],
    ],
    [{ type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 2 }, [[true, false]], [[true], [true, true]]],
    [{ type: 'array', items: { enum: ['a', 'b'] }, maxItems: 1 }, [[], ['a']], [['a', 'b'], ['c']]],
  ],
  contains: [
    [{ contains: { minimum: 5 } }, [[5], [1, 6], 'a'], [[], [1]]],
    [{ contains: { const: 1 } }, [[1], [2, 1]], [[], [2]]],
    [{ contains: true }, [[1], ['a']], [[]]],
    [{ contains: false }, ['a', {}], [[], [1]]],
    [
      { contains: { const: 1 }, minContains: 2 },
      [
        [1, 1],
        [1, 2, 1],
      ],
      [[1], []],
    ],
    [{ contains: { const: 1 }, maxContains: 1 }, [[1], [1, 2]], [[1, 1], []]],
    [{ contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
    [{ minContains: 2 }, [[], [1]], []],
    [{ maxContains: 0 }, [[], [1]], []],
    [{ items: { multipleOf: 2 }, contains: { multipleOf: 3 } }, [[6], [2, 6]], [[3], [2], []]],
    [{ allOf: [{ contains: { const: 1 } }, { contains: { const: 1 }, minContains: 0 }] }, [[1]], [[], [2]]],
  ],
  objects: [
    [{ properties: { a: integer, b: text } }, [{ a: 1, b: 'x' }, {}, [], 1], [{ a: 'x' }, { b: 1 }]],
    [{ properties: { a: true, b: false } }, [{}, { a: 1 }], [{ b: 1 }, { a: 1, b: 1 }]],
    [{ required: ['a'] }, [{ a: 1 }, [], 'a'], [{}, { b: 1 }]],
    [{ type: 'object', properties: { a: integer }, required: ['a'] }, [{ a: 1 }], [{}, { a: 'x' }]],
    [{ required: [] }, [{}, 1], []],
    [{ properties: { a: {} }, additionalProperties: false }, [{ a: 1 }, {}, 1], [{ b: 1 }, { a: 1, b: 1 }]],
    [{ properties: { a: {} }, additionalProperties: { type: 'boolean' } }, [{ a: 1, b: true }, {}], [{ b: 1 }]],
    [{ additionalProperties: integer }, [{ a: 1 }, {}], [{ a: 'x' }]],
    [{ properties: { toString: integer, constructor: text } }, [{ constructor: 'a' }, {}], [{ constructor: 1 }]],
    [{ properties: { 'a\nb': { type: 'number' }, 'a"b': { type: 'number' } } }, [{ 'a\nb': 1, 'a"b': 2 }, { b: '1' }], [{ 'a"b': '2' }]],
    [{ minProperties: 1 }, [{ a: 1 }, 'a'], [{}]],
    [{ maxProperties: 1 }, [{ a: 1 }, {}, 'a'], [{ a: 1, b: 2 }]],
    [{ maxProperties: 0 }, [{}, 1], [{ a: 1 }]],
  ],
  patternProperties: [
    [{ patternProperties: { '^f': integer } }, [{ fa: 1 }, { a: 'x' }, 1], [{ fa: 'x' }, { f: 1, fb: null }]],
    [{ patternProperties: { '^f': integer, o$: { maximum: 9 } } }, [{ fo: 1 }, { o: 'x' }], [{ fo: 10 }, { f: 'x' }]],
    [{ patternProperties: { '^v': {} }, properties: { a: {} }, additionalProperties: false }, [{ a: 1, v1: 2 }, {}], [{ b: 1 }]],
    [{ patternProperties: { '^á': {} }, additionalProperties: false }, [{ ármány: 1 }, {}], [{ elem: 1 }]],
    [
      { properties: { foo: { maxItems: 3 } }, patternProperties: { 'f.o': { minItems: 2 } } },
      [{ foo: [1, 2] }, { fxo: [1, 2] }],
      [{ foo: [] }],
    ],
    [{ patternProperties: { 'f.*': true, 'b.*': false } }, [{ f: 1 }, {}], [{ b: 1 }, { fb: 1 }]],
    [{ properties: { a: integer } }, [{ a: 1 }, { fa: 'x' }], [{ a: 'x' }]],
    [
      { propertyNames: { enum: ['a', 'b'] }, additionalProperties: integer, patternProperties: { '^a': {} } },
      [{ a: 'x', b: 1 }, {}],
      [{ b: 'x' }, { c: 1 }],
    ],
  ],
  propertyNames: [
    [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }, {}, []], [{ abc: 1 }]],
    [{ propertyNames: { pattern: '^a+$' } }, [{ aa: 1 }, {}], [{ b: 1 }]],
    [{ propertyNames: true }, [{ a: 1 }], []],
    [{ propertyNames: false }, [{}, 1], [{ a: 1 }]],
    [{ propertyNames: { const: 'a' } }, [{ a: 1 }, {}], [{ b: 1 }]],
    [{ propertyNames: { enum: ['a', 'b'] } }, [{ a: 1 }, { a: 1, b: 2 }, {}], [{ c: 1 }]],
  ],
  dependent: [
    [{ dependentRequired: { b: ['a'] } }, [{}, { a: 1 }, { a: 1, b: 2 }, 1], [{ b: 2 }]],
    [{ dependentRequired: { b: [] } }, [{}, { b: 1 }], []],
    [{ dependentRequired: { c: ['a', 'b'] } }, [{}, { a: 1, b: 1, c: 1 }], [{ c: 1 }, { a: 1, c: 1 }]],
    [{ dependentSchemas: { b: { properties: { a: integer } } } }, [{}, { a: 'x' }, { a: 1, b: 1 }], [{ a: 'x', b: 1 }]],
    [{ dependentSchemas: { a: true, b: false } }, [{}, { a: 1 }, 1], [{ b: 1 }]],
    [{ dependentSchemas: { a: { additionalProperties: false, properties: { a: {} } } } }, [{ a: 1 }, { b: 1 }], [{ a: 1, b: 1 }]],
  ],
  allOf: [
    [
      {
        allOf: [
          { properties: { a: integer }, required: ['a'] },
          { properties: { b: text }, required: ['b'] },
        ],
      },
      [{ a: 1, b: 'x' }],
      [{ a: 1 }],
    ],
    [{ allOf: [{ maximum: 30 }, { minimum: 20 }] }, [25, 'a'], [35, 10]],
    [{ allOf: [true, true] }, ['a', 1], []],
    [{ allOf: [true, false] }, [], ['a', 1]],
    [{ allOf: [false, false] }, [], ['a', 1]],
    [{ allOf: [{}, { type: 'number' }] }, [1], ['a']],
    [{ allOf: [{ allOf: [{ type: 'null' }] }] }, [null], [1, 'a']],
    [{ allOf: [{ multipleOf: 2 }], anyOf: [{ multipleOf: 3 }], oneOf: [{ multipleOf: 5 }] }, [30, 'a'], [2, 6, 10]],
    [{ allOf: [{ enum: [1, 2] }, { enum: [2, 3] }] }, [2], [1, 3, 'a']],
    [{ allOf: [{ type: 'object', properties: { a: integer } }], required: ['a'] }, [{ a: 1 }], [{}, { a: 'x' }]],
  ],
  anyOf: [
    [{ anyOf: [integer, { minimum: 2 }] }, [1, 2.5, 3, 'a'], [1.5]],
    [{ anyOf: [true, false] }, [1], []],
    [{ anyOf: [false, false] }, [], [1, 'a']],
    [{ type: 'string', anyOf: [{ maxLength: 2 }, { minLength: 4 }] }, ['a', 'abcd'], ['abc', 1]],
    [{ anyOf: [{ properties: { a: integer }, required: ['a'] }, { required: ['b'] }] }, [{ a: 1 }, { a: 'x', b: 1 }], [{}, { a: 'x' }]],
    [{ anyOf: [{ anyOf: [{ type: 'null' }] }] }, [null], [1]],
    [{ anyOf: [{ type: 'number' }, {}] }, ['a', 1], []],
  ],
  oneOf: [
    [{ oneOf: [integer, { minimum: 2 }] }, [1, 2.5, 'a'], [3, 1.5]],
    [{ oneOf: [true, true, false] }, [], [1, 'a']],
    [{ oneOf: [true, false, false] }, [1, 'a'], []],
    [{ type: 'string', oneOf: [{ minLength: 2 }, { maxLength: 4 }] }, ['a', 'abcde'], ['abc', 1]],
    [{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }, [{ a: 1 }, { b: 1 }], [{}, { a: 1, b: 1 }]],
    [{ oneOf: [{ type: 'number' }, {}] }, ['a'], [1]],
    [{ oneOf: [{ oneOf: [{ type: 'null' }] }] }, [null], [1]],
  ],
  not: [
    [{ not: integer }, [1.5, 'a'], [1]],
    [{ not: { type: ['integer', 'boolean'] } }, ['a', null], [1, true]],
    [{ not: {} }, [], [1, 'a', null]],
    [{ not: true }, [], [1, 'a', null]],
    [{ not: false }, [1, 'a'], []],
    [{ not: { type: 'object', properties: { a: text } } }, [1, { a: 1 }], [{}, { a: 'x' }]],
    [{ not: { not: {} } }, [1, 'a'], []],
    [{ type: 'string', not: { const: 'a' } }, ['b', ''], ['a', 1]],
  ],
  ifThenElse: [
    [{ if: { const: 0 } }, [0, 'a'], []],
    [{ [then]: { const: 0 } }, [0, 'a'], []],
    [{ else: { const: 0 } }, [0, 'a'], []],
    [{ if: { exclusiveMaximum: 0 }, [then]: { minimum: -10 } }, [-1, 3, 'a'], [-100]],
    [{ if: { exclusiveMaximum: 0 }, else: { multipleOf: 2 } }, [-1, 4, -3], [3]],
    [{ if: { exclusiveMaximum: 0 }, [then]: { minimum: -10 }, else: { multipleOf: 2 } }, [-1, 4], [-100, 3]],
    [{ allOf: [{ if: { exclusiveMaximum: 0 } }, { [then]: { minimum: -10 } }, { else: { multipleOf: 2 } }] }, [-100, 3], []],
    [{ if: true, [then]: { const: 'a' }, else: { const: 'b' } }, ['a'], ['b']],
    [{ if: false, [then]: { const: 'a' }, else: { const: 'b' } }, ['b'], ['a']],
  ],
  unevaluatedItems: [
    [{ unevaluatedItems: true }, [[], [1]], []],
    [{ unevaluatedItems: false }, [[], 'a'], [[1]]],
    [{ unevaluatedItems: text }, [[], ['a']], [[1]]],
    [{ prefixItems: [text], unevaluatedItems: false }, [['a'], []], [['a', 'b']]],
    [{ prefixItems: [text], allOf: [{ prefixItems: [true, integer] }], unevaluatedItems: false }, [['a', 1]], [['a', 1, 1]]],
    [{ items: text, unevaluatedItems: false }, [['a', 'b'], []], [[1]]],
    [{ allOf: [{ prefixItems: [text] }, { unevaluatedItems: false }] }, [[], 'a'], [['a']]],
  ],
  unevaluatedProperties: [
    [{ unevaluatedProperties: true }, [{}, { a: 1 }], []],
    [{ unevaluatedProperties: false }, [{}, 1], [{ a: 1 }]],
    [{ unevaluatedProperties: text }, [{}, { a: 'x' }], [{ a: 1 }]],
    [{ properties: { a: text }, unevaluatedProperties: false }, [{ a: 'x' }, {}], [{ a: 'x', b: 1 }]],
    [{ properties: { a: text }, additionalProperties: true, unevaluatedProperties: false }, [{ a: 'x', b: 1 }], [{ a: 1 }]],
    [
      { properties: { a: text }, allOf: [{ properties: { b: true } }], unevaluatedProperties: false },
      [{ a: 'x', b: 1 }],
      [{ a: 'x', c: 1 }],
    ],
    [{ allOf: [{ properties: { a: text } }, { unevaluatedProperties: false }] }, [{}, 1], [{ a: 'x' }]],
    [
      { properties: { a: text }, if: { required: ['b'] }, [then]: { properties: { b: {} } }, unevaluatedProperties: false },
      [{ b: 1 }],
      [{ c: 1 }],
    ],
  ],
  references: [
    [{ properties: { a: integer, b: { $ref: '#/properties/a' } } }, [{ b: 1 }, {}], [{ b: 'x' }]],
    [{ $defs: { a: integer }, $ref: '#/$defs/a' }, [1], ['a']],
    [
      { $defs: { a: { type: 'array' } }, properties: { a: { $ref: '#/$defs/a', maxItems: 2 } } },
      [{ a: [] }],
      [{ a: [1, 2, 3] }, { a: 'x' }],
    ],
    [{ $defs: { a: { $anchor: 'whole', ...integer } }, items: { $ref: '#whole' } }, [[1], []], [['a']]],
    [{ $defs: { a: { $dynamicAnchor: 'part', ...text } }, type: 'array', items: { $ref: '#part' } }, [['a'], []], [[1], 'a']],
    [
      { $defs: { 'a/b': integer, 'c~d': text }, properties: { a: { $ref: '#/$defs/a~1b' }, c: { $ref: '#/$defs/c~0d' } } },
      [{ a: 1 }],
      [{ c: 1 }],
    ],
    [{ $defs: { no: false }, properties: { a: { $ref: '#/$defs/no' } } }, [{}, 1], [{ a: 1 }]],
    [{ properties: { $ref: text } }, [{ $ref: 'a' }], [{ $ref: 1 }]],
    [{ ...tree, $ref: '#/$defs/node' }, [{}, { leaf: 1, below: [{ leaf: 2 }] }], [{ below: [{ leaf: 'x' }] }, 1]],
    [{ properties: { a: { $ref: '#' } }, additionalProperties: false }, [{}, { a: { a: {} } }], [{ a: { b: 1 } }, { b: 1 }]],
    [
      {
        $id: 'https://test.invalid/whole',
        $defs: { a: { $id: 'part', $defs: { b: text }, items: { $ref: '#/$defs/b' } }, b: integer },
        $ref: 'part',
      },
      [['a'], []],
      [[1]],
    ],
    [{ enum: [{ $ref: '#/a' }] }, [{ $ref: '#/a' }], [{}, 'a']],
  ],
  annotations: [
    [{ title: 'a', description: 'b', default: 1, examples: ['x'], $comment: 'c' }, [1, 'a'], []],
    [{ type: 'integer', default: 'a' }, [1], ['a']],
    [{ contentMediaType: 'application/json', contentEncoding: 'base64' }, ['{', 1], []],
    [{ 'x-unknown': { type: 'integer' } }, ['a', 1], []],
  ],
}

/** The cases, each with its schema as title. */
export const schemaCases: readonly SchemaCase[] = Object.entries(rows).flatMap(([keyword, all]) =>
  all.map(
    ([schema, valid, invalid]): SchemaCase => ({
      keyword,
      title: JSON.stringify(schema),
      schema: schema as SchemaCase['schema'],
      tests: [...valid.map((data) => ({ data, valid: true })), ...invalid.map((data) => ({ data, valid: false }))],
    }),
  ),
)
