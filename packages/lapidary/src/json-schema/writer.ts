/** Writes a value as JSON by its JSON Schema: declared members only, and never a value of the wrong type. Created once, called often. */
import { isJsonObject, type JsonSchema, neverSchema, parseSchema, type SchemaNode, splitTypes } from './jsonSchema.ts'
import { findFirstIssue, isValid, typeTests } from './validate.ts'

/** Thrown for a value that does not have the form of its schema. One object is enough: `createWriter` catches it, and finds the place. */
const writeMismatch = new TypeError()

/** Writes a value as JSON text. */
export type JsonWriter = (value: unknown) => string

/** A control character, a quote, a backslash or half of a surrogate pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes exactly these (RFC 8259 §7).
export const jsonEscapePattern: RegExp = /[\u0000-\u001f"\\\ud800-\udfff]/

const writeString: JsonWriter = (value) => {
  if (typeof value !== 'string') throw writeMismatch
  return jsonEscapePattern.test(value) ? JSON.stringify(value) : `"${value}"`
}

const writeAny: JsonWriter = (value) => {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw writeMismatch
  return text
}

/** Writes numbers, truth values and null, which JSON spells as JavaScript does. */
const createScalarWriter =
  (isRight: (value: unknown) => boolean): JsonWriter =>
  (value) => {
    if (!isRight(value)) throw writeMismatch
    return `${value}`
  }

function createArrayWriter({ schema, parts }: SchemaNode): JsonWriter {
  const first = parts.prefixItems.map((item) => getPartWriter(item))
  const rest = parts.items === undefined ? writeAny : getPartWriter(parts.items)
  const minLength = Math.min(schema.minItems ?? 0, first.length)
  const maxLength = parts.items?.schema === neverSchema ? first.length : Number.POSITIVE_INFINITY
  return (value) => {
    if (!Array.isArray(value) || value.length < minLength || value.length > maxLength) throw writeMismatch
    if (value.length === 0) return '[]'
    let text = `[${(first[0] ?? rest)(value[0])}`
    for (let index = 1; index < value.length; index += 1) text += `,${(first[index] ?? rest)(value[index])}`
    return `${text}]`
  }
}

function createObjectWriter({ parts }: SchemaNode): JsonWriter {
  const members = [...parts.properties].map(([name, member]) => ({
    name,
    prefix: `${JSON.stringify(name)}:`,
    write: getPartWriter(member),
    isRequired: parts.required.includes(name),
  }))
  // Members that the schema allows without naming them: `z.record`, `z.looseObject`.
  const rest = parts.rest && parts.rest.schema !== neverSchema ? getPartWriter(parts.rest) : undefined
  return (value) => {
    if (!isJsonObject(value)) throw writeMismatch
    let text = ''
    for (const { name, prefix, write, isRequired } of members) {
      const member = value[name]
      if (member === undefined) {
        if (isRequired) throw writeMismatch
        continue
      }
      // An inherited property (`constructor`, say) is not a member.
      if (!isRequired && !Object.hasOwn(value, name)) continue
      text += (text === '' ? prefix : `,${prefix}`) + write(member)
    }
    if (rest !== undefined) {
      for (const name of Object.keys(value)) {
        if (parts.properties.has(name) || value[name] === undefined) continue
        text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${rest(value[name])}`
      }
    }
    return `{${text}}`
  }
}

/** A closed set of values, each written beforehand. */
function createEnumWriter(values: readonly unknown[]): JsonWriter {
  const texts = new Map(values.map((value) => [value, JSON.stringify(value)]))
  return (value) => {
    const text = texts.get(value)
    if (text === undefined) throw writeMismatch
    return text
  }
}

/** Writes by the first branch that the value fits, bounds included; else by the first whose form it has. */
function createUnionWriter(branches: readonly SchemaNode[]): JsonWriter {
  return (value) => {
    const branch = branches.find((one) => isValid(one, value)) ?? branches.find((one) => findFirstIssue(one, value) === undefined)
    if (branch === undefined) throw writeMismatch
    return getPartWriter(branch)(value)
  }
}

/** Merges two views of one value. */
function mergeValues(one: unknown, other: unknown): unknown {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return other
  if (Array.isArray(one) && Array.isArray(other)) return one.map((item, index) => mergeValues(item, other[index]))
  const merged = new Map<string, unknown>(Object.entries(one))
  for (const [name, member] of Object.entries(other)) merged.set(name, merged.has(name) ? mergeValues(merged.get(name), member) : member)
  return Object.fromEntries(merged)
}

/** Each part of `allOf` (`z.intersection`) writes the members that it declares. Intersections are rare, so this may be slow. */
function createAllOfWriter(parts: readonly SchemaNode[]): JsonWriter {
  const writers = parts.map((part) => getPartWriter(part))
  return (value) => JSON.stringify(writers.map((write): unknown => JSON.parse(write(value))).reduce(mergeValues))
}

/** Writers by schema: a schema that contains itself finds its own writer. */
const writers = new WeakMap<SchemaNode, JsonWriter>()

function getPartWriter(node: SchemaNode): JsonWriter {
  const known = writers.get(node)
  if (known !== undefined) return known
  // A schema that contains itself meets this writer, which calls the real one once that exists.
  let write: JsonWriter = writeAny
  writers.set(node, (value) => write(value))
  write = createPartWriter(node)
  writers.set(node, write)
  return write
}

function createPartWriter(node: SchemaNode): JsonWriter {
  const { schema, parts, values, types } = node
  if (schema.allOf !== undefined) {
    const { allOf: _, ...own } = schema
    const isPart = own.type !== undefined || own.properties !== undefined
    return createAllOfWriter(isPart ? [node.parse(own), ...parts.allOf] : parts.allOf)
  }
  if (parts.branches !== undefined) return createUnionWriter(parts.branches)
  if (values !== undefined) return createEnumWriter(values)
  if (types.length > 1) return createUnionWriter(splitTypes(node))
  const [type] = types
  if (type === 'string') return writeString
  if (type === 'object' || schema.properties !== undefined) return createObjectWriter(node)
  if (type === 'array') return createArrayWriter(node)
  const isRight = typeTests[type ?? '']
  return isRight === undefined ? writeAny : createScalarWriter(isRight)
}

/**
 * Creates the writer of a schema's values.
 *
 * @param root the document that the schema's references start from
 * @throws TypeError (when the writer runs) on a value of another form, naming the place: `at "/age" expected an integer, got a string`
 */
export function createWriter(schema: JsonSchema, root: JsonSchema = schema): JsonWriter {
  const node = parseSchema(schema, root)
  const write = getPartWriter(node)
  return (value) => {
    try {
      return write(value)
    } catch (error) {
      if (error !== writeMismatch) throw error
      const { pointer, detail } = findFirstIssue(node, value) ?? { pointer: '', detail: 'a value that JSON can hold was expected' }
      throw new TypeError(`at "${pointer}" ${detail}`)
    }
  }
}
