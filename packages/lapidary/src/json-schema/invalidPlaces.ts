/** The places at which a value is invalid against a JSON Schema, and what is expected there, in the toolkit's own words. */
import * as expectation from '../messages/expectations.ts'
import { describeBounds, describeCount } from './describeBounds.ts'
import { formatNouns } from './formatExamples.ts'
import { isJsonObject, neverSchema } from './jsonSchema.ts'
import { encodePointer, getCause, type Issue, maxIssues, maxListedErrors, type ParseError, TruncatedParseError } from './parseError.ts'
import { parseSchema, type SchemaNode } from './schemaNode.ts'
import { getIssueDetail, getIssuePath, getJsonSchema, type Schema, type StandardSchemaIssue, vagueDetail } from './standardSchema.ts'
import { hasParts, isListed, isOutOfBounds, Validator, visitParts } from './validator.ts'

const typeNouns: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

/** The type of a value, in words: `a string`, `an integer`, `nothing`. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'an integer' : 'a number'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const formatValues = (values: readonly unknown[]): readonly string[] =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))

/** What a schema asks for, in words. */
export function describeSchema({ schema, values, types, parts }: SchemaNode): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (values !== undefined) return expectation.oneOfNames(formatValues(values))
  if (parts.branches !== undefined) return [...new Set(parts.branches.map(describeSchema))].join(' or ')
  const format = formatNouns[schema.format ?? '']
  if (format !== undefined) return format
  return types.length === 0 ? 'a value' : types.map((type) => typeNouns[type] ?? type).join(' or ')
}

/** A place where a value is invalid. */
interface InvalidPlace {
  /** The path from the value to the place; each level adds its step in front. */
  readonly path: PropertyKey[]
  /**
   * `form`: it has another type, or is none of the listed values. `bounds`: it breaks bounds or conditions. `missing`: nothing is there.
   * `additionalMember`: a member that may not be there. `additionalItems`: an array with items that may not be there.
   */
  readonly kind: 'form' | 'bounds' | 'missing' | 'additionalMember' | 'additionalItems'
  /** The schema of the place, and the value there. */
  readonly schemaNode: SchemaNode
  readonly value: unknown
}

/** The members whose values tell the branches of a union from each other, as a value of none of them has them: `whose "kind" is circle or square`. */
function describeConstants(branches: readonly SchemaNode[], value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined
  const names = branches[0]?.facts.constants.map(([name]) => name) ?? []
  for (const name of names) {
    const lists = branches.map(({ facts }) => facts.constants.find(([other]) => other === name)?.[1])
    const values = lists.every((list) => list !== undefined) ? lists.flat() : []
    if (values.length > 0 && !isListed(values, value[name])) return `whose "${name}" is ${formatValues(values).join(' or ')}`
  }
  return undefined
}

/** What is expected in place of a value of another form. Where the value has a type of the schema, and is yet of no branch of it, the types alone would say nothing. */
function describeForm(node: SchemaNode, value: unknown): string {
  if (node.schema === neverSchema) return `expected nothing, got ${describeValue(value)}`
  const [expected, got, { branches = [] }] = [describeSchema(node), describeValue(value), node.parts]
  if (!branches.some((branch) => describeSchema(branch).split(' or ').includes(got))) return `expected ${expected}, got ${got}`
  const constants = describeConstants(branches, value)
  if (constants !== undefined) return `expected ${expected} ${constants}`
  const isOfSeveral = branches.some((branch) => isValid(branch, value))
  return `expected ${expected}, got ${got} that fits ${isOfSeveral ? 'several alternatives, where only one may fit' : `none of the ${branches.length} alternatives`}`
}

/** The condition that a value does not meet, which is no bound. */
function describeCondition(node: SchemaNode, value: unknown): string {
  const { contains, minContains, maxContains, not, dependentRequired = node.schema['dependencies'] } = node.schema
  if (Array.isArray(value) && isJsonObject(contains)) {
    const count = describeCount(minContains ?? (maxContains === undefined ? 1 : undefined), maxContains, 'item')
    return ` with ${count} that is ${describeSchema(node.parse(contains))}`
  }
  if (isJsonObject(value) && isJsonObject(dependentRequired))
    for (const [name, needed] of Object.entries(dependentRequired)) {
      const missing =
        Array.isArray(needed) && Object.hasOwn(value, name) ? needed.find((one) => !Object.hasOwn(value, String(one))) : undefined
      if (missing !== undefined) return ` with the member "${missing}", which "${name}" needs`
    }
  const other = isJsonObject(not) ? describeSchema(node.parse(not)) : 'a value'
  return other === 'a value' ? ' that meets the conditions of its schema' : ` that is not ${other}`
}

/** What is expected there, and what came. Most invalid places only tell that a branch of a union does not fit, and are never described. */
function describeInvalidPlace({ kind, schemaNode: node, value }: InvalidPlace): string {
  if (kind === 'additionalMember') return 'expected no such member'
  if (kind === 'additionalItems')
    return `expected ${describeCount(undefined, node.parts.prefixItems.length, 'item')}, got ${(value as readonly unknown[]).length}`
  if (kind === 'missing') return `expected ${describeSchema(node)}, got nothing`
  return kind === 'form' ? describeForm(node, value) : describeBroken(node, value)
}

/** The bounds that a value breaks, or the condition that it does not meet. */
function describeBroken(node: SchemaNode, value: unknown): string {
  const bounds = isOutOfBounds(node.schema, value) || !node.facts.hasConditions ? describeBounds(node.schema, value) : ''
  return `expected ${describeSchema(node)}${bounds === '' ? describeCondition(node, value) : ` ${bounds}`}`
}

/**
 * Finds the first place where a value does not have the form of its schema; undefined if there is none. Formats and bounds are left to the
 * schema's own library.
 */
export function findFirstIssue(node: SchemaNode, value: unknown): Issue | undefined {
  const place = findInvalidPlace(node, value, new Validator(false))
  return place && { pointer: encodePointer(place.path), detail: describeInvalidPlace(place) }
}

/** Whether a value is what the schema asks for, bounds included, as far as the schema tells. */
export const isValid = (node: SchemaNode, value: unknown): boolean => new Validator(true).validate(node, value) !== 'no'

/** The first place where a value is not what the schema asks for, bounds included, as an issue of a schema; undefined if there is none. */
export function findSchemaIssue(node: SchemaNode, value: unknown): StandardSchemaIssue | undefined {
  const place = findInvalidPlace(node, value, new Validator(true))
  return place && { path: place.path, message: describeInvalidPlace(place) }
}

/** The first place where a value is invalid, as a validator reads it; undefined if there is none. */
export function findInvalidPlace(given: SchemaNode, value: unknown, validator: Validator): InvalidPlace | undefined {
  const node = validator.read(given)
  return hasParts(node)
    ? validator.rememberResults(() => findInvalidPlaceIn(node, value, validator))
    : findInvalidPlaceIn(node, value, validator)
}

function findInvalidPlaceIn(node: SchemaNode, value: unknown, validator: Validator): InvalidPlace | undefined {
  const { schema, parts } = node
  const isWrong =
    !validator.hasForm(node, value) ||
    schema === neverSchema ||
    (parts.branches !== undefined && validator.validateUnion(node, value) === 'no')
  if (isWrong) return { path: [], kind: 'form', schemaNode: node, value }
  if (validator.isStrict && isOutOfBounds(schema, value)) return { path: [], kind: 'bounds', schemaNode: node, value }
  // One value can meet one part often: a part is searched only where the value is invalid.
  const wrongPart = validator.findWrongPart(node, value)
  const place = (wrongPart && findInvalidPlace(wrongPart, value, validator)) ?? findInvalidPart(node, value, validator)
  return place ?? (validator.validateWhole(node, value) === 'no' ? { path: [], kind: 'bounds', schemaNode: node, value } : undefined)
}

/** The first invalid place of an item or a member. */
function findInvalidPart(node: SchemaNode, value: unknown, validator: Validator): InvalidPlace | undefined {
  let place: InvalidPlace | undefined
  visitParts(node, value, (step, part, of, role) => {
    if (role === 'name' && !validator.isStrict) return false
    if (role === 'missing' && typeof step === 'string') place = { path: [step], kind: 'missing', schemaNode: part, value: of }
    else if (part.schema !== neverSchema) place = addStep(findInvalidPlace(part, of, validator), step)
    else if (typeof step === 'number') place = { path: [], kind: 'additionalItems', schemaNode: node, value }
    else place = { path: [step], kind: 'additionalMember', schemaNode: part, value: of }
    return place !== undefined
  })
  return place
}

function addStep(place: InvalidPlace | undefined, step: PropertyKey): InvalidPlace | undefined {
  place?.path.unshift(step)
  return place
}

/** Whether a number is whole, yet too large to be an integer here. The message then names the range of integers. */
const isUnsafeInteger = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value)

/** The issues that a schema's library reports: in the toolkit's words where the form is wrong, in the library's own where it is not. */
export function toParseError(issues: readonly StandardSchemaIssue[], schema: Schema, value: unknown): ParseError {
  const translate = createIssueTranslator(schema, value)
  const first = issues.slice(0, maxListedErrors).map((issue) => ({ ...translate(issue), ...getCause(issue) }))
  return new TruncatedParseError(first, Math.min(issues.length, maxIssues) - first.length)
}

/** Follows a path through a value and its schema; each place that is not there is undefined, and of any schema. */
export function followPath(root: SchemaNode, whole: unknown, issue: StandardSchemaIssue): readonly [node: SchemaNode, value: unknown] {
  let [node, value] = [root, whole]
  for (const key of getIssuePath(issue)) {
    node = (Array.isArray(value) ? node.item(Number(key)) : node.member(String(key))) ?? node.parse(true)
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
  }
  return [node, value]
}

/** The message for a value that its schema rejects, where the library's own words may quote it. */
export function describeRejected(schemaNode: SchemaNode, value: unknown): string {
  if (isOutOfBounds(schemaNode.schema, value)) return describeBroken(schemaNode, value)
  const expected = describeSchema(schemaNode)
  return `expected ${schemaNode.values !== undefined && !isListed(schemaNode.values, value) ? expected : expectation.furtherCheck(expected)}`
}

/** Creates the translator of one value's issues. Several issues often stand at one place, which may be large: it is validated once. */
export function createIssueTranslator(schema: Schema, whole: unknown): (issue: StandardSchemaIssue) => Issue {
  const root = parseSchema(getJsonSchema(schema))
  let last: { readonly of: SchemaNode; readonly value: unknown; readonly issue: Issue | undefined } | undefined
  return (issue) => {
    const pointer = encodePointer(getIssuePath(issue))
    const [node, value] = followPath(root, whole, issue)
    if (value === undefined) return { pointer, detail: `expected ${describeSchema(node)}, got nothing` }
    if (last?.value !== value || last.of !== node) last = { of: node, value, issue: findFirstIssue(node, value) }
    if (last.issue !== undefined) {
      const { pointer: below, detail } = last.issue
      return { pointer: pointer + below, detail: isUnsafeInteger(value) ? `${detail} beyond ±9007199254740991` : detail }
    }
    const format = formatNouns[node.schema.format ?? '']
    if (format !== undefined) return { pointer, detail: `expected ${format}` }
    const detail = getIssueDetail(issue, schema)
    return { pointer, detail: detail === vagueDetail ? describeRejected(node, value) : detail }
  }
}
