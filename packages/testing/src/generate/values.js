/** Values that a JSON Schema allows, as fast-check makes them: varied, repeatable by a seed, and shrinking towards the plainest. */
import * as fc from 'fast-check'
import { getMembers, getTypes, isValid, resolveSchema } from 'lapidary/internal'
import { createNumberArbitrary, createTextArbitrary } from './scalars.js'

/** A schema that leads to more is left alone: it may come from anywhere. */
const maxNestedValues = 2_500
const maxSchemaParts = 2_000
/** Beyond so many references only what is required is made, so that what contains itself comes to an end. */
const maxFullReferences = 3
/** Beyond so many nothing is made: what requires itself has no end. */
const maxReferences = 12
/** Items of a list without bounds. */
const usualMaxItems = 4
/** Of more values that a schema lists, these are chosen from: as arguments of one call hundreds of thousands would end the stack. */
const maxChoices = 10_000
/** One of these values, of which there is at least one. */
const chooseFrom = (values) => fc.constantFrom(...values.slice(0, maxChoices))
/** The values that a schema itself tells, as far as it allows them. */
const getStatedValues = (schema, root) =>
  [...(schema.examples ?? []), schema.default].filter((value) => value !== undefined && isValid(schema, value, root))
function createPartArbitrary(schema, way) {
  way.budget.left -= 1
  if (way.budget.left < 0 || way.room < 1) return undefined
  const here = resolveSchema(schema, way.root)
  const below = here === schema ? way : { ...way, references: way.references + 1 }
  if (below.references > maxReferences) return undefined
  const shown = getStatedValues(here, way.root)
  const any = createFormArbitrary(here, below)
  if (shown.length === 0) return any
  const shownOnes = chooseFrom(shown)
  return any === undefined ? shownOnes : fc.oneof({ arbitrary: any, weight: 4 }, { arbitrary: shownOnes, weight: 1 })
}
function createFormArbitrary(schema, way) {
  const { allOf, anyOf, oneOf: branches = anyOf } = schema
  if (allOf !== undefined) return createAllOfArbitrary(schema, allOf, way)
  if (branches !== undefined) return createUnionArbitrary(branches, way)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return schema.enum.length === 0 ? undefined : chooseFrom(schema.enum)
  const types = getTypes(schema)
  if (types.length > 1)
    return createUnionArbitrary(
      types.map((type) => ({ ...schema, type })),
      way,
    )
  const type = types[0] ?? (schema.properties === undefined ? 'anything' : 'object')
  return arbitraryMakers.get(type)?.(schema, way)
}
const arbitraryMakers = new Map([
  ['string', (schema, { style }) => (Number(schema['minLength'] ?? 0) > maxNestedValues ? undefined : createTextArbitrary(schema, style))],
  ['integer', (schema, { style }) => createNumberArbitrary(schema, style)],
  ['number', (schema, { style }) => createNumberArbitrary(schema, style)],
  ['boolean', () => fc.boolean()],
  ['null', () => fc.constant(null)],
  ['array', createArrayArbitrary],
  ['object', createObjectArbitrary],
  ['anything', ({ not }) => (not === undefined ? fc.jsonValue({ maxDepth: 2 }) : undefined)],
])
function createUnionArbitrary(branches, way) {
  const possible = branches.map((branch) => createPartArbitrary(branch, way)).filter((one) => one !== undefined)
  return possible.length === 0 ? undefined : fc.oneof(...possible)
}
/** Parts that hold together: objects with the members of all, or values within the bounds of all. */
function createAllOfArbitrary({ allOf: _, ...own }, parts, way) {
  const all = own.properties === undefined ? parts : [own, ...parts]
  if (!all.every((part) => getTypes(resolveSchema(part, way.root)).includes('object')))
    return createPartArbitrary(Object.assign({}, own, ...parts.map((part) => resolveSchema(part, way.root))), way)
  const made_ = all.map((part) => createPartArbitrary(part, way))
  return made_.some((one) => one === undefined) ? undefined : fc.tuple(...made_).map((values) => Object.assign({}, ...values))
}
function createArrayArbitrary(schema, around) {
  const { prefixItems = [], items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const way = { ...around, room: around.room / Math.max(1, minItems) }
  const places = prefixItems.map((place) => createPartArbitrary(place, way))
  const rest = items === false ? undefined : createPartArbitrary(typeof items === 'object' ? items : {}, way)
  const isShort = way.references > maxFullReferences
  const [least, longest] = [
    Math.max(0, minItems - places.length),
    isShort ? minItems : Math.max(minItems, Math.min(maxItems, usualMaxItems)),
  ]
  if (places.some((place) => place === undefined)) return minItems === 0 ? fc.constant([]) : undefined
  const room = Math.max(least, longest - places.length)
  // Whoever looks at a list wants to see something in it.
  const size = { minLength: way.style === 'plain' ? Math.max(least, Math.min(2, room)) : least, maxLength: room }
  const isUnique = schema['uniqueItems'] === true
  const others =
    rest === undefined
      ? least > 0
        ? undefined
        : fc.constant([])
      : isUnique
        ? fc.uniqueArray(rest, { ...size, selector: (item) => JSON.stringify(item) })
        : fc.array(rest, size)
  if (others === undefined) return undefined
  return places.length === 0 ? others : fc.tuple(fc.tuple(...places), others).map(([first, more]) => [...first, ...more])
}
function createObjectArbitrary(schema, way) {
  const { properties, required, rest } = getMembers(schema)
  const members = Object.create(null)
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const isNeeded = required.includes(name)
    if (!isNeeded && way.references > maxFullReferences) continue
    const values = createPartArbitrary(
      (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? (typeof rest === 'object' ? rest : {}),
      way,
    )
    if (values !== undefined) members[name] = values
    else if (isNeeded) return undefined
  }
  const declared = fc.record(members, { requiredKeys: required.filter((name) => name in members), noNullPrototype: true })
  if (typeof rest !== 'object' || way.references > maxFullReferences) return declared
  const [names, values] = [createPartArbitrary(schema.propertyNames ?? {}, way), createPartArbitrary(rest, way)]
  const named = schema.propertyNames === undefined ? fc.string({ maxLength: 8 }) : names?.filter((name) => typeof name === 'string')
  if (named === undefined || values === undefined) return declared
  const further = fc.dictionary(named, values, { maxKeys: 3, noNullPrototype: true })
  return fc.tuple(further, declared).map(([more, own]) => ({ ...more, ...own }))
}
/**
 * Values that the schema allows, bounds and formats included, its examples among them; `odd` unless `style` is `plain`. `root` is what its references
 * start from: itself, by default.
 *
 * @returns undefined where no finite value exists, or none can be found
 */
export function createArbitrary(schema, isRight = () => true, style = 'odd', root = schema) {
  const values = createPartArbitrary(schema, { root, references: 0, style, room: maxNestedValues, budget: { left: maxSchemaParts } })
  if (values === undefined) return undefined
  const isSound = (value) => isValid(schema, value, root) && isRight(value)
  // A filter that nothing passes would never end.
  const sound = fc.sample(values, { numRuns: 100, seed: 1 }).filter(isSound)
  if (sound.length === 0) return undefined
  return sound.length < 10 ? fc.constantFrom(...sound) : values.filter(isSound)
}
