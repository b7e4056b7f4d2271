/** HTML forms (`application/x-www-form-urlencoded`) as a medium. */

import { forEachPair, percentEncode } from '../../http/percentEncoding.ts'
import { decodeUtf8 } from '../../http/utf8.ts'
import { type JsonSchema, parseSchema, type SchemaNode } from '../../json-schema/jsonSchema.ts'
import { isExactNumber } from '../../json-schema/jsonText.ts'
import { encodePointerStep, type Issue, isParseError, maxIssues, ParseError, parseError } from '../../json-schema/parseError.ts'
import { describeSchema } from '../../json-schema/validate.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { expectation } from '../../messages/problemMessages.ts'
import { bool } from '../parameters/bool.ts'
import { int } from '../parameters/int.ts'
import { type MediaType, mediaType } from './mediaType.ts'

/** Every name with its values, in order. */
type FormPairs = Map<string, string[]>

function parseFormPairs(bytes: Uint8Array): FormPairs | ParseError {
  const text = decodeUtf8(bytes)
  if (text === undefined) return parseError(expectation.utf8())
  const pairs: FormPairs = new Map()
  const flaw = forEachPair(text, (name, value = '') => {
    const values = pairs.get(name)
    if (values === undefined) pairs.set(name, [value])
    else values.push(value)
  })
  if (flaw === undefined) return pairs
  return new ParseError([{ pointer: flaw.name === undefined ? '' : encodePointerStep(flaw.name), detail: `expected ${flaw.expected}` }])
}

const decimalPattern = /^-?[0-9]+(\.[0-9]+)?$/

/** The types that a value may have, whichever part of the schema names them. */
const getPossibleTypes = ({ types, parts }: SchemaNode): readonly string[] => [
  ...types,
  ...[...(parts.branches ?? []), ...parts.allOf].flatMap(getPossibleTypes),
]

/** An object and the parts of its `allOf`, and their parts. */
const flattenAllOf = (node: SchemaNode): readonly SchemaNode[] => [node, ...node.parts.allOf.flatMap(flattenAllOf)]

/** The members of an object, whichever of its parts declares them. */
const getAllMembers = (schema: JsonSchema): ReadonlyMap<string, SchemaNode> =>
  new Map(flattenAllOf(parseSchema(schema)).flatMap(({ parts }) => [...parts.properties]))

/** One text as the value that the schema asks for; what it cannot be stays text, for the schema to refuse. */
function convertText(text: string, node: SchemaNode): unknown {
  const types = getPossibleTypes(node)
  if (types.includes('string')) return text
  if (types.includes('integer')) return int.parse(text)
  if (types.includes('number')) return decimalPattern.test(text) && isExactNumber(text) ? Number(text) : parseError(expectation.number())
  return types.includes('boolean') ? bool.parse(text) : text
}

/** The object that a form stands for: lists for members that are arrays, else exactly one value; unknown names are ignored. */
function buildFormObject(pairs: FormPairs, schema: JsonSchema): unknown {
  const flaws: Issue[] = []
  const value: Record<string, unknown> = {}
  const required = flattenAllOf(parseSchema(schema)).flatMap(({ parts }) => parts.required)
  const settle = (name: string, member: unknown): unknown => {
    if (!isParseError(member)) return member
    if (flaws.length < maxIssues)
      flaws.push(...member.issues.map(({ detail, pointer }) => ({ pointer: encodePointerStep(name) + pointer, detail })))
    return undefined
  }
  for (const [name, member] of getAllMembers(schema)) {
    const texts = pairs.get(name) ?? []
    if (member.types.includes('array')) {
      const item = member.parts.items ?? member.parse(true)
      value[name] = texts.map((text) => settle(name, convertText(text, item)))
    } else if (texts.length === 1) value[name] = settle(name, convertText(texts[0] ?? '', member))
    else if (texts.length > 1) settle(name, parseError(expectation.oneValue(texts.length)))
    else if (required.includes(name))
      flaws.push({ pointer: encodePointerStep(name), detail: `expected ${describeSchema(member)}, got nothing` })
  }
  return flaws.length > 0 ? new ParseError(flaws) : value
}

/** @throws TypeError for what has no text of its own in a form, such as null: it would be read again as another value. */
function encodePair(name: string, value: unknown): string {
  if (typeof value === 'object' || value === undefined) throw new TypeError(developerErrors.invalidFormValue(name))
  const text = String(value)
  if (!name.isWellFormed() || !text.isWellFormed()) throw new TypeError(developerErrors.illFormedText())
  return `${percentEncode(name)}=${percentEncode(text)}`.replaceAll('%20', '+')
}

/** `application/x-www-form-urlencoded`. Alone it is every name with the list of its values; with a schema, an object of that form. */
export const form: MediaType<object> = mediaType<object>({
  types: ['application/x-www-form-urlencoded'],
  reader: (schema) => (bytes) => {
    const pairs = parseFormPairs(bytes)
    if (isParseError(pairs)) return pairs
    // fromEntries defines members, so that `__proto__` is a name like any other.
    return schema === undefined ? Object.fromEntries(pairs) : buildFormObject(pairs, schema)
  },
  writer: (schema) => (value) => {
    const declared = schema === undefined ? undefined : getAllMembers(schema)
    return Object.entries(value)
      .filter(([name, member]) => member !== undefined && (declared === undefined || declared.has(name)))
      .flatMap(([name, member]) => (Array.isArray(member) ? member.map((item) => encodePair(name, item)) : [encodePair(name, member)]))
      .join('&')
  },
})
