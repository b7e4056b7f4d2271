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
  return tree.kind === 'pipe' ? isOptional(tree.input) : tree.kind === 'scalar' && tree.name === 'undefined'
}

function wrap({ method, inner, value }: WrapperTree, place: Place): JsonSchema {
  const schema = toJsonSchema(inner, place)
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

/**
 * The JSON Schema of a part.
 *
 * @throws TypeError for a part that JSON has no value of
 */
export function toJsonSchema(tree: Tree, place: Place): JsonSchema {
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
      const rest = typeof tree.rest === 'string' ? rests[tree.rest] : { additionalProperties: toJsonSchema(tree.rest, place) }
      return describe(
        {
          type: 'object',
          properties: Object.fromEntries(tree.members.map(([name, member]) => [name, toJsonSchema(member, place)])),
          ...(required.length > 0 && { required }),
          ...rest,
        },
        tree,
      )
    }
    case 'array':
      return describe(mergeChecks({ type: 'array', items: toJsonSchema(tree.item, place) }, tree.checks), tree)
    case 'tuple': {
      const prefixItems = tree.items.map((item) => toJsonSchema(item, place))
      const bounds = { minItems: prefixItems.length, ...(tree.rest === undefined && { maxItems: prefixItems.length }) }
      return describe(
        { type: 'array', prefixItems, items: tree.rest === undefined ? false : toJsonSchema(tree.rest, place), ...bounds },
        tree,
      )
    }
    case 'record':
      return describe(
        { type: 'object', propertyNames: toJsonSchema(tree.key, place), additionalProperties: toJsonSchema(tree.value, place) },
        tree,
      )
    case 'union':
      return describe(
        unite(
          tree.options.map((option) => toJsonSchema(option, place)),
          tree.discriminator !== undefined,
        ),
        tree,
      )
    case 'intersection':
      return describe(intersect(toJsonSchema(tree.left, place), toJsonSchema(tree.right, place)), tree)
    case 'wrapper':
      return describe(wrap(tree, place), tree)
    case 'transform':
    case 'refine':
      return describe(toJsonSchema(tree.inner, place), tree)
    case 'preprocess':
      return describe(place === 'text' ? textSchema : toJsonSchema(tree.inner, place), tree)
    case 'pipe':
      return describe(toJsonSchema(tree.input, place), tree)
    case 'opaque':
      throw new TypeError(messages.unrepresentable(tree.what))
  }
}
