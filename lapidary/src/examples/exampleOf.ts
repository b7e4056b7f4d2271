/** Makes up a value that a JSON Schema allows, for documentation. */
import { misfit } from '../describe/conform.ts'
import { isObject, type JsonSchema, resolved, typesOf } from '../describe/jsonSchema.ts'
import { exampleNumber } from './exampleNumber.ts'
import { exampleText } from './exampleText.ts'

/** How a schema was reached. */
interface Way {
  readonly root: JsonSchema
  /** The schemas that this one is a part of: one that contains itself ends here. */
  readonly above: readonly JsonSchema[]
  /** How many references were followed. */
  readonly references: number
}

/** Records that refer to one another without end would fill pages: beyond this many references, only what is required is shown. */
const deepest = 3

/**
 * A value that the schema allows: its own examples or default, else the first of its choices, else the plainest value of its type.
 * Formats and bounds are kept; `uniqueItems`, `minProperties` and all but plain patterns are not: a schema with one of them wants an example of its own.
 *
 * @returns undefined where no finite value exists.
 */
export const exampleOf = (schema: JsonSchema): unknown => made(schema, { root: schema, above: [], references: 0 })

/** The values that a schema itself tells. A keyword beside a reference is nearer than one behind it. */
const told = (schema: JsonSchema, here: JsonSchema): readonly unknown[] => [
  ...(schema.examples ?? []),
  schema.default,
  ...(here.examples ?? []),
  here.default,
  here.const,
  here.enum?.[0],
]

function made(schema: JsonSchema, way: Way): unknown {
  const here = resolved(schema, way.root)
  // A default may be of the type that is read, not of the one that stands on the wire.
  const known = told(schema, here).find((value) => value !== undefined && misfit(here, value, way.root) === undefined)
  if (known !== undefined) return known
  if (way.above.includes(here)) return undefined
  const below = { ...way, above: [...way.above, here], references: way.references + (here === schema ? 0 : 1) }
  if (here.allOf !== undefined) return exampleOfAll(here, here.allOf, below)
  const branches = here.anyOf ?? here.oneOf
  if (branches !== undefined) return first(branches, below)
  const type = typesOf(here)[0] ?? (here.properties === undefined ? 'anything' : 'object')
  return makers.get(type)?.(here, below)
}

type Make = (schema: JsonSchema, way: Way) => unknown

const makers: ReadonlyMap<string, Make> = new Map<string, Make>([
  ['string', exampleText],
  ['integer', exampleNumber],
  ['number', exampleNumber],
  ['boolean', () => true],
  ['null', () => null],
  ['array', exampleArray],
  ['object', exampleObject],
  ['anything', ({ not, ...schema }) => (not === undefined ? exampleText(schema) : undefined)],
])

function first(branches: readonly JsonSchema[], way: Way): unknown {
  for (const branch of branches) {
    const value = made(branch, way)
    if (value !== undefined) return value
  }
  return undefined
}

/** Parts that hold together: one object with the members of all, or one value within the bounds of all. */
function exampleOfAll({ allOf: _, ...own }: JsonSchema, parts: readonly JsonSchema[], way: Way): unknown {
  const values = (own.properties === undefined ? parts : [own, ...parts]).map((part) => made(part, way))
  if (values.includes(undefined)) return undefined
  if (values.every(isObject)) return Object.assign({}, ...values)
  return made(Object.assign({}, own, ...parts.map((part) => resolved(part, way.root))), way)
}

function exampleArray({ prefixItems = [], items = {}, minItems = 0, maxItems = Infinity }: JsonSchema, way: Way): unknown {
  const wanted = way.references > deepest ? minItems : Math.min(Math.max(minItems, prefixItems.length || 1), maxItems)
  const values: unknown[] = []
  while (values.length < wanted) {
    const item = prefixItems[values.length] ?? items
    const value = typeof item === 'object' ? made(item, way) : item ? made({}, way) : undefined
    if (value === undefined) break
    values.push(value)
  }
  return values.length < minItems ? undefined : values
}

function exampleObject(schema: JsonSchema, way: Way): unknown {
  const { properties = {}, required = [], additionalProperties, propertyNames = {} } = schema
  const rest = typeof additionalProperties === 'object' ? additionalProperties : undefined
  const members: [string, unknown][] = []
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const needed = required.includes(name)
    if (!needed && way.references > deepest) continue
    const value = made(properties[name] ?? rest ?? {}, way)
    if (value !== undefined) members.push([name, value])
    else if (needed) return undefined
  }
  if (rest !== undefined && schema.properties === undefined && members.length === 0) {
    const [name, value] = [made(propertyNames as JsonSchema, way), made(rest, way)]
    if (typeof name === 'string' && value !== undefined) members.push([name, value])
  }
  // fromEntries defines members, so that `__proto__` is a name like any other.
  return Object.fromEntries(members)
}
