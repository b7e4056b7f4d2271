/** HTML forms (`application/x-www-form-urlencoded`) as a medium. */
import { bool } from './bool.ts'
import * as complaint from './complaint.ts'
import { noun } from './conform.ts'
import { int } from './int.ts'
import { type JsonSchema, type Members, membersOf, resolved, typesOf } from './jsonSchema.ts'
import { isKept } from './jsonText.ts'
import { type Medium, medium } from './medium.ts'
import { expectation } from './message.ts'
import { eachPair, percentEncoded } from './percent.ts'
import { expected, type Flaw, mostFlaws, pointerStep, Refusal } from './refusal.ts'
import { utf8Decoded } from './utf8.ts'

/** Every name with its values, in order. */
type Pairs = Map<string, string[]>

function pairsOf(bytes: Uint8Array): Pairs | Refusal {
  const text = utf8Decoded(bytes)
  if (text === undefined) return expected(expectation.utf8())
  const pairs: Pairs = new Map()
  const flaw = eachPair(text, (name, value = '') => {
    const values = pairs.get(name)
    if (values === undefined) pairs.set(name, [value])
    else values.push(value)
  })
  if (flaw === undefined) return pairs
  return new Refusal([{ pointer: flaw.name === undefined ? '' : pointerStep(flaw.name), detail: `expected ${flaw.expected}` }])
}

const decimal = /^-?[0-9]+(\.[0-9]+)?$/

/** The types that a value may have, whichever part of the schema names them. */
function possibleTypes(schema: JsonSchema, root: JsonSchema): readonly string[] {
  const here = resolved(schema, root)
  const parts = [...(here.anyOf ?? []), ...(here.oneOf ?? []), ...(here.allOf ?? [])]
  return [...typesOf(here), ...parts.flatMap((part) => possibleTypes(part, root))]
}

/** The members of an object and of the parts that it is put together from. */
function allMembers(schema: JsonSchema, root: JsonSchema): Members {
  const here = resolved(schema, root)
  const parts = [membersOf(here), ...(here.allOf ?? []).map((part) => allMembers(part, root))]
  return {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required),
    rest: undefined,
  }
}

/** One text as the value that the schema asks for; what it cannot be stays text, for the schema to refuse. */
function converted(text: string, schema: JsonSchema, root: JsonSchema): unknown {
  const types = possibleTypes(schema, root)
  if (types.includes('string')) return text
  if (types.includes('integer')) return int.parse(text)
  if (types.includes('number')) return decimal.test(text) && isKept(text) ? Number(text) : expected(expectation.number())
  return types.includes('boolean') ? bool.parse(text) : text
}

/** The object that a form stands for: lists for members that are arrays, else exactly one value; unknown names are ignored. */
function shaped(pairs: Pairs, schema: JsonSchema): unknown {
  const flaws: Flaw[] = []
  const value: Record<string, unknown> = {}
  const { properties, required } = allMembers(schema, schema)
  const settle = (name: string, member: unknown): unknown => {
    if (!(member instanceof Refusal)) return member
    if (flaws.length < mostFlaws)
      flaws.push(...member.flaws.map(({ detail, pointer }) => ({ pointer: pointerStep(name) + pointer, detail })))
    return undefined
  }
  for (const [name, declared] of Object.entries(properties)) {
    const member = resolved(declared, schema)
    const texts = pairs.get(name) ?? []
    if (typesOf(member).includes('array')) {
      const items = typeof member.items === 'object' ? member.items : {}
      value[name] = texts.map((text) => settle(name, converted(text, items, schema)))
    } else if (texts.length === 1) value[name] = settle(name, converted(texts[0] ?? '', member, schema))
    else if (texts.length > 1) settle(name, expected(expectation.oneValue(texts.length)))
    else if (required.includes(name)) flaws.push({ pointer: pointerStep(name), detail: `expected ${noun(member, schema)}, got nothing` })
  }
  return flaws.length > 0 ? new Refusal(flaws) : value
}

/** @throws TypeError for what has no text of its own in a form, such as null: it would be read again as another value. */
function pair(name: string, value: unknown): string {
  if (typeof value === 'object' || value === undefined) throw new TypeError(complaint.formValue(name))
  const text = String(value)
  if (!name.isWellFormed() || !text.isWellFormed()) throw new TypeError(complaint.illFormed())
  return `${percentEncoded(name)}=${percentEncoded(text)}`.replaceAll('%20', '+')
}

/** `application/x-www-form-urlencoded`. Alone it is every name with the list of its values; with a schema, an object of that form. */
export const form: Medium<object> = medium<object>({
  types: ['application/x-www-form-urlencoded'],
  reader: (schema) => (bytes) => {
    const pairs = pairsOf(bytes)
    if (pairs instanceof Refusal) return pairs
    // fromEntries defines members, so that `__proto__` is a name like any other.
    return schema === undefined ? Object.fromEntries(pairs) : shaped(pairs, schema)
  },
  writer: (schema) => (value) => {
    const declared = schema === undefined ? undefined : allMembers(schema, schema).properties
    return Object.entries(value)
      .filter(([name, member]) => member !== undefined && (declared === undefined || Object.hasOwn(declared, name)))
      .flatMap(([name, member]) => (Array.isArray(member) ? member.map((item) => pair(name, item)) : [pair(name, member)]))
      .join('&')
  },
})
