/** Small changes of a schema: a keyword that is gone, another bound, a part less, a restriction more. */

/** @typedef {import('./suite.mjs').Schema} Schema */
/** @typedef {readonly (string | number)[]} Path */

/** Keywords whose values are no schemas. */
const valueKeywords = new Set(['const', 'enum', 'default', 'examples', 'required', 'type', 'dependentRequired', '$vocabulary'])
/** Keywords whose members are schemas. */
const mapKeywords = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
/** Keywords that name a schema: without them a reference leads nowhere. */
const nameKeywords = new Set(['$schema', '$id', '$anchor', '$dynamicAnchor', '$defs', 'definitions', '$comment', '$vocabulary'])

const isObject = (/** @type {unknown} */ value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The places of all schemas that are objects, the schema itself included. @returns {Generator<Path>} */
function* listPlaces(/** @type {unknown} */ schema, /** @type {Path} */ path = []) {
  if (!isObject(schema)) return
  yield path
  for (const [keyword, value] of Object.entries(schema)) {
    if (valueKeywords.has(keyword)) continue
    if (mapKeywords.has(keyword) && isObject(value)) {
      for (const [name, part] of Object.entries(value)) yield* listPlaces(part, [...path, keyword, name])
    } else if (Array.isArray(value)) for (const [index, part] of value.entries()) yield* listPlaces(part, [...path, keyword, index])
    else yield* listPlaces(value, [...path, keyword])
  }
}

/** What a keyword becomes; `undefined` removes it. @returns {readonly unknown[]} */
function listOtherValues(/** @type {string} */ keyword, /** @type {unknown} */ value) {
  if (nameKeywords.has(keyword)) return []
  if (typeof value === 'number') return [undefined, value + 1, ...(value >= 1 && keyword !== 'multipleOf' ? [value - 1] : [])]
  if (typeof value === 'boolean') return [undefined, !value]
  if (Array.isArray(value) && value.length > 1) return [undefined, value.slice(0, -1), value.slice(1)]
  return [undefined]
}

const additions = [
  { type: 'object' },
  { type: ['integer', 'string', 'array'] },
  { minProperties: 1 },
  { maxItems: 2 },
  { minimum: 1 },
  { maxLength: 3 },
  { required: ['foo'] },
  { not: { const: 1 } },
  { additionalProperties: false },
]

/** The same schema with other keywords at one place. */
function replaceAt(/** @type {Record<string, any>} */ schema, /** @type {Path} */ path, /** @type {(part: object) => object} */ change) {
  if (path.length === 0) return change(schema)
  const result = structuredClone(schema)
  const last = /** @type {string} */ (path.at(-1))
  const parent = path.slice(0, -1).reduce((part, step) => part[step], result)
  parent[last] = change(parent[last])
  return result
}

const omitUndefined = (/** @type {object} */ schema) =>
  Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))

/** @param {Schema} schema @returns {readonly Schema[]} */
export function listMutations(schema) {
  if (!isObject(schema)) return [!schema, ...additions]
  return [...listPlaces(schema)].flatMap((path) => {
    const part = /** @type {Record<string, any>} */ (path.reduce((value, step) => value[step], /** @type {any} */ (schema)))
    const changes = Object.entries(part).flatMap(([keyword, value]) =>
      listOtherValues(keyword, value).map((other) => ({ [keyword]: other })),
    )
    const swaps = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) =>
      part[keyword] === undefined ? [] : [{ [keyword]: undefined, [keyword === 'anyOf' ? 'oneOf' : 'anyOf']: part[keyword] }],
    )
    const added = additions.filter((addition) => Object.keys(addition).every((keyword) => part[keyword] === undefined))
    return [...changes, ...swaps, ...added].map((change) => replaceAt(schema, path, (at) => omitUndefined({ ...at, ...change })))
  })
}
