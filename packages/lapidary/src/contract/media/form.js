/** HTML forms (`application/x-www-form-urlencoded`) as a medium. */
import { forEachPair, percentEncode } from '../../http/percentEncoding.js'
import { decodeUtf8 } from '../../http/utf8.js'
import { getMembers, getTypes, resolveSchema } from '../../json-schema/jsonSchema.js'
import { isExactNumber } from '../../json-schema/jsonText.js'
import { encodePointerStep, maxIssues, ParseError, parseError } from '../../json-schema/parseError.js'
import { describeSchema } from '../../json-schema/validate.js'
import * as complaint from '../../messages/developerErrors.js'
import { expectation } from '../../messages/problemMessages.js'
import { bool } from '../parameters/bool.js'
import { int } from '../parameters/int.js'
import { mediaType } from './mediaType.js'

function parseFormPairs(bytes) {
  const text = decodeUtf8(bytes)
  if (text === undefined) return parseError(expectation.utf8())
  const pairs = new Map()
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
function getPossibleTypes(schema, root) {
  const here = resolveSchema(schema, root)
  const parts = [...(here.anyOf ?? []), ...(here.oneOf ?? []), ...(here.allOf ?? [])]
  return [...getTypes(here), ...parts.flatMap((part) => getPossibleTypes(part, root))]
}
/** The members of an object and of the parts that it is put together from. */
function getAllMembers(schema, root) {
  const here = resolveSchema(schema, root)
  const parts = [getMembers(here), ...(here.allOf ?? []).map((part) => getAllMembers(part, root))]
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required),
    rest: undefined,
  }
}
/** One text as the value that the schema asks for; what it cannot be stays text, for the schema to refuse. */
function convertText(text, schema, root) {
  const types = getPossibleTypes(schema, root)
  if (types.includes('string')) return text
  if (types.includes('integer')) return int.parse(text)
  if (types.includes('number')) return decimalPattern.test(text) && isExactNumber(text) ? Number(text) : parseError(expectation.number())
  return types.includes('boolean') ? bool.parse(text) : text
}
/** The object that a form stands for: lists for members that are arrays, else exactly one value; unknown names are ignored. */
function buildFormObject(pairs, schema) {
  const flaws = []
  const value = {}
  const { properties, required } = getAllMembers(schema, schema)
  const settle = (name, member) => {
    if (!(member instanceof ParseError)) return member
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
function encodePair(name, value) {
  if (typeof value === 'object' || value === undefined) throw new TypeError(complaint.invalidFormValue(name))
  const text = String(value)
  if (!name.isWellFormed() || !text.isWellFormed()) throw new TypeError(complaint.illFormedText())
  return `${percentEncode(name)}=${percentEncode(text)}`.replaceAll('%20', '+')
}
/** `application/x-www-form-urlencoded`. Alone it is every name with the list of its values; with a schema, an object of that form. */
export const form = mediaType({
  types: ['application/x-www-form-urlencoded'],
  reader: (schema) => (bytes) => {
    const pairs = parseFormPairs(bytes)
    if (pairs instanceof ParseError) return pairs
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
