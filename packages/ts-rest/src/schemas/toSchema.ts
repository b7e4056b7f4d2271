/** Makes schemas of a contract usable as they are: it adds the JSON Schema that zod 3 has not, and reads and writes dates as texts. */
import { type JsonSchema, type Schema, schemaCodec } from 'lapidary'
import * as messages from '../tsRestMessages.ts'
import { getZod3Definition, readZod3 } from './readZod3.ts'
import { getZod4Definition, readZod4 } from './readZod4.ts'
import { bigintTextSchema, binarySchema, dateTimeSchema, isOptional, type Place, textSchema, toJsonSchema } from './toJsonSchema.ts'
import { someTree, type Tree } from './tree.ts'

type Standard = Schema['~standard']

/** Reads a schema of zod; undefined for one of another library. */
export function readTree(source: object): Tree | undefined {
  if (getZod4Definition(source) !== undefined) return readZod4(source)
  return getZod3Definition(source) === undefined ? undefined : readZod3(source)
}

/** What zod 4 calls with each part of a schema. */
interface ZodOverride {
  readonly zodSchema: object
  readonly jsonSchema: Record<string, unknown>
}

/** The JSON Schema of a part that zod 4 has none for, or another one; undefined for any other part. */
function replaceSchema(source: object, place: Place): JsonSchema | undefined {
  const definition = getZod4Definition(source)
  const isText = place === 'text'
  switch (definition?.type) {
    case 'date':
      return definition.coerce ? textSchema : dateTimeSchema
    case 'file':
      return binarySchema
    case 'undefined':
    case 'void':
      return nothingSchema
    case 'any':
    case 'unknown':
      return isText ? textSchema : undefined
    case 'bigint':
      return isText && definition.coerce ? bigintTextSchema : undefined
    case 'pipe':
      return isText && getZod4Definition(definition['in'])?.type === 'transform' ? textSchema : undefined
    default:
      return undefined
  }
}

/** A member that is never there. */
const nothingSchema: JsonSchema = { not: {} }

/** Kinds of zod 4 that JSON has no value of. */
const unrepresentableKinds = new Set(['bigint', 'symbol', 'map', 'set', 'custom', 'nan', 'function', 'promise'])

/** The JSON Schema of zod 4 itself, but for what `replaceSchema` knows better. */
function callZod4(standard: Standard, place: Place): JsonSchema | undefined {
  const override = ({ zodSchema, jsonSchema }: ZodOverride): void => {
    const replaced = replaceSchema(zodSchema, place)
    const kind = getZod4Definition(zodSchema)?.type ?? ''
    if (replaced === undefined) {
      if (unrepresentableKinds.has(kind)) throw new TypeError(messages.unrepresentable(`z.${kind}()`))
      return
    }
    for (const keyword of Object.keys(jsonSchema)) if (keyword !== 'description' && keyword !== '$schema') delete jsonSchema[keyword]
    Object.assign(jsonSchema, replaced)
  }
  return standard.jsonSchema?.input({ target: 'draft-2020-12', libraryOptions: { unrepresentable: 'any', override } })
}

/** Whether a part has no value. */
export const isNothing = (tree: Tree | undefined): boolean => tree?.kind === 'scalar' && (tree.name === 'undefined' || tree.name === 'void')

/** Makes a `Date` of the text of each date. */
function reviveDates(tree: Tree, value: unknown): unknown {
  switch (tree.kind) {
    case 'date':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? new Date(value) : value
    case 'object': {
      if (typeof value !== 'object' || value === null) return value
      const members = tree.members.filter(([name]) => Object.hasOwn(value, name))
      return { ...value, ...Object.fromEntries(members.map(([name, member]) => [name, reviveDates(member, Reflect.get(value, name))])) }
    }
    case 'array':
      return Array.isArray(value) ? value.map((item) => reviveDates(tree.item, item)) : value
    case 'record':
      return typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, reviveDates(tree.value, member)]))
        : value
    case 'tuple':
      return Array.isArray(value) ? value.map((item, index) => reviveDates(tree.items[index] ?? tree.rest ?? tree, item)) : value
    case 'union':
      return tree.options.reduce((revived, option) => (hasDate(option) ? reviveDates(option, revived) : revived), value)
    case 'intersection':
      return reviveDates(tree.right, reviveDates(tree.left, value))
    case 'wrapper':
    case 'transform':
    case 'refine':
      return reviveDates(tree.inner, value)
    case 'pipe':
      return reviveDates(tree.input, value)
    case 'lazy':
      return reviveDates(tree.read(), value)
    default:
      return value
  }
}

const datedTrees = new WeakMap<Tree, boolean>()

/** Whether a value has a `Date` that is a text on the wire. */
export function hasDate(tree: Tree): boolean {
  const known = datedTrees.get(tree) ?? someTree(tree, ({ kind }) => kind === 'date')
  datedTrees.set(tree, known)
  return known
}

/** Whether a schema works in one direction only. */
export const isOneWay = (tree: Tree): boolean =>
  someTree(tree, ({ kind }) => kind === 'transform' || kind === 'preprocess' || kind === 'pipe')

/** A value as JSON has it: dates are texts, and members without a value are left out. */
export const toJsonValue = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value) ?? 'null'))

/** How a schema validates. zod had no Standard Schema before 3.24. */
export function getValidator(source: object): Standard['validate'] {
  const standard = (source as Partial<Schema>)['~standard']
  if (standard !== undefined) return standard.validate
  const { safeParse } = source as {
    readonly safeParse: (value: unknown) => {
      readonly success: boolean
      readonly data?: unknown
      readonly error?: { readonly issues: readonly { readonly message: string; readonly path: PropertyKey[] }[] }
    }
  }
  return (value) => {
    const { success, data, error } = safeParse.call(source, value)
    return success ? { value: data } : { issues: error?.issues ?? [] }
  }
}

/** How a schema validates what JSON and texts have: the text of a date is a `Date`. */
export function getWireValidator(source: object, tree: Tree | undefined = readTree(source)): Standard['validate'] {
  const validate = getValidator(source)
  return tree !== undefined && hasDate(tree) ? (value) => validate(reviveDates(tree, value)) : validate
}

function adaptZod(source: object, tree: Tree, place: Place): Schema {
  const standard = (source as Partial<Schema>)['~standard']
  const isNative = standard?.jsonSchema !== undefined
  const isText = place === 'text'
  const dates = hasDate(tree)
  const needsOwn = !isNative || isText || dates || someTree(tree, (part) => part.kind === 'file' || isNothing(part))
  if (!needsOwn) return source as Schema
  let jsonSchema: JsonSchema | undefined
  const getJsonSchema = (): Record<string, unknown> => {
    jsonSchema ??= (isNative ? callZod4(standard, place) : undefined) ?? toJsonSchema(tree, place)
    return { ...jsonSchema }
  }
  const run = getWireValidator(source, tree)
  const isRequired = isText && !isOptional(tree)
  const validate: Standard['validate'] = (value) => {
    // `z.coerce.string()` makes a text of nothing.
    if (value === undefined && isRequired) return { issues: [{ message: 'expected a value' }] }
    return run(value)
  }
  const schema: Schema = Object.freeze({
    '~standard': Object.freeze({ version: 1 as const, vendor: 'zod', validate, jsonSchema: { input: getJsonSchema } }),
  })
  return dates && !isOneWay(tree) ? schemaCodec(schema, { encode: toJsonValue }) : schema
}

const cache = { text: new WeakMap<object, Schema>(), json: new WeakMap<object, Schema>() }

/** Whether a value is a schema of any library, or of a zod before Standard Schema. */
export const isSchema = (value: unknown): value is object =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') && ('~standard' in value || readTree(value) !== undefined)

/**
 * A schema of a contract as `endpoint` takes it.
 *
 * @param place where it stands
 * @throws TypeError for a schema without a JSON Schema
 */
export function toSchema(source: object, place: Place): Schema {
  const known = cache[place].get(source)
  if (known !== undefined) return known
  const tree = readTree(source)
  const schema = tree === undefined ? (source as Schema) : adaptZod(source, tree, place)
  if (schema['~standard'].jsonSchema === undefined) throw new TypeError(messages.missingJsonSchema(schema['~standard'].vendor))
  // An error names the place of the schema.
  schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  cache[place].set(source, schema)
  return schema
}
