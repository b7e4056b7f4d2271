/** Writes a value as JSON by its JSON Schema: declared members only, and never a value of the wrong type. Compiled once, run often. */
import { fits, misfit } from './conform.ts'
import { type JsonSchema, membersOf, resolved, typesOf } from './jsonSchema.ts'

/** A value did not have the form that the schema asks for; where and how is looked up afterwards, by `misfit`. */
class Mismatch extends TypeError {}

type Write = (value: unknown) => string

/** A control character, a quote, a backslash or half of a surrogate pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes exactly these (RFC 8259 §7).
export const escaped: RegExp = /[\u0000-\u001f"\\\ud800-\udfff]/

const string: Write = (value) => {
  if (typeof value !== 'string') throw new Mismatch()
  return escaped.test(value) ? JSON.stringify(value) : `"${value}"`
}

const integer: Write = (value) => {
  if (!Number.isSafeInteger(value)) throw new Mismatch()
  return `${value as number}`
}

const number: Write = (value) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Mismatch()
  return `${value}`
}

const boolean: Write = (value) => {
  if (value === true) return 'true'
  if (value === false) return 'false'
  throw new Mismatch()
}

const nothing: Write = (value) => {
  if (value !== null) throw new Mismatch()
  return 'null'
}

const anything: Write = (value) => {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new Mismatch()
  return text
}

const scalars: Readonly<Record<string, Write>> = { string, integer, number, boolean, null: nothing }

function arrayWriter({ items, prefixItems = [], minItems = 0 }: JsonSchema, root: JsonSchema, known: Map<JsonSchema, Write>): Write {
  const rest = typeof items === 'object' ? compiled(items, root, known) : anything
  const first = prefixItems.map((item) => compiled(item, root, known))
  const least = Math.min(minItems, first.length)
  const most = items === false ? first.length : Number.POSITIVE_INFINITY
  return (value) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) throw new Mismatch()
    if (value.length === 0) return '[]'
    let text = `[${(first[0] ?? rest)(value[0])}`
    for (let index = 1; index < value.length; index += 1) text += `,${(first[index] ?? rest)(value[index])}`
    return `${text}]`
  }
}

function objectWriter(schema: JsonSchema, root: JsonSchema, known: Map<JsonSchema, Write>): Write {
  const { properties, rest: others, required } = membersOf(schema)
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    prefix: `${JSON.stringify(name)}:`,
    write: compiled(member, root, known),
    needed: required.includes(name),
  }))
  const declared = new Set(members.map(({ name }) => name))
  // Members that are not named one by one: `z.record`, `z.looseObject`.
  const rest = typeof others === 'object' ? compiled(others, root, known) : others === true ? anything : undefined
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Mismatch()
    const record = value as Record<string, unknown>
    let text = ''
    for (const { name, prefix, write, needed } of members) {
      const member = record[name]
      if (member === undefined) {
        if (needed) throw new Mismatch()
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
function namedWriter(values: readonly unknown[]): Write {
  const texts = new Map(values.map((value) => [value, JSON.stringify(value)]))
  return (value) => {
    const text = texts.get(value)
    if (text === undefined) throw new Mismatch()
    return text
  }
}

/** Several possible forms: the first that the value has, bounds included. */
function choiceWriter(branches: readonly JsonSchema[], root: JsonSchema, known: Map<JsonSchema, Write>): Write {
  const choices = branches.map((branch) => ({ branch, write: compiled(branch, root, known) }))
  return (value) => {
    const choice =
      choices.find(({ branch }) => fits(branch, value, root)) ?? choices.find(({ branch }) => misfit(branch, value, root) === undefined)
    if (choice === undefined) throw new Mismatch()
    return choice.write(value)
  }
}

/** Two views of one value, put together again. */
function blended(one: unknown, other: unknown): unknown {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return other
  if (Array.isArray(one) && Array.isArray(other)) return one.map((item, index) => blended(item, other[index]))
  const [left, right] = [Object.entries(one), new Map(Object.entries(other))]
  const shared = left.map(([name, member]) => [name, right.has(name) ? blended(member, right.get(name)) : member] as const)
  return Object.fromEntries([...shared, ...[...right].filter(([name]) => !Object.hasOwn(one, name))])
}

/** Parts that hold together (`z.intersection`): each writes what it declares. They are rare, so they may take their time. */
function togetherWriter(parts: readonly JsonSchema[], root: JsonSchema, known: Map<JsonSchema, Write>): Write {
  const writers = parts.map((part) => compiled(part, root, known))
  return (value) => JSON.stringify(writers.map((write): unknown => JSON.parse(write(value))).reduce(blended))
}

function compiled(schema: JsonSchema, root: JsonSchema, known: Map<JsonSchema, Write>): Write {
  const here = resolved(schema, root)
  const found = known.get(here)
  if (found !== undefined) return found
  // A schema that contains itself finds this door, which opens once the writer behind it stands.
  let write: Write = anything
  known.set(here, (value) => write(value))
  write = chosen(here, root, known)
  known.set(here, write)
  return write
}

function chosen(schema: JsonSchema, root: JsonSchema, known: Map<JsonSchema, Write>): Write {
  if (schema.allOf !== undefined) {
    const { allOf, ...own } = schema
    const isPart = own.type !== undefined || own.properties !== undefined
    return togetherWriter(isPart ? [own, ...allOf] : allOf, root, known)
  }
  const branches = schema.anyOf ?? schema.oneOf
  if (branches !== undefined) return choiceWriter(branches, root, known)
  if (schema.const !== undefined || schema.enum !== undefined) return namedWriter(schema.enum ?? [schema.const])
  const types = typesOf(schema)
  if (types.length > 1)
    return choiceWriter(
      types.map((type) => ({ ...schema, type })),
      root,
      known,
    )
  const [type] = types
  if (type === 'object' || schema.properties !== undefined) return objectWriter(schema, root, known)
  if (type === 'array') return arrayWriter(schema, root, known)
  return (type === undefined ? undefined : scalars[type]) ?? anything
}

/**
 * The writer of a schema's values.
 *
 * @throws TypeError (when it runs) on a value of another form, naming the place: `at "/age" expected an integer, got a string`.
 */
export function jsonWriter(schema: JsonSchema, root: JsonSchema = schema): Write {
  const write = compiled(schema, root, new Map())
  return (value) => {
    try {
      return write(value)
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error
      const { pointer, detail } = misfit(schema, value, root) ?? { pointer: '', detail: 'a value that JSON can hold was expected' }
      throw new TypeError(`at "${pointer}" ${detail}`)
    }
  }
}
