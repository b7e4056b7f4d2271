/** Writes a value as JSON by its JSON Schema: declared members only, and never a value of the wrong type. Compiled once, run often. */
import { getMembers, getTypes, resolveSchema } from './jsonSchema.js'
import { firstIssue, isValid } from './validate.js'

/** A value did not have the form that the schema asks for; where and how is looked up afterwards, by `firstIssue`. */
class WriteMismatch extends TypeError {}
/** A control character, a quote, a backslash or half of a surrogate pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes exactly these (RFC 8259 §7).
export const jsonEscapePattern = /[\u0000-\u001f"\\\ud800-\udfff]/
const writeString = (value) => {
  if (typeof value !== 'string') throw new WriteMismatch()
  return jsonEscapePattern.test(value) ? JSON.stringify(value) : `"${value}"`
}
const writeInteger = (value) => {
  if (!Number.isSafeInteger(value)) throw new WriteMismatch()
  return `${value}`
}
const writeNumber = (value) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new WriteMismatch()
  return `${value}`
}
const writeBoolean = (value) => {
  if (value === true) return 'true'
  if (value === false) return 'false'
  throw new WriteMismatch()
}
const writeNull = (value) => {
  if (value !== null) throw new WriteMismatch()
  return 'null'
}
const writeAny = (value) => {
  const text = JSON.stringify(value)
  if (text === undefined) throw new WriteMismatch()
  return text
}
const scalarWriters = {
  string: writeString,
  integer: writeInteger,
  number: writeNumber,
  boolean: writeBoolean,
  null: writeNull,
}
function createArrayWriter({ items, prefixItems = [], minItems = 0 }, root, known) {
  const rest = typeof items === 'object' ? getPartWriter(items, root, known) : writeAny
  const first = prefixItems.map((item) => getPartWriter(item, root, known))
  const least = Math.min(minItems, first.length)
  const most = items === false ? first.length : Number.POSITIVE_INFINITY
  return (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) throw new WriteMismatch()
    if (value.length === 0) return '[]'
    let text = `[${(first[0] ?? rest)(value[0])}`
    for (let index = 1; index < value.length; index += 1) text += `,${(first[index] ?? rest)(value[index])}`
    return `${text}]`
  }
}
function createObjectWriter(schema, root, known) {
  const { properties, rest: others, required } = getMembers(schema)
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    prefix: `${JSON.stringify(name)}:`,
    write: getPartWriter(member, root, known),
    needed: required.includes(name),
  }))
  const declared = new Set(members.map(({ name }) => name))
  // Members that are not named one by one: `z.record`, `z.looseObject`.
  const rest = typeof others === 'object' ? getPartWriter(others, root, known) : others === true ? writeAny : undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new WriteMismatch()
    const record = value
    let text = ''
    for (const { name, prefix, write, needed } of members) {
      const member = record[name]
      if (member === undefined) {
        if (needed) throw new WriteMismatch()
        continue
      }
      // A member that is only inherited (`constructor`, say) is not a member.
      if (!needed && !Object.hasOwn(record, name)) continue
      text += (text === '' ? prefix : `,${prefix}`) + write(member)
    }
    if (rest !== undefined) {
      for (const name of Object.keys(record)) {
        if (declared.has(name) || record[name] === undefined) continue
        text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${rest(record[name])}`
      }
    }
    return `{${text}}`
  }
}
/** A closed set of values, each written beforehand. */
function createEnumWriter(values) {
  const texts = new Map(values.map((value) => [value, JSON.stringify(value)]))
  return (value) => {
    const text = texts.get(value)
    if (text === undefined) throw new WriteMismatch()
    return text
  }
}
/** Several possible forms: the first that the value has, bounds included. */
function createUnionWriter(branches, root, known) {
  const choices = branches.map((branch) => ({ branch, write: getPartWriter(branch, root, known) }))
  return (value) => {
    const choice =
      choices.find(({ branch }) => isValid(branch, value, root)) ??
      choices.find(({ branch }) => firstIssue(branch, value, root) === undefined)
    if (choice === undefined) throw new WriteMismatch()
    return choice.write(value)
  }
}
/** Two views of one value, put together again. */
function mergeValues(one, other) {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return other
  if (Array.isArray(one) && Array.isArray(other)) return one.map((item, index) => mergeValues(item, other[index]))
  const [left, right] = [Object.entries(one), new Map(Object.entries(other))]
  const shared = left.map(([name, member]) => [name, right.has(name) ? mergeValues(member, right.get(name)) : member])
  return Object.fromEntries([...shared, ...[...right].filter(([name]) => !Object.hasOwn(one, name))])
}
/** Parts that hold together (`z.intersection`): each writes what it declares. They are rare, so they may take their time. */
function createAllOfWriter(parts, root, known) {
  const writers = parts.map((part) => getPartWriter(part, root, known))
  return (value) => JSON.stringify(writers.map((write) => JSON.parse(write(value))).reduce(mergeValues))
}
function getPartWriter(schema, root, known) {
  const here = resolveSchema(schema, root)
  const found = known.get(here)
  if (found !== undefined) return found
  // A schema that contains itself finds this door, which opens once the writer behind it stands.
  let write = writeAny
  known.set(here, (value) => write(value))
  write = createPartWriter(here, root, known)
  known.set(here, write)
  return write
}
function createPartWriter(schema, root, known) {
  if (schema.allOf !== undefined) {
    const { allOf, ...own } = schema
    const isPart = own.type !== undefined || own.properties !== undefined
    return createAllOfWriter(isPart ? [own, ...allOf] : allOf, root, known)
  }
  const branches = schema.anyOf ?? schema.oneOf
  if (branches !== undefined) return createUnionWriter(branches, root, known)
  if (schema.const !== undefined || schema.enum !== undefined) return createEnumWriter(schema.enum ?? [schema.const])
  const types = getTypes(schema)
  if (types.length > 1)
    return createUnionWriter(
      types.map((type) => ({ ...schema, type })),
      root,
      known,
    )
  const [type] = types
  if (type === 'object' || schema.properties !== undefined) return createObjectWriter(schema, root, known)
  if (type === 'array') return createArrayWriter(schema, root, known)
  return (type === undefined ? undefined : scalarWriters[type]) ?? writeAny
}
/**
 * The writer of a schema's values.
 *
 * @throws TypeError (when it runs) on a value of another form, naming the place: `at "/age" expected an integer, got a string`.
 */
export function createWriter(schema, root = schema) {
  const write = getPartWriter(schema, root, new Map())
  return (value) => {
    try {
      return write(value)
    } catch (error) {
      if (!(error instanceof WriteMismatch)) throw error
      const { pointer, detail } = firstIssue(schema, value, root) ?? { pointer: '', detail: 'a value that JSON can hold was expected' }
      throw new TypeError(`at "${pointer}" ${detail}`)
    }
  }
}
