/** JSON Schemas parsed into nodes: with their references resolved, and in the keywords that every interpreter reads. */
import { anySchema, getTypes, isJsonObject, type JsonSchema, neverSchema } from './jsonSchema.ts'
import { compilePattern, type PatternMatcher } from './patterns.ts'
import { deriveSchema, resolveReference } from './references.ts'

/** A schema as an object. */
const toSchemaObject = (schema: unknown): JsonSchema =>
  schema === false ? neverSchema : isJsonObject(schema) ? (schema as JsonSchema) : anySchema

/** The direct parts of a schema. */
export interface SchemaParts {
  readonly allOf: readonly SchemaNode[]
  /** The alternatives of `anyOf`, else of `oneOf`; undefined where there are none. */
  readonly branches: readonly SchemaNode[] | undefined
  readonly prefixItems: readonly SchemaNode[]
  /** The items after `prefixItems`; undefined where the schema does not restrict them. */
  readonly items: SchemaNode | undefined
  readonly properties: ReadonlyMap<string, SchemaNode>
  readonly required: readonly string[]
  /** The members whose names match a pattern. */
  readonly patterns: readonly (readonly [pattern: PatternMatcher, member: SchemaNode])[]
  /** The members that `properties` and `patternProperties` do not name; undefined where the schema does not mention them. */
  readonly rest: SchemaNode | undefined
  /** The names of the members; undefined where the schema does not restrict them. */
  readonly propertyNames: SchemaNode | undefined
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

/**
 * A schema with its references resolved and its parts parsed. Every interpreter of JSON Schema (validate, write, compile, sample, compare)
 * walks these nodes.
 */
export class SchemaNode {
  /** The schema as it stands. */
  readonly raw: JsonSchema
  /** The document that references start from. */
  readonly root: JsonSchema
  /**
   * The schema behind the references; `raw` itself where it is no reference. It identifies the schema: several references may lead to it.
   */
  readonly schema: JsonSchema
  /** The types that it allows; empty where it names none. */
  readonly types: readonly string[]
  /** The values of `const` or `enum`; undefined where it lists none. */
  readonly values: readonly unknown[] | undefined
  /** Whether its references lead to no schema here. What it allows is unknown. */
  readonly isUnresolved: boolean
  private parsed: SchemaParts | undefined
  private derived: NodeFacts | undefined

  constructor(raw: JsonSchema, root: JsonSchema) {
    let schema = toCurrentForm(raw)
    let isUnresolved = false
    const seen = new Set<JsonSchema>()
    while (schema.$ref !== undefined && !seen.has(schema)) {
      seen.add(schema)
      const target = resolveReference(schema.$ref, schema, root)
      isUnresolved ||= target === undefined
      schema = toCurrentForm(target ?? anySchema)
    }
    const { enum: values, const: value } = schema
    this.raw = raw
    this.root = root
    this.schema = schema
    this.types = getTypes(schema)
    this.values = value === undefined ? values : [value]
    this.isUnresolved = isUnresolved || schema.$ref !== undefined
  }

  /** The parts, parsed when they are first read: a schema may contain itself. */
  get parts(): SchemaParts {
    this.parsed ??= parseParts(this.schema, this.root)
    return this.parsed
  }

  /** What holds for every value, derived when it is first read. */
  get facts(): NodeFacts {
    this.derived ??= deriveFacts(this)
    return this.derived
  }

  /** The schema of the item at an index; undefined where any item is allowed. */
  item(index: number): SchemaNode | undefined {
    return this.parts.prefixItems[index] ?? this.parts.items
  }

  /** The schema of a member, the first one where several are about it; undefined where any is allowed. */
  member(name: string): SchemaNode | undefined {
    const { properties, patterns, rest } = this.parts
    return properties.get(name) ?? patterns.find(([pattern]) => pattern.test(name))?.[1] ?? rest
  }

  /** The schemas of a member: that of its name, those of the patterns that match it, or that of the rest. None where any is allowed. */
  members(name: string): readonly SchemaNode[] {
    const { properties, patterns, rest } = this.parts
    const declared = properties.get(name)
    if (patterns.length === 0) return declared === undefined ? (rest === undefined ? [] : [rest]) : [declared]
    const found = declared === undefined ? [] : [declared]
    for (const [pattern, member] of patterns) if (pattern.test(name)) found.push(member)
    return found.length === 0 && rest !== undefined ? [rest] : found
  }

  /** The node of another schema in the same document. */
  parse(schema: JsonSchema | boolean): SchemaNode {
    return parseSchema(schema, this.root)
  }
}

/** Nodes by document and schema. */
const nodes = new WeakMap<JsonSchema, WeakMap<JsonSchema, SchemaNode>>()

/**
 * The node of a schema: the same one for the same schema of the same document.
 *
 * @param document the document that its references start from. Default: the schema itself
 */
export function parseSchema(schema: JsonSchema | boolean, document?: JsonSchema): SchemaNode {
  const raw = typeof schema === 'boolean' ? toSchemaObject(schema) : schema
  const root = document ?? raw
  const known = nodes.get(root) ?? new WeakMap<JsonSchema, SchemaNode>()
  nodes.set(root, known)
  const node = known.get(raw) ?? new SchemaNode(raw, root)
  known.set(raw, node)
  return node
}

/** A schema and the parts of its `allOf`, at any depth. */
export const flattenAllOf = (node: SchemaNode): readonly SchemaNode[] => [node, ...node.parts.allOf.flatMap(flattenAllOf)]

/** The schema once for each of its types. */
export const splitTypes = (node: SchemaNode): readonly SchemaNode[] => node.types.map((type) => node.parse({ ...node.schema, type }))

/** Keywords that restrict values. Any other one beside a reference only describes. */
const restrictingPattern =
  /^(type|enum|const|format|properties|required|(pattern|additional|unevaluated)Properties|propertyNames|items|prefixItems|unevaluatedItems|(min|max)(imum|Length|Items|Properties|Contains)|exclusive(Min|Max)imum|multipleOf|pattern|uniqueItems|contains|allOf|anyOf|oneOf|not|if|depend.*)$/

/** Keywords whose schemas evaluate members of the same value, which `unevaluatedProperties` then leaves alone. */
const evaluatingKeywords: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies'],
  ...['$ref', '$dynamicRef', '$recursiveRef'],
])

/** Schemas in their current form that differ from the schema as it stands. */
const currentForms = new WeakMap<JsonSchema, JsonSchema>()

/**
 * The same schema with the keywords that the nodes read: the tuples of older drafts as `prefixItems`, keywords beside a reference and a
 * second union as parts of `allOf`. A schema that has none of them stays the same object.
 */
function toCurrentForm(schema: JsonSchema): JsonSchema {
  if (isJsonObject(schema['not']) && Object.keys(schema['not']).length === 0) return neverSchema
  const { $ref, items, anyOf, oneOf, allOf = [], $defs: _, ...others } = schema as JsonSchema & { readonly items?: unknown }
  const isTuple = Array.isArray(items)
  const isBoth = anyOf !== undefined && oneOf !== undefined
  const isRestrictedReference = $ref !== undefined && Object.keys(schema).some((keyword) => restrictingPattern.test(keyword))
  if (!(isTuple || isBoth || isRestrictedReference)) return schema
  const known = currentForms.get(schema)
  if (known !== undefined) return known
  const { additionalItems, ...beside } = others
  const form = {
    ...(isTuple ? beside : others),
    ...(isTuple
      ? { prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
      : items !== undefined && { items }),
    ...(!isBoth && anyOf && { anyOf }),
    ...(oneOf && { oneOf }),
    ...((allOf.length > 0 || isBoth || $ref !== undefined) && {
      allOf: [...($ref === undefined ? [] : [deriveSchema({ $ref }, schema)]), ...allOf, ...(isBoth ? [{ anyOf }] : [])],
    }),
  } as JsonSchema
  currentForms.set(schema, form)
  return form
}

function parseParts(schema: JsonSchema, root: JsonSchema): SchemaParts {
  const { allOf = [], anyOf, oneOf, prefixItems = [], items, properties, required = [], propertyNames } = schema
  const { additionalProperties, unevaluatedProperties, patternProperties = {} } = schema
  const parse = (part: JsonSchema | boolean): SchemaNode => parseSchema(part, root)
  const isAlone = Object.keys(schema).every((keyword) => !evaluatingKeywords.has(keyword))
  const patterns = Object.entries(patternProperties).map(([text, member]) => [compilePattern(text), parse(member)] as const)
  const isReadable = patterns.every(([pattern]) => pattern !== undefined)
  // What a pattern that cannot be read would name is unknown, and so is the rest.
  const rest = isReadable ? (additionalProperties ?? (isAlone ? unevaluatedProperties : undefined)) : undefined
  const parseOptional = (part: JsonSchema | boolean | undefined): SchemaNode | undefined => (part === undefined ? undefined : parse(part))
  // The keys of a record that `propertyNames` lists are members of their own.
  const isMatched = (name: unknown): boolean => patterns.some(([pattern]) => pattern?.test(String(name)) === true)
  const names = typeof rest === 'object' ? propertyNames?.enum?.filter((name) => !isMatched(name)) : undefined
  const named = names && Object.fromEntries(names.map((name) => [String(name), rest as JsonSchema]))
  return {
    allOf: allOf.map(parse),
    branches: (anyOf ?? oneOf)?.map(parse),
    prefixItems: prefixItems.map(parse),
    items: parseOptional(items),
    properties: new Map(Object.entries({ ...named, ...properties }).map(([name, member]) => [name, parse(member)])),
    required,
    patterns: patterns.filter((pair): pair is readonly [PatternMatcher, SchemaNode] => pair[0] !== undefined),
    rest: named ? undefined : parseOptional(rest),
    propertyNames: parseOptional(propertyNames),
  }
}

function deriveFacts(node: SchemaNode): NodeFacts {
  const { schema, parts } = node
  const isOpenRest = (rest: unknown): boolean =>
    rest === undefined || rest === true || (isJsonObject(rest) && Object.keys(rest).length === 0)
  const isSplit = parts.rest === undefined && !isOpenRest(schema.unevaluatedProperties)
  const hasLostPattern = parts.patterns.length < Object.keys(schema.patternProperties ?? {}).length
  return {
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
}
