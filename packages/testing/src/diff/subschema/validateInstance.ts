/**
 * Validates a value against a JSON Schema with three results: valid, invalid, and unknown, where the schema says what the toolkit does not
 * read.
 */
import type { JsonSchema } from 'lapidary'
import {
  describeSchema,
  encodePointerStep,
  findInvalidPlace,
  hasSchemaType,
  neverSchema,
  parseSchema,
  type SchemaNode,
  Validator,
  type Validity,
} from 'lapidary/internal'
import { spendSteps } from './budget.ts'
import { validatedKeywords } from './comparedKeywords.ts'
import { hasFormat } from './formats.ts'
import { isOlder, isReadDialect, renameKeywords } from './olderDialects.ts'
import { isExactStep } from './scalars.ts'

/** Why a value is invalid. */
export interface InstanceIssue {
  /** JSON Pointer into the value. */
  readonly pointer: string
  /** `missing`: a required member is absent. `additional`: a member that may not be there. `value`: it is there, and wrong. */
  readonly kind: 'missing' | 'additional' | 'value'
  /** What is expected there: `an integer, at most 9`. */
  readonly expected: string
}

/** Undefined: the value is valid. */
type InstanceResult = InstanceIssue | 'unknown' | undefined

/** Parts within parts that are about one value are read down to this depth: a schema that is a part of itself says nothing more of it. */
const maxPartDepth = 64

/** A schema that says something unknown of any value. */
const unknownNode = parseSchema({ $dynamicRef: '#' })

/** Reads a schema as all libraries do: it knows formats and dialects, and says `unknown` where libraries differ. */
class InstanceValidator extends Validator {
  private place: unknown
  private depth = 0

  constructor() {
    super(true)
  }

  override read(node: SchemaNode): SchemaNode {
    const { raw, root, schema, isUnresolved } = node
    if (isUnresolved) return unknownNode
    if (isOlder(root)) return parseSchema(renameKeywords(raw), renameKeywords(root))
    return [root, raw, schema].every(isReadDialect) ? node : unknownNode
  }

  /** Libraries differ in whole numbers that a binary float does not hold exactly. */
  override hasForm(node: SchemaNode, value: unknown): boolean {
    const isUnsafe = node.types.includes('integer') && Number.isInteger(value) && !hasSchemaType(node, value)
    return isUnsafe ? node.values === undefined || node.values.includes(value) : super.hasForm(node, value)
  }

  protected override isReadable(node: SchemaNode): boolean {
    return super.isReadable(node) && Object.keys(node.schema).every((keyword) => validatedKeywords.has(keyword))
  }

  protected override validateFormat(format: string, text: string): Validity {
    const has = hasFormat(format, text)
    return has === undefined ? 'unknown' : has ? 'yes' : 'no'
  }

  protected override validateBounds(node: SchemaNode, value: unknown): Validity {
    const bounds = super.validateBounds(node, value)
    const { multipleOf } = node.schema
    if (bounds !== 'yes' || typeof value !== 'number') return bounds
    const isExact = typeof multipleOf !== 'number' || isExactStep(multipleOf) || value === 0 || value === multipleOf
    return isExact && hasSchemaType(node, value) ? 'yes' : 'unknown'
  }

  protected override validateCandidate(node: SchemaNode, value: unknown): Validity {
    spendSteps()
    const { place, depth } = this
    this.depth = value === place ? depth + 1 : 0
    this.place = value
    try {
      return this.depth > maxPartDepth ? 'unknown' : super.validateCandidate(node, value)
    } finally {
      this.place = place
      this.depth = depth
    }
  }
}

/** Whether a value is valid against a schema, as far as all libraries agree. */
export const getInstanceValidity = (node: SchemaNode, value: unknown): Validity => new InstanceValidator().validate(node, value)

const formatBoundCount = (count: unknown, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

const boundWords: readonly (readonly [keyword: string, words: (bound: unknown) => string])[] = [
  ['minimum', (bound) => `at least ${bound}`],
  ['maximum', (bound) => `at most ${bound}`],
  ['exclusiveMinimum', (bound) => `more than ${bound}`],
  ['exclusiveMaximum', (bound) => `less than ${bound}`],
  ['multipleOf', (bound) => `a multiple of ${bound}`],
  ['minLength', (bound) => `of at least ${formatBoundCount(bound, 'character')}`],
  ['maxLength', (bound) => `of at most ${formatBoundCount(bound, 'character')}`],
  ['pattern', (bound) => `like ${bound}`],
  ['format', (bound) => `of the format ${bound}`],
  ['minItems', (bound) => `of at least ${formatBoundCount(bound, 'item')}`],
  ['maxItems', (bound) => `of at most ${formatBoundCount(bound, 'item')}`],
  ['minProperties', (bound) => `of at least ${formatBoundCount(bound, 'member')}`],
  ['maxProperties', (bound) => `of at most ${formatBoundCount(bound, 'member')}`],
  ['uniqueItems', () => 'no item twice'],
]

/** Whether a bound informs a reader: not that of any integer, and not a pattern that only spells a format out. */
function isInformativeBound(schema: JsonSchema, keyword: string): boolean {
  const bound = schema[keyword]
  if (keyword === 'pattern') return bound !== undefined && schema.format === undefined
  return bound !== undefined && Math.abs(Number(bound)) !== Number.MAX_SAFE_INTEGER
}

/** What a schema asks for, its bounds included. */
function describeExpected(node: SchemaNode): string {
  const { schema, values, parts } = node
  const words =
    values === undefined
      ? boundWords.flatMap(([keyword, word]) => (isInformativeBound(schema, keyword) ? [word(schema[keyword])] : []))
      : []
  const what = describeSchema(node)
  return [parts.branches !== undefined && what === 'an object' ? 'an object in one of the declared forms' : what, ...words].join(', ')
}

/** Whether a value is valid: undefined where it is, the first issue where it is not, `unknown` where the schema does not tell. */
export function validateInstance(node: SchemaNode, value: unknown): InstanceResult {
  const validity = getInstanceValidity(node, value)
  if (validity !== 'no') return validity === 'yes' ? undefined : validity
  const place = findInvalidPlace(node, value, new InstanceValidator()) ?? { path: [], kind: 'form', schemaNode: node, value }
  const pointer = place.path.map(encodePointerStep).join('')
  if (place.kind === 'additionalMember') return { pointer, kind: 'additional', expected: 'no such member' }
  if (place.kind === 'additionalItems') {
    const index = (place.value as readonly unknown[]).findIndex((_, at) => place.schemaNode.item(at)?.schema === neverSchema)
    return { pointer: `${pointer}/${index}`, kind: 'additional', expected: 'no such item' }
  }
  return { pointer, kind: place.kind === 'missing' ? 'missing' : 'value', expected: describeExpected(place.schemaNode) }
}
