/** `form`: HTML forms (`application/x-www-form-urlencoded`). */
import { decodeUtf8 } from '../../http/encodings.ts'
import { forEachPair, percentEncode } from '../../http/percentEncoding.ts'
import { describeSchema } from '../../json-schema/invalidPlaces.ts'
import type { JsonSchema } from '../../json-schema/jsonSchema.ts'
import { encodePointerStep, type Issue, isParseError, maxIssues, ParseError, parseError } from '../../json-schema/parseError.ts'
import { flattenAllOf, parseSchema, type SchemaNode } from '../../json-schema/schemaNode.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import * as expectation from '../../messages/expectations.ts'
import { bool } from '../parameters/bool.ts'
import { int } from '../parameters/int.ts'
import { defineValue } from '../parameters/parameter.ts'
import { parseNumber } from '../parameters/schemaTexts.ts'
import { type MediaType, mediaType } from './mediaType.ts'

/** The values of each name, in order. */
type FormPairs = Map<string, string[]>

function parseFormPairs(bytes: Uint8Array): FormPairs | ParseError {
  const text = decodeUtf8(bytes)
  if (text === undefined) return parseError(expectation.utf8())
  const pairs: FormPairs = new Map()
  const malformed = forEachPair(text, (name, value = '') => {
    const values = pairs.get(name)
    if (values === undefined) pairs.set(name, [value])
    else values.push(value)
  })
  if (malformed === undefined) return pairs
  const pointer = malformed.name === undefined ? '' : encodePointerStep(malformed.name)
  return new ParseError([{ pointer, detail: `expected ${malformed.expected}` }])
}

/** The types that a value can have, from all parts of its schema. */
const getPossibleTypes = ({ types, parts }: SchemaNode): readonly string[] => [
  ...types,
  ...[...(parts.branches ?? []), ...parts.allOf].flatMap(getPossibleTypes),
]

/** The members of an object, from all parts of its schema. */
const getAllMembers = (schema: JsonSchema): ReadonlyMap<string, SchemaNode> =>
  new Map(flattenAllOf(parseSchema(schema)).flatMap(({ parts }) => [...parts.properties]))

/** The value of a text, of a type that the schema allows. A text that has no such value stays a text, so that the schema reports it. */
function convertText(text: string, node: SchemaNode): unknown {
  const types = getPossibleTypes(node)
  if (types.includes('string')) return text
  if (types.includes('integer')) return int.parse(text)
  if (types.includes('number')) return parseNumber(text)
  return types.includes('boolean') ? bool.parse(text) : text
}

/** The object of a form: a list for each member that is an array, else exactly one value. Unknown names are ignored. */
function buildFormObject(pairs: FormPairs, schema: JsonSchema): unknown {
  const issues: Issue[] = []
  const value: Record<string, unknown> = {}
  const required = flattenAllOf(parseSchema(schema)).flatMap(({ parts }) => parts.required)
  const valueOrIssue = (name: string, member: unknown): unknown => {
    if (!isParseError(member)) return member
    if (issues.length < maxIssues)
      issues.push(...member.issues.map(({ detail, pointer }) => ({ pointer: encodePointerStep(name) + pointer, detail })))
    return undefined
  }
  for (const [name, member] of getAllMembers(schema)) {
    const texts = pairs.get(name) ?? []
    if (member.types.includes('array')) {
      const item = member.parts.items ?? member.parse(true)
      defineValue(
        value,
        name,
        texts.map((text) => valueOrIssue(name, convertText(text, item))),
      )
    } else if (texts.length === 1) defineValue(value, name, valueOrIssue(name, convertText(texts[0] ?? '', member)))
    else if (texts.length > 1) valueOrIssue(name, parseError(expectation.oneValue(texts.length)))
    else if (required.includes(name))
      issues.push({ pointer: encodePointerStep(name), detail: `expected ${describeSchema(member)}, got nothing` })
  }
  return issues.length > 0 ? new ParseError(issues) : value
}

/** @throws TypeError for a value without a text in a form, such as null: a reader would take it for another value. */
function encodePair(name: string, value: unknown): string {
  if (typeof value === 'object' || value === undefined) throw new TypeError(developerErrors.invalidFormValue(name))
  const text = String(value)
  if (!name.isWellFormed() || !text.isWellFormed()) throw new TypeError(developerErrors.illFormedText())
  return `${percentEncode(name)}=${percentEncode(text)}`.replaceAll('%20', '+')
}

/**
 * `application/x-www-form-urlencoded`. With a schema, the body is an object that matches the schema. Without a schema, it is a record with
 * the list of values of each name, and a call also takes a `FormData` without files.
 *
 * @example
 * ```ts
 * import { content, endpoint, form, noContent } from 'lapidary'
 * import { z } from 'zod'
 *
 * const User = z.object({ name: z.string(), tags: z.array(z.string()) })
 * const create = endpoint('POST /users', { body: content(User, form), response: noContent })
 * ```
 */
export const form: MediaType<object> = mediaType<object>({
  types: ['application/x-www-form-urlencoded'],
  reader: (schema) => (bytes) => {
    const pairs = parseFormPairs(bytes)
    if (isParseError(pairs)) return pairs
    // Object.fromEntries defines members, so `__proto__` is a name like any other.
    return schema === undefined ? Object.fromEntries(pairs) : buildFormObject(pairs, schema)
  },
  writer: (schema) => (value) => {
    const declared = schema === undefined ? undefined : getAllMembers(schema)
    // A FormData has no members, and would be an empty form.
    return (value instanceof FormData ? [...value] : Object.entries(value))
      .filter(([name, member]) => member !== undefined && (declared === undefined || declared.has(name)))
      .flatMap(([name, member]) => (Array.isArray(member) ? member.map((item) => encodePair(name, item)) : [encodePair(name, member)]))
      .join('&')
  },
})
