/** Makes up a value that a JSON Schema allows, for documentation. */
import { date } from '../contract/parameters/date.js'
import { int } from '../contract/parameters/int.js'
import { getTypes, isJsonObject, resolveSchema } from './jsonSchema.js'
import { firstIssue } from './validate.js'

// Makes up a number within the bounds of a JSON Schema.
const usualExampleNumber = Number(int.examples[0])
const getBound = (value, otherwise) => (typeof value === 'number' ? value : otherwise)
/** The number nearest to the usual one between the bounds that are allowed themselves and those that are not. */
function pickBetween(low, high, above, below) {
  const near = Math.min(Math.max(usualExampleNumber, low), high)
  if (near > above && near < below) return near
  // One step inside, or halfway where there is no room for a step.
  const inside = near <= above ? Math.min(above + 1, high) : Math.max(below - 1, low)
  return inside > above && inside < below ? inside : (Math.max(low, above) + Math.min(high, below)) / 2
}
/** 42 where the schema allows it, else the allowed number that is nearest, or near: `minimum`, `maximum`, both exclusive bounds and `multipleOf`. */
export function createExampleNumber(schema) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const low = getBound(minimum, -Infinity)
  const high = getBound(maximum, Infinity)
  const above = getBound(exclusiveMinimum, -Infinity)
  const below = getBound(exclusiveMaximum, Infinity)
  const step = getBound(multipleOf, getTypes(schema).includes('integer') ? 1 : 0)
  if (step === 0) return pickBetween(low, high, above, below)
  // In steps, every bound is a whole number that is allowed itself.
  const least = Math.max(Math.ceil(low / step), Math.floor(above / step) + 1)
  const most = Math.min(Math.floor(high / step), Math.ceil(below / step) - 1)
  return Math.min(Math.max(Math.floor(usualExampleNumber / step), least), most) * step
}
// Makes up a text of the format or the length that a JSON Schema asks for.
/** One text of each format: those of JSON Schema (Validation §7.3), and some that schema libraries add. */
const formatExamples = new Map([
  ['date', `${date.examples[0]}`],
  ['date-time', `${date.examples[0]}T12:00:00Z`],
  ['time', '12:00:00'],
  ['duration', 'P1D'],
  ['email', 'ann@example.org'],
  ['idn-email', 'ann@example.org'],
  ['hostname', 'example.org'],
  ['idn-hostname', 'example.org'],
  ['uri', 'https://example.org/'],
  ['uri-reference', '/path'],
  ['iri', 'https://example.org/'],
  ['iri-reference', '/path'],
  ['json-pointer', '/name'],
  ['regex', '^text$'],
  ['uuid', '7f3c1e8a-5b2d-4c6e-9f01-23456789abcd'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['cidrv4', '192.0.2.0/24'],
  ['cidrv6', '2001:db8::/32'],
  ['base64', 'dGV4dHM='],
  ['base64url', 'dGV4dHM'],
  ['e164', '+15555550100'],
])
const exampleWord = 'text'
/** What is tried where the schema has a pattern: short texts, then one of each format. */
const patternCandidates = ['a', 'A', '1', ...formatExamples.values()]
/**
 * A text of the schema's format; without one, `text`, repeated or cut to the length that it asks for.
 * A pattern is not solved: where that text does not match, the first known one that does is taken, if any.
 */
export function createExampleText({ format, pattern, minLength = 0, maxLength = Infinity }) {
  const [least, most] = [Number(minLength), Number(maxLength)]
  const plain = formatExamples.get(format) ?? exampleWord.padEnd(least, exampleWord).slice(0, most)
  if (typeof pattern !== 'string') return plain
  const form = new RegExp(pattern)
  return [plain, ...patternCandidates].find((text) => form.test(text) && text.length >= least && text.length <= most) ?? plain
}
/** Records that refer to one another without end would fill pages: beyond this many references, only what is required is shown. */
const maxFullReferences = 3
/**
 * A value that the schema allows: its own examples or default, else the first of its choices, else the plainest value of its type.
 * Formats and bounds are kept; `uniqueItems`, `minProperties` and all but plain patterns are not: a schema with one of them wants an example of its own.
 *
 * @returns undefined where no finite value exists.
 */
export const createExample = (schema) => createExampleValue(schema, { root: schema, above: [], references: 0 })
/** The values that a schema itself tells. A keyword beside a reference is nearer than one behind it. */
const getStatedValues = (schema, here) => [
  ...(schema.examples ?? []),
  schema.default,
  ...(here.examples ?? []),
  here.default,
  here.const,
  here.enum?.[0],
]
function createExampleValue(schema, way) {
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
const exampleMakers = new Map([
  ['string', createExampleText],
  ['integer', createExampleNumber],
  ['number', createExampleNumber],
  ['boolean', () => true],
  ['null', () => null],
  ['array', createExampleArray],
  ['object', createExampleObject],
  ['anything', ({ not, ...schema }) => (not === undefined ? createExampleText(schema) : undefined)],
])
function createFirstExample(branches, way) {
  for (const branch of branches) {
    const value = createExampleValue(branch, way)
    if (value !== undefined) return value
  }
  return undefined
}
/** Parts that hold together: one object with the members of all, or one value within the bounds of all. */
function createAllOfExample({ allOf: _, ...own }, parts, way) {
  const values = (own.properties === undefined ? parts : [own, ...parts]).map((part) => createExampleValue(part, way))
  if (values.includes(undefined)) return undefined
  if (values.every(isJsonObject)) return Object.assign({}, ...values)
  return createExampleValue(Object.assign({}, own, ...parts.map((part) => resolveSchema(part, way.root))), way)
}
function createExampleArray({ prefixItems = [], items = {}, minItems = 0, maxItems = Infinity }, way) {
  const wanted = way.references > maxFullReferences ? minItems : Math.min(Math.max(minItems, prefixItems.length || 1), maxItems)
  const values = []
  while (values.length < wanted) {
    const item = prefixItems[values.length] ?? items
    const value = typeof item === 'object' ? createExampleValue(item, way) : item ? createExampleValue({}, way) : undefined
    if (value === undefined) break
    values.push(value)
  }
  return values.length < minItems ? undefined : values
}
function createExampleObject(schema, way) {
  const { properties = {}, required = [], additionalProperties, propertyNames = {} } = schema
  const rest = typeof additionalProperties === 'object' ? additionalProperties : undefined
  const members = []
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const needed = required.includes(name)
    if (!needed && way.references > maxFullReferences) continue
    const value = createExampleValue(properties[name] ?? rest ?? {}, way)
    if (value !== undefined) members.push([name, value])
    else if (needed) return undefined
  }
  if (rest !== undefined && schema.properties === undefined && members.length === 0) {
    const [name, value] = [createExampleValue(propertyNames, way), createExampleValue(rest, way)]
    if (typeof name === 'string' && value !== undefined) members.push([name, value])
  }
  // fromEntries defines members, so that `__proto__` is a name like any other.
  return Object.fromEntries(members)
}
