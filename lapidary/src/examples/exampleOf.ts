/** Makes up a value that a JSON Schema allows, for documentation. */
import { firstIssue } from '../describe/conform.ts'
import { getTypes, isJsonObject, type JsonSchema, resolveSchema } from '../describe/jsonSchema.ts'
import { createExampleNumber } from './exampleNumber.ts'
import { createExampleText } from './exampleText.ts'

/** How a schema was reached. */
interface ExampleContext {
  readonly root: JsonSchema
  /** The schemas that this one is a part of: one that contains itself ends here. */
  readonly above: readonly JsonSchema[]
  /** How many references were followed. */
  readonly references: number
}

/** Records that refer to one another without end would fill pages: beyond this many references, only what is required is shown. */
const maxFullReferences = 3

/**
 * A value that the schema allows: its own examples or default, else the first of its choices, else the plainest value of its type.
 * Formats and bounds are kept; `uniqueItems`, `minProperties` and all but plain patterns are not: a schema with one of them wants an example of its own.
 *
 * @returns undefined where no finite value exists.
 */
export const createExample = (schema: JsonSchema): unknown => createExampleValue(schema, { root: schema, above: [], references: 0 })

/** The values that a schema itself tells. A keyword beside a reference is nearer than one behind it. */
const getStatedValues = (schema: JsonSchema, here: JsonSchema): readonly unknown[] => [
  ...(schema.examples ?? []),
  schema.default,
  ...(here.examples ?? []),
  here.default,
  here.const,
  here.enum?.[0],
]

function createExampleValue(schema: JsonSchema, way: ExampleContext): unknown {
  const here = resolveSchema(schema, way.root)
  // A default may be of the type that is read, not of the one that stands on the wire.
  const known = getStatedValues(schema, here).find((value) => value !== undefined && firstIssue(here, value, way.root) === undefined)
  if (known !== undefined) return known
  if (way.above.includes(here)) return undefined
  const below = { ...way, above: [...way.above, here], references: way.references + (here === schema ? 0 : 1) }
  if (here.allOf !== undefined) return createAllOfExample(here, here.allOf, below)
  const branches = here.anyOf ?? here.oneOf
  if (branches !== undefined) return createFirstExample(branches, below)
  const type = getTypes(here)[0] ?? (here.properties === undefined ? 'anything' : 'object')
  return exampleMakers.get(type)?.(here, below)
}

type ExampleMaker = (schema: JsonSchema, way: ExampleContext) => unknown

const exampleMakers: ReadonlyMap<string, ExampleMaker> = new Map<string, ExampleMaker>([
  ['string', createExampleText],
  ['integer', createExampleNumber],
  ['number', createExampleNumber],
  ['boolean', () => true],
  ['null', () => null],
  ['array', createExampleArray],
  ['object', createExampleObject],
  ['anything', ({ not, ...schema }) => (not === undefined ? createExampleText(schema) : undefined)],
])

function createFirstExample(branches: readonly JsonSchema[], way: ExampleContext): unknown {
  for (const branch of branches) {
    const value = createExampleValue(branch, way)
    if (value !== undefined) return value
  }
  return undefined
}

/** Parts that hold together: one object with the members of all, or one value within the bounds of all. */
function createAllOfExample({ allOf: _, ...own }: JsonSchema, parts: readonly JsonSchema[], way: ExampleContext): unknown {
  const values = (own.properties === undefined ? parts : [own, ...parts]).map((part) => createExampleValue(part, way))
  if (values.includes(undefined)) return undefined
  if (values.every(isJsonObject)) return Object.assign({}, ...values)
  return createExampleValue(Object.assign({}, own, ...parts.map((part) => resolveSchema(part, way.root))), way)
}

function createExampleArray({ prefixItems = [], items = {}, minItems = 0, maxItems = Infinity }: JsonSchema, way: ExampleContext): unknown {
  const wanted = way.references > maxFullReferences ? minItems : Math.min(Math.max(minItems, prefixItems.length || 1), maxItems)
  const values: unknown[] = []
  while (values.length < wanted) {
    const item = prefixItems[values.length] ?? items
    const value = typeof item === 'object' ? createExampleValue(item, way) : item ? createExampleValue({}, way) : undefined
    if (value === undefined) break
    values.push(value)
  }
  return values.length < minItems ? undefined : values
}

function createExampleObject(schema: JsonSchema, way: ExampleContext): unknown {
  const { properties = {}, required = [], additionalProperties, propertyNames = {} } = schema
  const rest = typeof additionalProperties === 'object' ? additionalProperties : undefined
  const members: [string, unknown][] = []
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const needed = required.includes(name)
    if (!needed && way.references > maxFullReferences) continue
    const value = createExampleValue(properties[name] ?? rest ?? {}, way)
    if (value !== undefined) members.push([name, value])
    else if (needed) return undefined
  }
  if (rest !== undefined && schema.properties === undefined && members.length === 0) {
    const [name, value] = [createExampleValue(propertyNames as JsonSchema, way), createExampleValue(rest, way)]
    if (typeof name === 'string' && value !== undefined) members.push([name, value])
  }
  // fromEntries defines members, so that `__proto__` is a name like any other.
  return Object.fromEntries(members)
}
