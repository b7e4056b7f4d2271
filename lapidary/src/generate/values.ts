/** Values that a JSON Schema allows, as fast-check makes them: varied, repeatable by a seed, and shrinking towards the plainest. */
import * as fc from 'fast-check'
import { fits } from '../describe/conform.ts'
import { type JsonSchema, membersOf, resolved, typesOf } from '../describe/jsonSchema.ts'
import { numbersOf } from './numbers.ts'
import { type Style, textsOf } from './texts.ts'

/** How a schema was reached. */
interface Way {
  readonly root: JsonSchema
  /** How many references were followed. */
  readonly references: number
  readonly style: Style
  /** How many values there may be within one, and how many parts of schemas may still be looked at for them. */
  readonly room: number
  readonly budget: { left: number }
}

/** A schema that leads to more is left alone: it may come from anywhere. */
const roomiest = 2_500
const mostParts = 2_000

/** Undefined where no finite value exists. */
type Values = fc.Arbitrary<unknown> | undefined

/** Beyond so many references only what is required is made, so that what contains itself comes to an end. */
const deepest = 3
/** Beyond so many nothing is made: what requires itself has no end. */
const bottom = 12
/** Items of a list without bounds. */
const most = 4

/** Of more values that a schema lists, these are chosen from: as arguments of one call hundreds of thousands would end the stack. */
const mostChoices = 10_000

/** One of these values, of which there is at least one. */
const oneOf = (values: readonly unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values.slice(0, mostChoices))

/** The values that a schema itself tells, as far as it allows them. */
const told = (schema: JsonSchema, root: JsonSchema): readonly unknown[] =>
  [...(schema.examples ?? []), schema.default].filter((value) => value !== undefined && fits(schema, value, root))

function made(schema: JsonSchema, way: Way): Values {
  way.budget.left -= 1
  if (way.budget.left < 0 || way.room < 1) return undefined
  const here = resolved(schema, way.root)
  const below = here === schema ? way : { ...way, references: way.references + 1 }
  if (below.references > bottom) return undefined
  const shown = told(here, way.root)
  const any = formed(here, below)
  if (shown.length === 0) return any
  const shownOnes = oneOf(shown)
  return any === undefined ? shownOnes : fc.oneof({ arbitrary: any, weight: 4 }, { arbitrary: shownOnes, weight: 1 })
}

function formed(schema: JsonSchema, way: Way): Values {
  const { allOf, anyOf, oneOf: branches = anyOf } = schema
  if (allOf !== undefined) return together(schema, allOf, way)
  if (branches !== undefined) return either(branches, way)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return schema.enum.length === 0 ? undefined : oneOf(schema.enum)
  const types = typesOf(schema)
  if (types.length > 1)
    return either(
      types.map((type) => ({ ...schema, type })),
      way,
    )
  const type = types[0] ?? (schema.properties === undefined ? 'anything' : 'object')
  return makers.get(type)?.(schema, way)
}

const makers: ReadonlyMap<string, (schema: JsonSchema, way: Way) => Values> = new Map<string, (schema: JsonSchema, way: Way) => Values>([
  ['string', (schema, { style }) => (Number(schema['minLength'] ?? 0) > roomiest ? undefined : textsOf(schema, style))],
  ['integer', (schema, { style }) => numbersOf(schema, style)],
  ['number', (schema, { style }) => numbersOf(schema, style)],
  ['boolean', () => fc.boolean()],
  ['null', () => fc.constant(null)],
  ['array', lists],
  ['object', objects],
  ['anything', ({ not }) => (not === undefined ? fc.jsonValue({ maxDepth: 2 }) : undefined)],
])

function either(branches: readonly JsonSchema[], way: Way): Values {
  const possible = branches.map((branch) => made(branch, way)).filter((one) => one !== undefined)
  return possible.length === 0 ? undefined : fc.oneof(...possible)
}

/** Parts that hold together: objects with the members of all, or values within the bounds of all. */
function together({ allOf: _, ...own }: JsonSchema, parts: readonly JsonSchema[], way: Way): Values {
  const all = own.properties === undefined ? parts : [own, ...parts]
  if (!all.every((part) => typesOf(resolved(part, way.root)).includes('object')))
    return made(Object.assign({}, own, ...parts.map((part) => resolved(part, way.root))), way)
  const made_ = all.map((part) => made(part, way))
  return made_.some((one) => one === undefined)
    ? undefined
    : fc.tuple(...(made_ as fc.Arbitrary<unknown>[])).map((values) => Object.assign({}, ...(values as object[])))
}

function lists(schema: JsonSchema, around: Way): Values {
  const { prefixItems = [], items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const way: Way = { ...around, room: around.room / Math.max(1, minItems) }
  const places = prefixItems.map((place) => made(place, way))
  const rest = items === false ? undefined : made(typeof items === 'object' ? items : {}, way)
  const isShort = way.references > deepest
  const [least, longest] = [Math.max(0, minItems - places.length), isShort ? minItems : Math.max(minItems, Math.min(maxItems, most))]
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
  return places.length === 0
    ? others
    : fc.tuple(fc.tuple(...(places as fc.Arbitrary<unknown>[])), others).map(([first, more]) => [...first, ...more])
}

function objects(schema: JsonSchema, way: Way): Values {
  const { properties, required, rest } = membersOf(schema)
  const members: Record<string, fc.Arbitrary<unknown>> = Object.create(null)
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const isNeeded = required.includes(name)
    if (!isNeeded && way.references > deepest) continue
    const values = made((Object.hasOwn(properties, name) ? properties[name] : undefined) ?? (typeof rest === 'object' ? rest : {}), way)
    if (values !== undefined) members[name] = values
    else if (isNeeded) return undefined
  }
  const declared = fc.record(members, { requiredKeys: required.filter((name) => name in members), noNullPrototype: true })
  if (typeof rest !== 'object' || way.references > deepest) return declared
  const [names, values] = [made((schema.propertyNames ?? {}) as JsonSchema, way), made(rest, way)]
  const named = schema.propertyNames === undefined ? fc.string({ maxLength: 8 }) : names?.filter((name) => typeof name === 'string')
  if (named === undefined || values === undefined) return declared
  const further = fc.dictionary(named as fc.Arbitrary<string>, values, { maxKeys: 3, noNullPrototype: true })
  return fc.tuple(further, declared).map(([more, own]) => ({ ...more, ...own }))
}

/**
 * Values that the schema allows, bounds and formats included, its examples among them; `odd` unless `style` is `plain`. `root` is what its references
 * start from: itself, by default.
 *
 * @returns undefined where no finite value exists, or none can be found
 */
export function valuesOf(
  schema: JsonSchema,
  isRight: (value: unknown) => boolean = () => true,
  style: Style = 'odd',
  root: JsonSchema = schema,
): fc.Arbitrary<unknown> | undefined {
  const values = made(schema, { root, references: 0, style, room: roomiest, budget: { left: mostParts } })
  if (values === undefined) return undefined
  const isSound = (value: unknown): boolean => fits(schema, value, root) && isRight(value)
  // A filter that nothing passes would never end.
  const sound = fc.sample(values, { numRuns: 100, seed: 1 }).filter(isSound)
  if (sound.length === 0) return undefined
  return sound.length < 10 ? fc.constantFrom(...sound) : values.filter(isSound)
}
