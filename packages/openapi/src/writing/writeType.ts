/**
 * Writes the values of a JSON Schema as a type of TypeScript, for a schema that contains itself: TypeScript does not infer each of these.
 *
 * A type has the values of its schema as input and as output, so that a member with a default may be missing.
 */
import type { JsonSchema } from 'lapidary'
import { isJsonObject, lineWidth, writeName, writeText } from 'lapidary/internal'
import { getDefinitionName } from '../definitionNames.ts'

/** Returns the type of a definition. */
export type NameType = (name: string) => string

/** The alternatives of a union. Any other type is one. */
type Union = readonly string[]

const indent = (text: string): string => text.replaceAll('\n', '\n  ')

const isIntersection = (type: string): boolean => / & /.test(type)

/** A union as one text, in brackets where another type is around it. */
const enclose = (union: Union): string =>
  union.length > 1 || union.some(isIntersection) ? `(${union.join(' | ')})` : (union[0] ?? 'never')

const unite = (unions: readonly Union[]): Union => {
  const types = [...new Set(unions.flat())].filter((type) => type !== 'never')
  return types.includes('unknown') ? ['unknown'] : types
}

const intersect = (unions: readonly Union[]): Union => {
  const parts = unions.filter((union) => !union.includes('unknown'))
  const [first = ['unknown']] = parts
  return parts.length < 2 ? first : [parts.map((part) => (part.length > 1 ? enclose(part) : (part[0] ?? 'never'))).join(' & ')]
}

const writeLiteral = (value: unknown): string => {
  if (typeof value === 'string') return writeText(value)
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'unknown'
}

function writeArray({ items, prefixItems, minItems }: JsonSchema, nameType: NameType): string {
  const item = isJsonObject(items) ? enclose(toUnion(items, nameType)) : items === false ? 'never' : 'unknown'
  if (prefixItems === undefined) return `${item}[]`
  // zod has no tuple without some of its positions.
  if (minItems !== prefixItems.length) return 'unknown[]'
  const positions = prefixItems.map((one) => toUnion(one, nameType).join(' | '))
  return `[${[...positions, ...(items === false ? [] : [`...${item}[]`])].join(', ')}]`
}

/** A union after what stands before it: on its line where it fits, else each alternative on a line of its own. */
function writeUnion(before: string, union: Union, width: number): string {
  const line = `${before} ${union.join(' | ') || 'never'}`
  return union.length < 2 || line.length <= width ? line : before + indent(union.map((type) => `\n| ${type}`).join(''))
}

/** The members of an object in braces; undefined where it names none. */
export function writeMembers({ properties = {}, required = [] }: JsonSchema, nameType: NameType): string | undefined {
  const names = [...new Set([...Object.keys(properties), ...required])]
  if (names.length === 0) return undefined
  const members = names.map((name) => {
    const union = Object.hasOwn(properties, name) ? toUnion(properties[name] ?? {}, nameType) : ['unknown']
    const isRequired = required.includes(name)
    const types = isRequired || union.includes('unknown') ? union : [...union, 'undefined']
    return writeUnion(`${writeName(name)}${isRequired ? '' : '?'}:`, types, lineWidth - 2)
  })
  return `{${indent(`\n${members.join('\n')}`)}\n}`
}

function writeForm(schema: JsonSchema, type: unknown, nameType: NameType): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return writeArray(schema, nameType)
    case 'object': {
      const { additionalProperties: rest } = schema
      const value = isJsonObject(rest) ? toUnion(rest, nameType).join(' | ') : 'unknown'
      // A type contains itself here, and cannot within `Record`.
      return writeMembers(schema, nameType) ?? `{ [name: string]: ${value} }`
    }
    default:
      return 'unknown'
  }
}

function toUnion(schema: JsonSchema, nameType: NameType): Union {
  const { $ref, const: value, enum: values, allOf = [], anyOf, oneOf, type } = schema
  const listed = values ?? (value === undefined ? undefined : [value])
  const types = Array.isArray(type) ? type : [type ?? (schema.properties === undefined ? undefined : 'object')]
  const own = listed === undefined ? types.map((one) => writeForm(schema, one, nameType)) : listed.map(writeLiteral)
  const list = (parts: readonly JsonSchema[]): readonly Union[] => parts.map((part) => toUnion(part, nameType))
  return intersect([
    unite([own]),
    ...($ref === undefined ? [] : [[nameType(getDefinitionName($ref))]]),
    ...list(allOf),
    ...[anyOf, oneOf].flatMap((branches) => (branches === undefined ? [] : [unite(list(branches))])),
  ])
}

/** The type of a schema, after `export type Name =`. */
export const writeAlias = (name: string, schema: JsonSchema, nameType: NameType): string =>
  writeUnion(`export type ${name} =`, toUnion(schema, nameType), lineWidth)
