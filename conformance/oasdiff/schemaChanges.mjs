/** Changes of one schema, each the smallest that a check of oasdiff is about: its name in the ids of the checks, the old schema, and the new one. */

const integer = { type: 'integer' }
const text = { type: 'string' }
const list = { type: 'array', items: text }
const named = { type: 'object', properties: { name: text } }
const sized = { type: 'object', properties: { size: integer } }
const kind = (/** @type {string} */ name, /** @type {object} */ more = {}) => ({
  type: 'object',
  properties: { kind: { const: name }, ...more },
  required: ['kind'],
})
const shapes = [kind('circle', { radius: integer }), kind('square', { side: integer })]
/** A bound with a smaller and a larger value. */
const bound = (/** @type {object} */ type, /** @type {string} */ keyword) => [type, { ...type, [keyword]: 5 }, { ...type, [keyword]: 10 }]

/** @typedef {readonly [name: string, old: object, now: object]} SchemaChange */

/** @param {string} name @param {object} type @param {string} keyword @returns {readonly SchemaChange[]} */
function listBoundChanges(name, type, keyword) {
  const [free, less, more] = bound(type, keyword)
  return [
    [`${name}-set`, free, less],
    [`${name}-unset`, less, free],
    [`${name}-increased`, less, more],
    [`${name}-decreased`, more, less],
  ]
}

/** A part that is there, or not. @param {string} name @param {object} without @param {object} withIt @returns {readonly SchemaChange[]} */
const listPresenceChanges = (name, without, withIt) => [
  [`${name}-added`, without, withIt],
  [`${name}-removed`, withIt, without],
]

const conditional = { ...kind('circle', { radius: integer }), properties: { kind: text, radius: integer } }
const needsRadius = { required: ['radius'] }
/** @param {readonly (readonly [keyword: string, schema: object])[]} parts  what follows from the condition */
const whenCircle = (...parts) => ({ ...conditional, if: { properties: { kind: { const: 'circle' } } }, ...Object.fromEntries(parts) })

/** @type {readonly SchemaChange[]} */
export const schemaChanges = [
  ...listBoundChanges('max', integer, 'maximum'),
  ...listBoundChanges('min', integer, 'minimum'),
  ...listBoundChanges('exclusive-max', integer, 'exclusiveMaximum'),
  ...listBoundChanges('exclusive-min', integer, 'exclusiveMinimum'),
  ...listBoundChanges('max-length', text, 'maxLength'),
  ...listBoundChanges('min-length', text, 'minLength'),
  ...listBoundChanges('max-items', list, 'maxItems'),
  ...listBoundChanges('min-items', list, 'minItems'),
  ...listPresenceChanges('pattern', text, { ...text, pattern: '^[a-z]+$' }),
  ['pattern-changed', { ...text, pattern: '^[a-z]+$' }, { ...text, pattern: '^[0-9]+$' }],
  ['pattern-generalized', { ...text, pattern: '^[a-z]+$' }, { ...text, pattern: '.*' }],
  ['enum-value-added', { ...text, enum: ['name', 'size'] }, { ...text, enum: ['name', 'size', 'price'] }],
  ['enum-value-removed', { ...text, enum: ['name', 'size', 'price'] }, { ...text, enum: ['name', 'size'] }],
  ['became-enum', text, { ...text, enum: ['name', 'size'] }],
  ['x-extensible-enum-value-removed', { ...text, 'x-extensible-enum': ['name', 'size'] }, { ...text, 'x-extensible-enum': ['name'] }],
  ['became-nullable', text, { type: ['string', 'null'] }],
  ['became-not-nullable', { type: ['string', 'null'] }, text],
  ['type-changed', text, integer],
  ['type-generalized', integer, { type: 'number' }],
  ['type-specialized', { type: 'number' }, integer],
  ['type-compatible', { ...text, format: 'date' }, text],
  ['list-of-types-widened', { type: ['string', 'integer'] }, { type: ['string', 'integer', 'boolean'] }],
  ['list-of-types-narrowed', { type: ['string', 'integer', 'boolean'] }, { type: ['string', 'integer'] }],
  ...listPresenceChanges('default-value', text, { ...text, default: 'name' }),
  ['default-value-changed', { ...text, default: 'name' }, { ...text, default: 'size' }],
  ...listPresenceChanges('const', text, { const: 'name' }),
  ['const-changed', { const: 'name' }, { const: 'size' }],
  ...listPresenceChanges('one-of', { oneOf: shapes.slice(0, 1) }, { oneOf: shapes }),
  ...listPresenceChanges('any-of', { anyOf: shapes.slice(0, 1) }, { anyOf: shapes }),
  ...listPresenceChanges('all-of', { allOf: [named] }, { allOf: [named, { ...sized, required: ['size'] }] }),
  ['all-of-added-annotation-only', { allOf: [named] }, { allOf: [named, { description: 'A name.' }] }],
  ['all-of-removed-annotation-only', { allOf: [named, { description: 'A name.' }] }, { allOf: [named] }],
  [
    'wrapped-in-one-of',
    { ...named, required: ['name'] },
    {
      oneOf: [
        { ...named, required: ['name'] },
        { ...sized, required: ['size'] },
      ],
    },
  ],
  ...listPresenceChanges('prefix-items', { type: 'array', prefixItems: [text] }, { type: 'array', prefixItems: [text, integer] }),
  ...listPresenceChanges('if', conditional, whenCircle(['then', needsRadius])),
  ...listPresenceChanges('then', whenCircle(['else', {}]), whenCircle(['else', {}], ['then', needsRadius])),
  ...listPresenceChanges('else', whenCircle(['then', {}]), whenCircle(['then', {}], ['else', needsRadius])),
  ...listPresenceChanges('contains', list, { ...list, contains: { const: 'name' } }),
  ...listBoundChanges('min-contains', { ...list, contains: { minLength: 1 } }, 'minContains'),
  ...listBoundChanges('max-contains', { ...list, contains: { minLength: 1 } }, 'maxContains'),
  ...listPresenceChanges('dependent-required', conditional, { ...conditional, dependentRequired: { kind: ['radius'] } }),
  [
    'dependent-required-changed',
    { ...conditional, properties: { kind: text, radius: integer, side: integer }, dependentRequired: { kind: ['radius'] } },
    { ...conditional, properties: { kind: text, radius: integer, side: integer }, dependentRequired: { kind: ['side'] } },
  ],
  ...listPresenceChanges('dependent-schema', conditional, { ...conditional, dependentSchemas: { kind: { required: ['radius'] } } }),
  ...listPresenceChanges('pattern-property', { type: 'object' }, { type: 'object', patternProperties: { '^x-': integer } }),
  ...listPresenceChanges(
    'property-names',
    { type: 'object', additionalProperties: text },
    { type: 'object', additionalProperties: text, propertyNames: { maxLength: 3 } },
  ),
  ...listPresenceChanges(
    'unevaluated-items',
    { type: 'array', prefixItems: [text] },
    { type: 'array', prefixItems: [text], unevaluatedItems: false },
  ),
  ...listPresenceChanges('unevaluated-properties', { allOf: [named] }, { allOf: [named], unevaluatedProperties: false }),
  ...listPresenceChanges(
    'content-schema',
    { ...text, contentMediaType: 'application/json' },
    { ...text, contentMediaType: 'application/json', contentSchema: named },
  ),
  ['content-media-type-changed', { ...text, contentMediaType: 'image/png' }, { ...text, contentMediaType: 'image/jpeg' }],
  ['content-encoding-changed', { ...text, contentEncoding: 'base64' }, { ...text, contentEncoding: 'base64url' }],
  ...listPresenceChanges('discriminator', { oneOf: shapes }, { oneOf: shapes, discriminator: { propertyName: 'kind' } }),
  [
    'discriminator-property-name-changed',
    { oneOf: shapes, discriminator: { propertyName: 'kind' } },
    { oneOf: shapes, discriminator: { propertyName: 'radius' } },
  ],
]
