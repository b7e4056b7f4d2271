/** The JSON Schema of a tree: that of the value on the wire, in the form in which zod 4 writes it. */
import type { JsonSchema } from 'lapidary'
import * as messages from '../tsRestMessages.ts'
import type { Check, Tree, WrapperTree } from './tree.ts'

/** Whether a schema stands where the wire has texts: in a path, a query or a header. */
export type Place = 'text' | 'json'

/** The text of a date that a server writes. */
export const dateTimeSchema: JsonSchema = { type: 'string', format: 'date-time' }
/** A text that the application reads itself. */
export const textSchema: JsonSchema = { type: 'string' }
/** An integer of any size, as a text. */
export const bigintTextSchema: JsonSchema = { type: 'string', pattern: '^-?[0-9]+$' }
/** A file of a form, in a body that is no form. */
export const binarySchema: JsonSchema = { type: 'string', format: 'binary', contentEncoding: 'binary' }

/** The rules of a text or a number, together. */
function mergeChecks(base: JsonSchema, checks: readonly Check[]): JsonSchema {
  const patterns = checks.flatMap(({ keywords: { pattern } }) => (pattern === undefined ? [] : [pattern]))
  const merged = checks.reduce<Record<string, unknown>>((schema, { keywords }) => mergeKeywords(schema, keywords), { ...base })
  if (patterns.length < 2) return merged
  const { pattern: _pattern, ...others } = merged
  return { ...others, allOf: patterns.map((pattern) => ({ pattern })) }
}

/** Of two bounds, the narrower one. */
function mergeKeywords(schema: Readonly<Record<string, unknown>>, keywords: JsonSchema): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...schema, ...keywords }
  // The format is that of the last rule, and a pattern of the application has none.
  if (keywords['pattern'] !== undefined && keywords['format'] === undefined) delete merged['format']
  for (const [name, value] of Object.entries(keywords)) {
    const before = schema[name]
    if (typeof before !== 'number' || typeof value !== 'number') continue
    merged[name] = /^(?:min|exclusiveMin)/.test(name) ? Math.max(before, value) : Math.min(before, value)
  }
  if (typeof merged['exclusiveMinimum'] === 'number' && merged['exclusiveMinimum'] >= Number(merged['minimum'])) delete merged['minimum']
  if (typeof merged['exclusiveMaximum'] === 'number' && merged['exclusiveMaximum'] <= Number(merged['maximum'])) delete merged['maximum']
  return merged
}

/** Whether an object can lack a member on the wire. */
export function isOptional(tree: Tree): boolean {
  if (tree.kind === 'wrapper')
    return (
      tree.method === 'optional' ||
      tree.method === 'default' ||
      tree.method === 'prefault' ||
      (tree.method !== 'catch' && isOptional(tree.inner))
    )
  if (tree.kind === 'transform' || tree.kind === 'refine') return isOptional(tree.inner)
  if (tree.kind === 'union') return tree.options.some(isOptional)
  if (tree.kind === 'lazy') return isOptional(tree.read())
  return tree.kind === 'pipe' ? isOptional(tree.input) : tree.kind === 'scalar' && (tree.name === 'undefined' || tree.name === 'void')
}

function wrap({ method, inner, value }: WrapperTree, context: Context): JsonSchema {
  const schema = build(inner, context)
  if (method === 'readonly') return { ...schema, readOnly: true }
  if (method === 'default' || method === 'prefault' || method === 'catch')
    return { default: value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown), ...schema }
  if (method !== 'nullable') return schema
  // Types without further keywords are one list.
  const { type, ...others } = schema
  return type !== undefined && Object.keys(others).length === 0 ? { type: [type, 'null'].flat() } : { anyOf: [schema, { type: 'null' }] }
}

function unite(options: readonly JsonSchema[], isExclusive: boolean): JsonSchema {
  if (isExclusive) return { oneOf: options }
  const areTypes = options.every((option) => typeof option.type === 'string' && Object.keys(option).length === 1)
  return areTypes ? { type: [...new Set(options.map(({ type }) => type as string))] } : { anyOf: options }
}

const objectKeywords = ['type', 'properties', 'required']

const isPlainObject = (schema: JsonSchema): boolean =>
  schema.type === 'object' && Object.keys(schema).every((keyword) => objectKeywords.includes(keyword))

/** Both schemas at once. Of two objects with members of their own, zod 4 makes one. */
function intersect(left: JsonSchema, right: JsonSchema): JsonSchema {
  const [members = {}, others = {}] = [left.properties, right.properties]
  const isOne = isPlainObject(left) && isPlainObject(right) && Object.keys(members).every((name) => !Object.hasOwn(others, name))
  if (!isOne) return { allOf: [left, right] }
  const required = [...(left.required ?? []), ...(right.required ?? [])]
  return { type: 'object', properties: { ...members, ...others }, ...(required.length > 0 && { required }) }
}

function describe(schema: JsonSchema, { description }: Tree): JsonSchema {
  return description === undefined ? schema : { ...schema, description }
}

/** Parts that contain themselves, and what they lead to. */
class Cycles {
  readonly definitions: Record<string, JsonSchema> = {}
  private readonly root: object
  private readonly open = new Set<object>()
  private readonly references = new Map<object, string>()
  /** Parts with lazy ones in them. A second one is a reference: they may lead to each other in very many ways. */
  private readonly lazySchemas = new Map<object, JsonSchema>()
  private lazyCount = 0

  constructor(root: object) {
    this.root = root
  }

  readonly countLazy = (): void => {
    this.lazyCount += 1
  }

  private refer(source: object): JsonSchema {
    const reference = this.references.get(source) ?? (source === this.root ? '#' : `#/$defs/__schema${this.references.size}`)
    this.references.set(source, reference)
    return { $ref: reference }
  }

  private define(source: object, schema: JsonSchema): JsonSchema {
    const { $ref: reference = '' } = this.refer(source)
    if (reference !== '#') this.definitions[reference.slice('#/$defs/'.length)] = schema
    return { $ref: reference }
  }

  /** The schema of a part, or a reference to it. */
  resolve(source: object, create: () => JsonSchema): JsonSchema {
    if (this.open.has(source) || this.references.has(source)) return this.refer(source)
    const known = this.lazySchemas.get(source)
    if (known !== undefined) return this.define(source, known)
    const before = this.lazyCount
    this.open.add(source)
    const schema = create()
    this.open.delete(source)
    if (this.lazyCount > before) this.lazySchemas.set(source, schema)
    return source !== this.root && this.references.has(source) ? this.define(source, schema) : schema
  }
}

interface Context {
  readonly place: Place
  readonly cycles: Cycles
}

/** The kinds of parts that have parts of their own. */
const compound = new Set(['object', 'array', 'tuple', 'record', 'union', 'intersection'])

/**
 * The JSON Schema of a schema.
 *
 * @throws TypeError for a part that JSON has no value of
 */
export function toJsonSchema(tree: Tree, place: Place): JsonSchema {
  const cycles = new Cycles(tree.source)
  const schema = build(tree, { place, cycles })
  return Object.keys(cycles.definitions).length === 0 ? schema : { ...schema, $defs: cycles.definitions }
}

const build = (tree: Tree, context: Context): JsonSchema =>
  compound.has(tree.kind) ? context.cycles.resolve(tree.source, () => buildPart(tree, context)) : buildPart(tree, context)

function buildPart(tree: Tree, context: Context): JsonSchema {
  const { place } = context
  switch (tree.kind) {
    case 'scalar': {
      const isText = place === 'text'
      if (isText && (tree.name === 'any' || tree.name === 'unknown')) return describe(textSchema, tree)
      if (isText && tree.name === 'coerce.bigint') return describe(bigintTextSchema, tree)
      if (tree.jsonSchema === undefined) throw new TypeError(messages.unrepresentable(`z.${tree.name}()`))
      return describe(mergeChecks(tree.jsonSchema, tree.checks), tree)
    }
    case 'date':
      return describe(tree.coerces ? textSchema : dateTimeSchema, tree)
    case 'file':
      return describe(binarySchema, tree)
    case 'object': {
      const required = tree.members.flatMap(([name, member]) => (isOptional(member) ? [] : [name]))
      const rests = { strip: {}, strict: { additionalProperties: false }, loose: { additionalProperties: {} } }
      const rest = typeof tree.rest === 'string' ? rests[tree.rest] : { additionalProperties: build(tree.rest, context) }
      return describe(
        {
          type: 'object',
          properties: Object.fromEntries(tree.members.map(([name, member]) => [name, build(member, context)])),
          ...(required.length > 0 && { required }),
          ...rest,
        },
        tree,
      )
    }
    case 'array':
      return describe(mergeChecks({ type: 'array', items: build(tree.item, context) }, tree.checks), tree)
    case 'tuple': {
      const prefixItems = tree.items.map((item) => build(item, context))
      const bounds = { minItems: prefixItems.length, ...(tree.rest === undefined && { maxItems: prefixItems.length }) }
      return describe({ type: 'array', prefixItems, items: tree.rest === undefined ? false : build(tree.rest, context), ...bounds }, tree)
    }
    case 'record':
      return describe({ type: 'object', propertyNames: build(tree.key, context), additionalProperties: build(tree.value, context) }, tree)
    case 'union':
      return describe(
        unite(
          tree.options.map((option) => build(option, context)),
          tree.discriminator !== undefined,
        ),
        tree,
      )
    case 'intersection':
      return describe(intersect(build(tree.left, context), build(tree.right, context)), tree)
    case 'wrapper':
      return describe(wrap(tree, context), tree)
    case 'transform':
    case 'refine':
      return describe(build(tree.inner, context), tree)
    case 'preprocess':
      return describe(place === 'text' ? textSchema : build(tree.inner, context), tree)
    case 'pipe':
      return describe(build(tree.input, context), tree)
    case 'lazy':
      context.cycles.countLazy()
      return describe(build(tree.read(), context), tree)
    case 'opaque':
      throw new TypeError(messages.unrepresentable(tree.what))
  }
}
