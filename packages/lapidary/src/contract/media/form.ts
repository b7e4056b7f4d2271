/** HTML forms (`application/x-www-form-urlencoded`) as a medium. */

import { forEachPair, percentEncode } from '../../http/percentEncoding.ts'
import { decodeUtf8 } from '../../http/utf8.ts'
import { getMembers, getTypes, type JsonSchema, type ObjectMembers, resolveSchema } from '../../json-schema/jsonSchema.ts'
import { isExactNumber } from '../../json-schema/jsonText.ts'
import { encodePointerStep, type Issue, isParseError, maxIssues, ParseError, parseError } from '../../json-schema/parseError.ts'
import { describeSchema } from '../../json-schema/validate.ts'
import * as complaint from '../../messages/developerErrors.ts'
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
function getPossibleTypes(schema: JsonSchema, root: JsonSchema): readonly string[] {
  const here = resolveSchema(schema, root)
  const parts = [...(here.anyOf ?? []), ...(here.oneOf ?? []), ...(here.allOf ?? [])]
  return [...getTypes(here), ...parts.flatMap((part) => getPossibleTypes(part, root))]
}

/** The members of an object and of the parts that it is put together from. */
function getAllMembers(schema: JsonSchema, root: JsonSchema): ObjectMembers {
  const here = resolveSchema(schema, root)
  const parts = [getMembers(here), ...(here.allOf ?? []).map((part) => getAllMembers(part, root))]
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required),
    rest: undefined,
  }
}

/** One text as the value that the schema asks for; what it cannot be stays text, for the schema to refuse. */
function convertText(text: string, schema: JsonSchema, root: JsonSchema): unknown {
  const types = getPossibleTypes(schema, root)
  if (types.includes('string')) return text
  if (types.includes('integer')) return int.parse(text)
  if (types.includes('number')) return decimalPattern.test(text) && isExactNumber(text) ? Number(text) : parseError(expectation.number())
  return types.includes('boolean') ? bool.parse(text) : text
}

/** The object that a form stands for: lists for members that are arrays, else exactly one value; unknown names are ignored. */
function buildFormObject(pairs: FormPairs, schema: JsonSchema): unknown {
  const flaws: Issue[] = []
  const value: Record<string, unknown> = {}
  const { properties, required } = getAllMembers(schema, schema)
  const settle = (name: string, member: unknown): unknown => {
    if (!isParseError(member)) return member
    if (flaws.length < maxIssues)
      flaws.push(...member.issues.map(({ detail, pointer }) => ({ pointer: encodePointerStep(name) + pointer, detail })))
    return undefined
  }
  for (const [name, declared] of Object.entries(properties)) {
    const member = resolveSchema(declared, schema)
    const texts = pairs.get(name) ?? []
    if (getTypes(member).includes('array')) {
      const items = typeof member.items === 'object' ? member.items : {}
      value[name] = texts.map((text) => settle(name, convertText(text, items, schema)))
    } else if (texts.length === 1) value[name] = settle(name, convertText(texts[0] ?? '', member, schema))
    else if (texts.length > 1) settle(name, parseError(expectation.oneValue(texts.length)))
    else if (required.includes(name))
      flaws.push({ pointer: encodePointerStep(name), detail: `expected ${describeSchema(member, schema)}, got nothing` })
  }
  return flaws.length > 0 ? new ParseError(flaws) : value
}

/** @throws TypeError for what has no text of its own in a form, such as null: it would be read again as another value. */
function encodePair(name: string, value: unknown): string {
  if (typeof value === 'object' || value === undefined) throw new TypeError(complaint.invalidFormValue(name))
  const text = String(value)
  if (!name.isWellFormed() || !text.isWellFormed()) throw new TypeError(complaint.illFormedText())
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
    const declared = schema === undefined ? undefined : getAllMembers(schema, schema).properties
    return Object.entries(value)
      .filter(([name, member]) => member !== undefined && (declared === undefined || Object.hasOwn(declared, name)))
      .flatMap(([name, member]) => (Array.isArray(member) ? member.map((item) => encodePair(name, item)) : [encodePair(name, member)]))
      .join('&')
  },
})
