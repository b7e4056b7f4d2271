/**
 * Whether a value fits a JSON Schema: yes, no, or unknown, where the schema says what this engine does not read. The work grows with the
 * size of the value, not with the ways to choose among the branches of nested unions: constants decide first, and within a union the result
 * of each schema and value is remembered.
 */
import { getBound, isJsonObject, type JsonSchema, neverSchema } from './jsonSchema.ts'
import { compilePattern, type SchemaNode } from './schemaNode.ts'

/** `unknown`: the schema has a keyword that this engine does not read, such as `format`. Nothing that it reads forbids the value. */
export type Fit = 'yes' | 'no' | 'unknown'

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

/** A text that two values share if they are the same JSON, in any order of their members. */
const toCanonicalText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part,
  )

/** Whether a value is one of those that `const` or `enum` lists. Lists are mostly of texts and numbers. */
export const isListed = (values: readonly unknown[], value: unknown): boolean =>
  values.includes(value) ||
  (typeof value === 'object' &&
    value !== null &&
    values.some((one) => typeof one === 'object' && one !== null && toCanonicalText(one) === toCanonicalText(value)))

// No number is less or greater than NaN.
const isOutside = (value: number, minimum: unknown, maximum: unknown): boolean =>
  value < getBound(minimum, Number.NaN) || value > getBound(maximum, Number.NaN)

/** Patterns that were compiled before. */
const patterns = new WeakMap<JsonSchema, RegExp>()

/** The pattern of a schema; undefined where it has none that this engine reads. */
function getPattern(schema: JsonSchema): RegExp | undefined {
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
function fitMultiple(value: number, step: number): Fit {
  const quotient = value / step
  if (Number.isInteger(quotient)) return 'yes'
  return Math.abs(quotient - Math.round(quotient)) < 1e-6 || !Number.isFinite(quotient) ? 'unknown' : 'no'
}

/** The bounds of a value, those that only some schemas have included. */
function fitBounds(schema: JsonSchema, value: unknown): Fit {
  if (isOutOfBounds(schema, value)) return 'no'
  const { multipleOf } = schema
  if (typeof value === 'number') return typeof multipleOf === 'number' ? fitMultiple(value, multipleOf) : 'yes'
  if (typeof value === 'string') {
    const isUnreadable = schema.format !== undefined || (schema['pattern'] !== undefined && getPattern(schema) === undefined)
    return isUnreadable ? 'unknown' : 'yes'
  }
  if (Array.isArray(value)) {
    return schema['uniqueItems'] === true && value.length > 1 && new Set(value.map(toCanonicalText)).size < value.length ? 'no' : 'yes'
  }
  const { minProperties, maxProperties } = schema
  if ((minProperties ?? maxProperties) === undefined || !isJsonObject(value)) return 'yes'
  return isOutside(Object.keys(value).length, minProperties, maxProperties) ? 'no' : 'yes'
}

/** Facts of a schema that hold for every value, derived once. */
interface NodeFacts {
  /** The members that decide quickly: those with listed values. */
  readonly constants: readonly (readonly [name: string, values: readonly unknown[]])[]
  /** Whether it has keywords about the whole value that few schemas have. */
  readonly hasConditions: boolean
  /** Whether it has a keyword that this engine does not read, other than the format of a text. */
  readonly isUnreadable: boolean
}

const conditionKeywords: readonly string[] = [
  'not',
  'if',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
  'propertyNames',
]

const nodeFacts = new WeakMap<SchemaNode, NodeFacts>()

function getFacts(node: SchemaNode): NodeFacts {
  const known = nodeFacts.get(node)
  if (known !== undefined) return known
  const { schema, parts } = node
  const isOpenRest = (rest: unknown): boolean =>
    rest === undefined || rest === true || (isJsonObject(rest) && Object.keys(rest).length === 0)
  const isSplit = parts.rest === undefined && !isOpenRest(schema.unevaluatedProperties)
  const hasLostPattern = parts.patterns.length < Object.keys(schema.patternProperties ?? {}).length
  const facts: NodeFacts = {
    constants: [...parts.properties].flatMap(([name, { values }]) => (values === undefined ? [] : [[name, values] as const])),
    hasConditions: conditionKeywords.some((keyword) => schema[keyword] !== undefined),
    isUnreadable:
      node.isUnresolved ||
      isSplit ||
      hasLostPattern ||
      !isOpenRest(schema['unevaluatedItems']) ||
      schema['$dynamicRef'] !== undefined ||
      schema['$recursiveRef'] !== undefined,
  }
  nodeFacts.set(node, facts)
  return facts
}

/** Whether a value cannot be meant for a schema, by its type and by the constants in it. Nothing of it is walked. */
export function isRuledOut(node: SchemaNode, value: unknown): boolean {
  if (node.values !== undefined && !isListed(node.values, value)) return true
  if (!hasSchemaType(node, value)) return true
  if (!isJsonObject(value)) return false
  for (const [name, values] of getFacts(node).constants) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    if (member === undefined ? node.parts.required.includes(name) : !isListed(values, member)) return true
  }
  return false
}

/** Whether several schemas are about one value. */
export const hasParts = (node: SchemaNode): boolean =>
  node.parts.branches !== undefined || node.parts.allOf.length > 0 || node.parts.patterns.length > 0 || getFacts(node).hasConditions

/** One walk through a value. */
export class FitWalk {
  /** Whether bounds (lengths, limits, patterns) and conditions count as well: the branches of a union may differ in them alone. */
  readonly isStrict: boolean
  /** How many arrays and objects were walked, each as often as it was. */
  steps = 0
  private results: Map<JsonSchema, Map<object, Fit>> | undefined

  /** @param remembers whether results are remembered from the start. Else they are within a union, until its end */
  constructor(isStrict: boolean, remembers = false) {
    this.isStrict = isStrict
    if (remembers) this.results = new Map()
  }

  /** Whether a value fits a schema. */
  fit(node: SchemaNode, value: unknown): Fit {
    if (isRuledOut(node, value)) return 'no'
    if (typeof value !== 'object' || value === null) return this.fitParts(node, value)
    const known = this.results?.get(node.schema)?.get(value)
    if (known !== undefined) return known
    this.steps += 1
    const before = this.steps
    const result = this.remembering(node, () => this.fitParts(node, value))
    // To walk a value without parts again costs less than to remember it.
    if (this.results !== undefined && this.steps > before) {
      const ofSchema = this.results.get(node.schema) ?? new Map<object, Fit>()
      this.results.set(node.schema, ofSchema)
      ofSchema.set(value, result)
    }
    return result
  }

  /** Whether a value fits a branch of a schema's union, and only one where it has to. */
  fitUnion({ schema, parts }: SchemaNode, value: unknown): Fit {
    return parts.branches === undefined ? 'yes' : this.fitBranches(parts.branches, value, this.isStrict && schema.oneOf !== undefined)
  }

  /** The first part of `allOf` that a value does not fit. */
  findWrongPart({ parts: { allOf } }: SchemaNode, value: unknown): SchemaNode | undefined {
    return allOf.find((part) => this.fit(part, value) === 'no')
  }

  /** Whether a value fits what a schema says of it as a whole: its bounds and conditions. */
  fitOwn(node: SchemaNode, value: unknown): Fit {
    if (!this.isStrict) return 'yes'
    const bounds = fitBounds(node.schema, value)
    if (bounds === 'no' || !getFacts(node).hasConditions) return bounds
    const conditions = this.listConditions(node, value)
    return conditions.includes('no') ? 'no' : conditions.includes('unknown') ? 'unknown' : bounds
  }

  /** Does work within which one value may meet one schema often, if the schema has several parts. Results are remembered until its end. */
  remembering<Result>(node: SchemaNode, work: () => Result): Result {
    if (this.results !== undefined || !hasParts(node)) return work()
    this.results = new Map()
    try {
      return work()
    } finally {
      this.results = undefined
    }
  }

  private fitParts(node: SchemaNode, value: unknown): Fit {
    if (node.schema === neverSchema) return 'no'
    let result: Fit = getFacts(node).isUnreadable ? 'unknown' : 'yes'
    /** Adds the result of a part. @returns whether it decides */
    const add = (part: Fit): boolean => {
      if (part !== 'yes') result = part
      return part === 'no'
    }
    if (add(this.fitOwn(node, value)) || add(this.fitUnion(node, value))) return 'no'
    const { allOf } = node.parts
    if (allOf.some((part) => add(this.fit(part, value)))) return 'no'
    if (Array.isArray(value)) return this.fitItems(node, value, add) ? 'no' : result
    return isJsonObject(value) && this.fitMembers(node, value, add) ? 'no' : result
  }

  private fitBranches(branches: readonly SchemaNode[], value: unknown, isExclusive: boolean): Fit {
    const possible = branches.filter((branch) => !isRuledOut(branch, value))
    const [only] = possible
    if (possible.length <= 1) return only === undefined ? 'no' : this.fit(only, value)
    let [fitting, unsure] = [0, 0]
    for (const branch of possible) {
      const result = this.fit(branch, value)
      if (result === 'yes') fitting += 1
      else if (result === 'unknown') unsure += 1
      if (fitting > 0 && !isExclusive) return 'yes'
      if (fitting > 1) return 'no'
    }
    if (unsure > 0) return 'unknown'
    return fitting === 1 ? 'yes' : 'no'
  }

  private fitItems(node: SchemaNode, value: readonly unknown[], add: (part: Fit) => boolean): boolean {
    const { length } = node.parts.prefixItems
    // The first missing item of a tuple that is too short is a misfit.
    const end = Math.max(value.length, Math.min(node.schema.minItems ?? 0, length))
    for (let index = 0; index < end; index += 1) {
      const item = node.item(index)
      if (item !== undefined && (index >= value.length || add(this.fit(item, value[index])))) return true
    }
    return false
  }

  private fitMembers(node: SchemaNode, value: Readonly<Record<string, unknown>>, add: (part: Fit) => boolean): boolean {
    for (const name of node.parts.required) if (!Object.hasOwn(value, name) || value[name] === undefined) return true
    for (const name of Object.keys(value)) {
      if (value[name] === undefined) continue
      for (const member of node.members(name)) if (add(this.fit(member, value[name]))) return true
    }
    return false
  }

  /** The results of conditions on the whole value. */
  private listConditions(node: SchemaNode, value: unknown): readonly Fit[] {
    const { not, if: condition, then: consequence = true, else: alternative = true, contains } = node.schema
    const fitPart = (part: unknown): Fit => this.fit(node.parse(part as JsonSchema | boolean), value)
    const results: Fit[] = []
    if (not !== undefined) results.push(negate(fitPart(not)))
    if (condition !== undefined) {
      const holds = fitPart(condition)
      if (holds === 'unknown') {
        const [one, other] = [fitPart(consequence), fitPart(alternative)]
        results.push(one === other ? one : 'unknown')
      } else results.push(fitPart(holds === 'yes' ? consequence : alternative))
    }
    if (contains !== undefined && Array.isArray(value)) results.push(this.fitContains(node, value))
    if (isJsonObject(value)) results.push(...this.listMemberConditions(node, value, fitPart))
    return results
  }

  private fitContains(node: SchemaNode, value: readonly unknown[]): Fit {
    const { contains, minContains, maxContains } = node.schema
    const part = node.parse(contains as JsonSchema | boolean)
    const results = value.map((item) => this.fit(part, item))
    const [sure, unsure] = (['yes', 'unknown'] as const).map((fit) => results.filter((one) => one === fit).length) as [number, number]
    const [least, most] = [getBound(minContains, 1), getBound(maxContains, Number.POSITIVE_INFINITY)]
    if (sure + unsure < least || sure > most) return 'no'
    return sure >= least && sure + unsure <= most ? 'yes' : 'unknown'
  }

  private listMemberConditions(
    node: SchemaNode,
    value: Readonly<Record<string, unknown>>,
    fitPart: (part: unknown) => Fit,
  ): readonly Fit[] {
    const { dependentRequired, dependentSchemas, dependencies } = node.schema
    const { propertyNames } = node.parts
    const results: Fit[] = []
    for (const [name, part] of Object.entries({ ...Object(dependencies), ...Object(dependentSchemas) } as object))
      if (Object.hasOwn(value, name) && !Array.isArray(part)) results.push(fitPart(part))
    for (const all of [dependencies, dependentRequired])
      for (const [name, names] of Object.entries(Object(all) as object))
        if (Object.hasOwn(value, name) && Array.isArray(names))
          results.push(names.every((one) => Object.hasOwn(value, String(one))) ? 'yes' : 'no')
    if (propertyNames !== undefined) for (const name of Object.keys(value)) results.push(this.fit(propertyNames, name))
    return results
  }
}

const negate = (fit: Fit): Fit => (fit === 'yes' ? 'no' : fit === 'no' ? 'yes' : fit)
