/** JSON Schema (draft 2020-12) as far as the toolkit reads it: its keywords, its references, and schemas parsed into nodes. */

/** A schema object. Boolean schemas stand as `{}` (anything) and `{ not: {} }` (nothing). */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly propertyNames?: JsonSchema
  readonly items?: boolean | JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly [keyword: string]: unknown
}

/** Whether a value is an object, as JSON has them: no array, and not null. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two values are written as the same JSON. The order of members counts. */
export const isSameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The schema that allows any value: `true`. */
const anySchema: JsonSchema = {}

/** The schema that allows no value: `false`. */
export const neverSchema: JsonSchema = { not: anySchema }

/** A longer chain of references leads in a circle. */
export const maxReferenceHops = 32

/**
 * Generated values contain optional members only behind this many references at most: schemas that refer to one another would fill pages.
 */
export const maxFullReferences = 3

/** What a local reference points at: `#`, `#/$defs/User`; undefined where it points at nothing. */
export function resolvePointer(reference: string, root: JsonSchema): unknown {
  let here: unknown = root
  try {
    for (const text of reference.split('/').slice(1)) {
      const step = decodeURIComponent(text).replaceAll('~1', '/').replaceAll('~0', '~')
      // An inherited property is no part of the document: `#/__proto__` points at nothing.
      if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
      here = Reflect.get(here, step)
    }
    return here
  } catch {
    // The percent-encoding is malformed.
    return undefined
  }
}

/** The schema that a local reference points at. A reference that points at nothing allows anything. */
export const dereference = (reference: string, root: JsonSchema): JsonSchema => (resolvePointer(reference, root) ?? anySchema) as JsonSchema

/** The types that a schema names; none where it allows any. */
export const getTypes = ({ type = [] }: JsonSchema): readonly string[] => (typeof type === 'string' ? [type] : type)

/** The value of a keyword such as `minimum` or `maxLength`; `otherwise` where it is not a number, as in older drafts. */
export const getBound = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

/** The direct parts of a schema. */
export interface SchemaParts {
  readonly allOf: readonly SchemaNode[]
  /** The alternatives of `anyOf`, else of `oneOf`; undefined where there are none. */
  readonly branches: readonly SchemaNode[] | undefined
  readonly prefixItems: readonly SchemaNode[]
  /** The items behind `prefixItems`; undefined where the schema does not restrict them. */
  readonly items: SchemaNode | undefined
  readonly properties: ReadonlyMap<string, SchemaNode>
  readonly required: readonly string[]
  /** The members that `properties` does not name; undefined where the schema does not mention them. */
  readonly rest: SchemaNode | undefined
  /** The names of the members; undefined where the schema does not restrict them. */
  readonly propertyNames: SchemaNode | undefined
}

/**
 * A schema with its references resolved and its parts parsed. Every interpreter of JSON Schema (validate, write, compile, sample, compare)
 * walks these nodes. Keywords beside a `$ref` declare no parts: they are in `raw` only.
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
  private parsed: SchemaParts | undefined

  constructor(raw: JsonSchema, root: JsonSchema) {
    let schema = raw
    for (let hops = 0; schema.$ref !== undefined && hops < maxReferenceHops; hops += 1) schema = dereference(schema.$ref, root)
    const { enum: values, const: value } = schema
    this.raw = raw
    this.root = root
    this.schema = schema
    this.types = getTypes(schema)
    this.values = value === undefined ? values : [value]
  }

  /** The parts, parsed when they are first read: a schema may contain itself. */
  get parts(): SchemaParts {
    this.parsed ??= parseParts(this.schema, this.root)
    return this.parsed
  }

  /** The schema of the item at an index; undefined where any item is allowed. */
  item(index: number): SchemaNode | undefined {
    return this.parts.prefixItems[index] ?? this.parts.items
  }

  /** The schema of a member; undefined where any is allowed. */
  member(name: string): SchemaNode | undefined {
    return this.parts.properties.get(name) ?? this.parts.rest
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
  const raw = schema === true ? anySchema : schema === false ? neverSchema : schema
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

function parseParts(schema: JsonSchema, root: JsonSchema): SchemaParts {
  const { allOf = [], anyOf, oneOf, prefixItems = [], items, properties, required = [], additionalProperties: rest, propertyNames } = schema
  const parse = (part: JsonSchema | boolean): SchemaNode => parseSchema(part, root)
  const parseOptional = (part: JsonSchema | boolean | undefined): SchemaNode | undefined => (part === undefined ? undefined : parse(part))
  // The keys of a record that `propertyNames` lists are members of their own.
  const names = typeof rest === 'object' ? propertyNames?.enum : undefined
  const named = names && Object.fromEntries(names.map((name) => [String(name), rest as JsonSchema]))
  return {
    allOf: allOf.map(parse),
    branches: (anyOf ?? oneOf)?.map(parse),
    prefixItems: prefixItems.map(parse),
    items: parseOptional(items),
    properties: new Map(Object.entries({ ...named, ...properties }).map(([name, member]) => [name, parse(member)])),
    required,
    rest: named ? undefined : parseOptional(rest),
    propertyNames: parseOptional(propertyNames),
  }
}
