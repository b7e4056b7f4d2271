/** Validates a value against a JSON Schema: where it does not fit, and what is expected there, in the toolkit's own words. */
import * as expectation from '../messages/expectations.ts'
import { FitWalk, hasParts, isListed, isOutOfBounds, visitParts } from './fit.ts'
import { formatNouns } from './formats.ts'
import { type JsonSchema, neverSchema } from './jsonSchema.ts'
import { encodePointer, type Issue, maxIssues, maxListedErrors, type ParseError, TruncatedParseError } from './parseError.ts'
import { parseSchema, type SchemaNode } from './schemaNode.ts'
import { getIssueDetail, getIssuePath, getJsonSchema, type Schema, type StandardSchemaIssue, vagueDetail } from './standardSchema.ts'

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

/** What a schema asks for, in words. */
export function describeSchema({ schema, values, types, parts }: SchemaNode): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (values !== undefined)
    return expectation.oneOfNames(values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))))
  if (parts.branches !== undefined) return [...new Set(parts.branches.map(describeSchema))].join(' or ')
  const format = formatNouns[schema.format ?? '']
  if (format !== undefined) return format
  return types.length === 0 ? 'a value' : types.map((type) => typeNouns[type] ?? type).join(' or ')
}

/** A place where a value does not fit its schema. */
interface Misfit {
  /** The path from the value to the place; each level adds its step in front. */
  readonly steps: PropertyKey[]
  /**
   * `form`: it has another type, or is none of the listed values. `bounds`: it breaks bounds or conditions. `missing`: nothing is there.
   * `further`: a member that may not be there. `items`: an array with items that may not be there.
   */
  readonly kind: 'form' | 'bounds' | 'missing' | 'further' | 'items'
  /** The schema of the place, and the value there. */
  readonly schemaNode: SchemaNode
  readonly value: unknown
}

/** What is expected there, and what came. Most misfits only tell that a branch of a union does not fit, and are never described. */
function describeMisfit({ kind, schemaNode: node, value }: Misfit): string {
  if (kind === 'further') return 'expected no such member'
  if (kind === 'items') return `expected at most ${node.parts.prefixItems.length} items, got ${(value as readonly unknown[]).length}`
  if (kind !== 'bounds') return `expected ${describeSchema(node)}, got ${describeValue(value)}`
  const bounds = describeBounds(node.schema)
  return `expected ${describeSchema(node)}${bounds === '' ? ' that fits its schema' : ` with ${bounds}`}`
}

/**
 * Finds the first place where a value does not have the form of its schema; undefined if there is none. Formats and bounds are left to the
 * schema's own library.
 */
export function findFirstIssue(node: SchemaNode, value: unknown): Issue | undefined {
  const misfit = findMisfit(node, value, new FitWalk(false))
  return misfit && { pointer: encodePointer(misfit.steps), detail: describeMisfit(misfit) }
}

/** Whether a value is what the schema asks for, bounds included, as far as the schema tells. */
export const isValid = (node: SchemaNode, value: unknown): boolean => new FitWalk(true).fit(node, value) !== 'no'

/** The first place where a value is not what the schema asks for, bounds included, as an issue of a schema; undefined if there is none. */
export function findSchemaIssue(node: SchemaNode, value: unknown): StandardSchemaIssue | undefined {
  const misfit = findMisfit(node, value, new FitWalk(true))
  return misfit && { path: misfit.steps, message: describeMisfit(misfit) }
}

const boundKeywords = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
]

/** The bounds of a schema, in its own keywords: `minimum 1, maximum 10`. */
const describeBounds = (schema: JsonSchema): string =>
  boundKeywords.flatMap((keyword) => (schema[keyword] === undefined ? [] : [`${keyword} ${String(schema[keyword])}`])).join(', ')

const describeBoundsOf = (node: SchemaNode): string => `expected ${describeSchema(node)} with ${describeBounds(node.schema)}`

/** The first place where a value does not fit a schema, as a walk reads it; undefined if there is none. */
export function findMisfit(given: SchemaNode, value: unknown, walk: FitWalk): Misfit | undefined {
  const node = walk.read(given)
  return hasParts(node) ? walk.remembering(() => findMisfitOfParts(node, value, walk)) : findMisfitOfParts(node, value, walk)
}

function findMisfitOfParts(node: SchemaNode, value: unknown, walk: FitWalk): Misfit | undefined {
  const { schema, parts } = node
  const isWrong =
    !walk.hasForm(node, value) || schema === neverSchema || (parts.branches !== undefined && walk.fitUnion(node, value) === 'no')
  if (isWrong) return { steps: [], kind: 'form', schemaNode: node, value }
  if (walk.isStrict && isOutOfBounds(schema, value)) return { steps: [], kind: 'bounds', schemaNode: node, value }
  // One value can meet one part often: a part is searched only where it does not fit.
  const wrongPart = walk.findWrongPart(node, value)
  const misfit = (wrongPart && findMisfit(wrongPart, value, walk)) ?? findPartMisfit(node, value, walk)
  return misfit ?? (walk.fitOwn(node, value) === 'no' ? { steps: [], kind: 'bounds', schemaNode: node, value } : undefined)
}

/** The first misfit of an item or a member. */
function findPartMisfit(node: SchemaNode, value: unknown, walk: FitWalk): Misfit | undefined {
  let misfit: Misfit | undefined
  visitParts(node, value, (step, part, of, role) => {
    if (role === 'name' && !walk.isStrict) return false
    if (role === 'missing' && typeof step === 'string') misfit = { steps: [step], kind: 'missing', schemaNode: part, value: of }
    else if (part.schema !== neverSchema) misfit = addStep(findMisfit(part, of, walk), step)
    else if (typeof step === 'number') misfit = { steps: [], kind: 'items', schemaNode: node, value }
    else misfit = { steps: [step], kind: 'further', schemaNode: part, value: of }
    return misfit !== undefined
  })
  return misfit
}

function addStep(misfit: Misfit | undefined, step: PropertyKey): Misfit | undefined {
  misfit?.steps.unshift(step)
  return misfit
}

/** Whether a number is whole, yet too large to be an integer here. The message then names the range of integers. */
const isUnsafeInteger = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value)

/** The issues that a schema's library reports: in the toolkit's words where the form is wrong, in the library's own where it is not. */
export function toParseError(issues: readonly StandardSchemaIssue[], schema: Schema, value: unknown): ParseError {
  const first = issues.slice(0, maxListedErrors).map(createIssueTranslator(schema, value))
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
  if (isOutOfBounds(schemaNode.schema, value)) return describeBoundsOf(schemaNode)
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
