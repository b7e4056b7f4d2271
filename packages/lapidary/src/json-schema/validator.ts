/**
 * Tells whether a value is valid against a JSON Schema: yes, no, or unknown, where the schema has a keyword that this engine does not read. The
 * work grows with the size of the value, not with the ways to choose among the branches of nested unions: constants decide first, and within a union the result
 * of each schema and value is remembered.
 */
import { getBound, isJsonObject, isSameJson, type JsonSchema, neverSchema, toCanonicalJson } from './jsonSchema.ts'
import { compilePattern, type PatternMatcher } from './patterns.ts'
import type { SchemaNode } from './schemaNode.ts'

/** `unknown`: the schema has a keyword that this engine does not read, such as `format`. Nothing that it reads forbids the value. */
export type Validity = 'yes' | 'no' | 'unknown'

/** The tests of the types of JSON Schema. */
export const typeTests: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isJsonObject,
}

/** Whether a value is of a type of JSON Schema. */
export const hasType = (value: unknown, type: string): boolean => typeTests[type]?.(value) === true

/** Whether a value is of one of the types that a schema names, if it names some. */
export const hasSchemaType = ({ types }: SchemaNode, value: unknown): boolean =>
  types.length === 0 || types.some((type) => hasType(value, type))

/** Whether a value is one of those that `const` or `enum` lists. Lists are mostly of texts and numbers. */
export const isListed = (values: readonly unknown[], value: unknown): boolean =>
  values.includes(value) ||
  (typeof value === 'object' && value !== null && values.some((one) => typeof one === 'object' && one !== null && isSameJson(one, value)))

// No number is less or greater than NaN.
const isOutside = (value: number, minimum: unknown, maximum: unknown): boolean =>
  value < getBound(minimum, Number.NaN) || value > getBound(maximum, Number.NaN)

/** Patterns that were compiled before. */
const patterns = new WeakMap<JsonSchema, PatternMatcher>()

/** The pattern of a schema; undefined where it has none that this engine reads. */
function getPattern(schema: JsonSchema): PatternMatcher | undefined {
  const text = schema['pattern']
  if (typeof text !== 'string') return undefined
  const pattern = patterns.get(schema) ?? compilePattern(text)
  if (pattern !== undefined) patterns.set(schema, pattern)
  return pattern
}

/** Whether a value is too long, too short, too large, too small, or no match for the pattern. */
export function isOutOfBounds(schema: JsonSchema, value: unknown): boolean {
  if (typeof value === 'number') {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
    return (
      isOutside(value, minimum, maximum) ||
      value <= getBound(exclusiveMinimum, Number.NaN) ||
      value >= getBound(exclusiveMaximum, Number.NaN)
    )
  }
  if (typeof value === 'string') {
    // JSON Schema counts characters, not UTF-16 units.
    const { minLength, maxLength } = schema
    const isMeasured = minLength !== undefined || maxLength !== undefined
    return (isMeasured && isOutside([...value].length, minLength, maxLength)) || getPattern(schema)?.test(value) === false
  }
  return Array.isArray(value) && isOutside(value.length, schema.minItems, schema.maxItems)
}

/** Libraries differ in the multiples of a step that no binary number is exactly, such as a tenth. */
function validateMultiple(value: number, step: number): Validity {
  const quotient = value / step
  if (Number.isInteger(quotient)) return 'yes'
  return Math.abs(quotient - Math.round(quotient)) < 1e-6 || !Number.isFinite(quotient) ? 'unknown' : 'no'
}

/** The bounds of a value, those that only some schemas have included. */
function validateBounds(schema: JsonSchema, value: unknown): Validity {
  if (isOutOfBounds(schema, value)) return 'no'
  const { multipleOf } = schema
  if (typeof value === 'number') return typeof multipleOf === 'number' ? validateMultiple(value, multipleOf) : 'yes'
  if (typeof value === 'string') {
    return schema['pattern'] !== undefined && getPattern(schema) === undefined ? 'unknown' : 'yes'
  }
  if (Array.isArray(value)) {
    return schema['uniqueItems'] === true && value.length > 1 && new Set(value.map(toCanonicalJson)).size < value.length ? 'no' : 'yes'
  }
  const { minProperties, maxProperties } = schema
  if ((minProperties ?? maxProperties) === undefined || !isJsonObject(value)) return 'yes'
  return isOutside(Object.keys(value).length, minProperties, maxProperties) ? 'no' : 'yes'
}

/** Whether a value has a type that a schema names, and is one of the values that it lists. */
const hasForm = (node: SchemaNode, value: unknown): boolean =>
  (node.values === undefined || isListed(node.values, value)) && hasSchemaType(node, value)

/** Whether a value has the members that a schema lists the values of, with other values. */
function hasOtherConstants(node: SchemaNode, value: unknown): boolean {
  if (!isJsonObject(value)) return false
  for (const [name, values] of node.facts.constants) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    if (member === undefined ? node.parts.required.includes(name) : !isListed(values, member)) return true
  }
  return false
}

/** Whether a value cannot be meant for a schema, by its type and by the constants in it. Nothing of it is walked. */
export const isRuledOut = (node: SchemaNode, value: unknown): boolean => !hasForm(node, value) || hasOtherConstants(node, value)

/** Whether several schemas are about one value. */
export const hasParts = (node: SchemaNode): boolean =>
  node.parts.branches !== undefined || node.parts.allOf.length > 0 || node.parts.patterns.length > 0 || node.facts.hasConditions

/** What a part is: an item or member that is there, one that is missing, or the name of a member. */
type PartRole = 'present' | 'missing' | 'name'

/** Visits a part of a value with one of the schemas that are about it. @returns whether to end */
type PartVisitor = (step: string | number, node: SchemaNode, value: unknown, role: PartRole) => boolean

/** Visits the parts that a schema is about: items, members, and the names of members. @returns whether a visit has ended it */
export function visitParts(node: SchemaNode, value: unknown, visit: PartVisitor): boolean {
  if (Array.isArray(value)) return visitItems(node, value, visit)
  if (!isJsonObject(value)) return false
  const { properties, required, propertyNames, patterns, rest } = node.parts
  for (const name of required) {
    if (Object.hasOwn(value, name) && value[name] !== undefined) continue
    if (visit(name, properties.get(name) ?? node.parse(true), undefined, 'missing')) return true
  }
  for (const name of Object.keys(value)) {
    const member = value[name]
    if (member === undefined) continue
    if (propertyNames !== undefined && visit(name, propertyNames, name, 'name')) return true
    if (patterns.length === 0) {
      const part = properties.get(name) ?? rest
      if (part !== undefined && visit(name, part, member, 'present')) return true
    } else for (const part of node.members(name)) if (visit(name, part, member, 'present')) return true
  }
  return false
}

function visitItems(node: SchemaNode, value: readonly unknown[], visit: PartVisitor): boolean {
  // The first missing item of a tuple that is too short is an invalid place.
  const end = Math.max(value.length, Math.min(node.schema.minItems ?? 0, node.parts.prefixItems.length))
  for (let index = 0; index < end; index += 1) {
    const item = node.item(index)
    if (item !== undefined && visit(index, item, value[index], index < value.length ? 'present' : 'missing')) return true
  }
  return false
}

/** Validates a value. A subclass may read more, or less, than a server does. */
export class Validator {
  /** Whether bounds (lengths, limits, patterns) and conditions count as well: the branches of a union may differ in them alone. */
  readonly isStrict: boolean
  /** How many arrays and objects were validated, each as often as it was. */
  steps = 0
  private results: Map<JsonSchema, Map<object, Validity>> | undefined

  /** @param remembers whether results are remembered from the start. Else they are within a union, until its end */
  constructor(isStrict: boolean, remembers = false) {
    this.isStrict = isStrict
    if (remembers) this.results = new Map()
  }

  /** The schema as this validator reads it. */
  read(node: SchemaNode): SchemaNode {
    return node
  }

  /** Whether a value has a type that a schema names, and is one of the values that it lists. */
  hasForm(node: SchemaNode, value: unknown): boolean {
    return hasForm(node, value)
  }

  /** Whether it reads all keywords of a schema. */
  protected isReadable(node: SchemaNode): boolean {
    return !node.facts.isUnreadable
  }

  /** Whether a text has a format. It does not read them: libraries differ. */
  protected validateFormat(_format: string, _text: string): Validity {
    return 'unknown'
  }

  /** Whether a value is within the bounds of a schema. */
  protected validateBounds({ schema }: SchemaNode, value: unknown): Validity {
    const bounds = validateBounds(schema, value)
    if (bounds === 'no' || typeof value !== 'string' || schema.format === undefined) return bounds
    const format = this.validateFormat(schema.format, value)
    return format === 'yes' ? bounds : format
  }

  private isRuledOut(node: SchemaNode, value: unknown): boolean {
    return !this.hasForm(node, value) || hasOtherConstants(node, value)
  }

  /** Whether a value is valid against a schema. */
  validate(given: SchemaNode, value: unknown): Validity {
    const node = this.read(given)
    return this.isRuledOut(node, value) ? 'no' : this.validateCandidate(node, value)
  }

  /** Whether a value is valid against a schema that it is not ruled out of. */
  protected validateCandidate(node: SchemaNode, value: unknown): Validity {
    if (typeof value !== 'object' || value === null) return this.validateParts(node, value)
    const known = this.results?.get(node.schema)?.get(value)
    if (known !== undefined) return known
    this.steps += 1
    const before = this.steps
    const result = hasParts(node) ? this.rememberResults(() => this.validateParts(node, value)) : this.validateParts(node, value)
    // To walk a value without parts again costs less than to remember it.
    if (this.results !== undefined && this.steps > before) {
      const ofSchema = this.results.get(node.schema) ?? new Map<object, Validity>()
      this.results.set(node.schema, ofSchema)
      ofSchema.set(value, result)
    }
    return result
  }

  /** Whether a value fits a branch of a schema's union, and only one where it has to. */
  validateUnion({ schema, parts }: SchemaNode, value: unknown): Validity {
    return parts.branches === undefined ? 'yes' : this.validateBranches(parts.branches, value, this.isStrict && schema.oneOf !== undefined)
  }

  /** The first part about the whole value that it does not fit: of `allOf`, or one that a condition asks for. */
  findWrongPart(node: SchemaNode, value: unknown): SchemaNode | undefined {
    const isWrong = (part: SchemaNode): boolean => this.validate(part, value) === 'no'
    return (
      node.parts.allOf.find(isWrong) ??
      (this.isStrict && node.facts.hasConditions ? this.listConditionalParts(node, value).find(isWrong) : undefined)
    )
  }

  /** Whether a value is what a schema says of it as a whole: its bounds and conditions. */
  validateWhole(node: SchemaNode, value: unknown): Validity {
    if (!this.isStrict) return 'yes'
    const bounds = this.validateBounds(node, value)
    if (bounds === 'no' || !node.facts.hasConditions) return bounds
    const conditions = this.listConditions(node, value)
    return conditions.includes('no') ? 'no' : conditions.includes('unknown') ? 'unknown' : bounds
  }

  /** Does the work of a schema with several parts, within which one value may meet one schema often. Results are remembered until its end. */
  rememberResults<Result>(work: () => Result): Result {
    if (this.results !== undefined) return work()
    this.results = new Map()
    try {
      return work()
    } finally {
      this.results = undefined
    }
  }

  private validateParts(node: SchemaNode, value: unknown): Validity {
    if (node.schema === neverSchema) return 'no'
    const own = this.validateWhole(node, value)
    const union = own === 'no' ? own : this.validateUnion(node, value)
    if (union === 'no') return 'no'
    let result: Validity = own === 'unknown' || union === 'unknown' || !this.isReadable(node) ? 'unknown' : 'yes'
    for (const part of node.parts.allOf) {
      const validity = this.validate(part, value)
      if (validity === 'no') return 'no'
      if (validity === 'unknown') result = validity
    }
    if (typeof value !== 'object' || value === null) return result
    const isWrong = visitParts(node, value, (_, part, of, role) => {
      if (role === 'name' && !this.isStrict) return false
      const validity = role === 'missing' ? 'no' : this.validate(part, of)
      if (validity === 'unknown') result = validity
      return validity === 'no'
    })
    return isWrong ? 'no' : result
  }

  private validateBranches(branches: readonly SchemaNode[], value: unknown, isExclusive: boolean): Validity {
    let matches = 0
    let unsure = 0
    for (const given of branches) {
      const branch = this.read(given)
      if (this.isRuledOut(branch, value)) continue
      const result = this.validateCandidate(branch, value)
      if (result === 'yes') matches += 1
      else if (result === 'unknown') unsure += 1
      if (matches > 0 && !isExclusive) return 'yes'
      if (matches > 1) return 'no'
    }
    if (unsure > 0) return 'unknown'
    return matches === 1 ? 'yes' : 'no'
  }

  /** The parts that count only since a value fits another one, or has a member. */
  private listConditionalParts(node: SchemaNode, value: unknown): readonly SchemaNode[] {
    const { if: condition, then: consequence = true, else: alternative = true, dependentSchemas, dependencies } = node.schema
    const holds = condition === undefined ? 'unknown' : this.validate(node.parse(condition as JsonSchema | boolean), value)
    const members = Object.entries(isJsonObject(value) ? { ...Object(dependencies), ...Object(dependentSchemas) } : {})
    const dependent = members.flatMap(([name, part]) => (Object.hasOwn(value as object, name) && !Array.isArray(part) ? [part] : []))
    const conditional = holds === 'unknown' ? [] : [holds === 'yes' ? consequence : alternative]
    return [...conditional, ...dependent].map((part) => node.parse(part as JsonSchema | boolean))
  }

  /** The results of conditions on the whole value. */
  private listConditions(node: SchemaNode, value: unknown): readonly Validity[] {
    const { not, if: condition, then: consequence = true, else: alternative = true, contains } = node.schema
    const validatePart = (part: unknown): Validity => this.validate(node.parse(part as JsonSchema | boolean), value)
    const results = this.listConditionalParts(node, value).map((part) => this.validate(part, value))
    if (not !== undefined) results.push(negate(validatePart(not)))
    if (condition !== undefined && validatePart(condition) === 'unknown') {
      const [one, other] = [validatePart(consequence), validatePart(alternative)]
      results.push(one === other ? one : 'unknown')
    }
    if (contains !== undefined && Array.isArray(value)) results.push(this.validateContains(node, value))
    if (isJsonObject(value))
      for (const all of [node.schema['dependencies'], node.schema['dependentRequired']])
        for (const [name, names] of Object.entries(Object(all) as object))
          if (Object.hasOwn(value, name) && Array.isArray(names))
            results.push(names.every((one) => Object.hasOwn(value, String(one))) ? 'yes' : 'no')
    return results
  }

  private validateContains(node: SchemaNode, value: readonly unknown[]): Validity {
    const { contains, minContains, maxContains } = node.schema
    const part = node.parse(contains as JsonSchema | boolean)
    const results = value.map((item) => this.validate(part, item))
    const [sure, unsure] = (['yes', 'unknown'] as const).map((validity) => results.filter((one) => one === validity).length) as [
      number,
      number,
    ]
    const [least, most] = [getBound(minContains, 1), getBound(maxContains, Number.POSITIVE_INFINITY)]
    if (sure + unsure < least || sure > most) return 'no'
    return sure >= least && sure + unsure <= most ? 'yes' : 'unknown'
  }
}

const negate = (validity: Validity): Validity => (validity === 'yes' ? 'no' : validity === 'no' ? 'yes' : validity)
