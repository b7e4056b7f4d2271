/**
 * The texts of values that a JSON Schema describes. The schema says which value a text stands for, so that no text is guessed: a schema that
 * gives one text two values is refused.
 */
import type { JsonSchema } from '../../json-schema/jsonSchema.ts'
import { isExactNumber } from '../../json-schema/jsonText.ts'
import { isParseError, type ParseError, parseError } from '../../json-schema/parseError.ts'
import { parseSchema, type SchemaNode } from '../../json-schema/schemaNode.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import * as expectation from '../../messages/expectations.ts'
import { int } from './int.ts'

/** Reads and writes the texts of one kind of value. */
export interface TextFormat {
  /** Its type in documentation: `integer`, `text`, `choice`. */
  readonly name: string
  /** Whether a value has several texts, one for each of its items. */
  readonly isList: boolean
  readonly read: (texts: readonly string[]) => unknown
  /** @throws TypeError for a value that the texts would not give back. */
  readonly write: (value: unknown) => readonly string[]
}

const decimalPattern = /^-?[0-9]+(\.[0-9]+)?$/
const exponentPattern = /^-?[0-9.]+e[+-][0-9]+$/

/** The number of a text. An exponent is read where JavaScript writes one: `1e-7` and `1e+21`, but not `1e3`. */
export function parseNumber(text: string): number | ParseError {
  const isNumber = decimalPattern.test(text) || (exponentPattern.test(text) && String(Number(text)) === text)
  return isNumber && isExactNumber(text) ? Number(text) + 0 : parseError(expectation.number())
}

/** Formats whose texts are never a number, true, false or null. */
const distinctFormats = new Set(['uuid', 'date', 'date-time', 'time', 'duration', 'email', 'uri', 'ipv4', 'ipv6'])

/** The types whose values are few. */
const typeLiterals: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['null', [null]],
  ['boolean', [true, false]],
])

/** The scalars that a schema allows. */
class Scalars {
  /** The values that stand in the schema themselves, by their texts. */
  readonly literals = new Map<string, unknown>()
  readonly types = new Set<string>()
  /** Whether a string may be any text. */
  hasAnyText = false
  format: string | undefined

  constructor(node: SchemaNode) {
    this.add(node)
    if (this.types.has('integer') && this.types.has('number')) this.types.delete('integer')
    const isMixed = this.types.size > 1 || [...this.literals.values()].some((value) => typeof value !== 'string')
    if (this.hasAnyText && isMixed) throw new TypeError(developerErrors.ambiguousText('any text, and other values'))
    const parse = this.parseNumber
    for (const [text, value] of this.literals)
      if (typeof value === 'string' && parse !== undefined && !isParseError(parse(text)))
        throw new TypeError(developerErrors.ambiguousText(`the text "${text}", and a number`))
  }

  private add({ values, types, parts, schema }: SchemaNode): void {
    if (values !== undefined) {
      for (const value of values) this.addLiteral(value)
      return
    }
    if (parts.branches !== undefined) {
      for (const branch of parts.branches) this.add(branch)
      return
    }
    if (types.length === 0 && parts.allOf[0] !== undefined) {
      this.add(parts.allOf[0])
      return
    }
    if (types.length === 0) throw new TypeError(developerErrors.untextualValue('a value of any type'))
    for (const type of types) this.addType(type, schema)
  }

  private addType(type: string, { format }: JsonSchema): void {
    const literals = typeLiterals.get(type)
    if (literals !== undefined) {
      for (const value of literals) this.addLiteral(value)
      return
    }
    if (type === 'object' || type === 'array') throw new TypeError(developerErrors.untextualValue(`an ${type} inside another value`))
    this.types.add(type)
    if (type !== 'string') return
    this.format = format
    this.hasAnyText ||= !distinctFormats.has(format ?? '')
  }

  private addLiteral(value: unknown): void {
    if (typeof value === 'object' && value !== null)
      throw new TypeError(developerErrors.untextualValue('an object or an array inside another value'))
    const text = String(value)
    if (this.literals.has(text) && this.literals.get(text) !== value)
      throw new TypeError(developerErrors.ambiguousText(`the text "${text}", and ${text} itself`))
    this.literals.set(text, value)
  }

  get parseNumber(): ((text: string) => unknown) | undefined {
    if (this.types.has('number')) return parseNumber
    return this.types.has('integer') ? int.parse : undefined
  }

  get name(): string {
    const [type, ...others] = [...this.types]
    if (type === undefined) return [...this.literals.values()].every((value) => typeof value === 'boolean') ? 'boolean' : 'choice'
    if (others.length > 0 || this.literals.size > 0) return 'choice'
    return type === 'string' ? (this.format ?? 'text') : type
  }

  get expected(): string {
    const names = [...this.literals.keys()]
    const isBoolean = names.length === 2 && this.literals.get('true') === true && this.literals.get('false') === false
    const parts = [
      names.length === 0 ? '' : isBoolean ? expectation.boolean() : expectation.oneOfNames(names),
      this.types.has('number') ? expectation.number() : '',
      this.types.has('integer') ? expectation.integer(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) : '',
      this.types.has('string') ? `a ${this.format ?? 'text'}` : '',
    ]
    return parts.filter((part) => part !== '').join(' or ')
  }
}

/** @throws TypeError for a schema of other values than scalars, and for one that gives a text two values */
function createScalarFormat(
  node: SchemaNode,
): TextFormat & { readonly parse: (text: string) => unknown; readonly print: (value: unknown) => string } {
  const scalars = new Scalars(node)
  const { literals, parseNumber: readNumber, name, expected } = scalars
  const isText = scalars.types.has('string')
  const parse = (text: string): unknown => {
    if (literals.has(text)) return literals.get(text)
    const number = readNumber?.(text)
    if (number !== undefined && !isParseError(number)) return number
    return isText ? text : parseError(expected)
  }
  const print = (value: unknown): string => {
    const text = String(value)
    if (parse(text) !== value) throw new TypeError(developerErrors.unencodableValue(value, expected))
    return text
  }
  return {
    name,
    isList: false,
    parse,
    print,
    read: (texts) => (texts.length === 1 ? parse(texts[0] as string) : parseError(expectation.oneValue(texts.length))),
    write: (value) => [print(value)],
  }
}

/**
 * Compiles how the values of a schema stand as text: scalars, unions of scalars, and lists of them.
 *
 * @throws TypeError for a schema of other values, and for one that gives a text two values
 */
export function createTextFormat(node: SchemaNode): TextFormat {
  if (!node.types.includes('array')) return createScalarFormat(node)
  if (node.types.length > 1 || node.parts.prefixItems.length > 0)
    throw new TypeError(developerErrors.untextualValue('an array beside other values, or a tuple'))
  const { name, parse, print } = createScalarFormat(node.parts.items ?? parseSchema(true))
  return {
    name: `list of ${name}`,
    isList: true,
    read: (texts) => {
      const values: unknown[] = []
      for (const text of texts) {
        const value = parse(text)
        if (isParseError(value)) return value
        values.push(value)
      }
      return values
    },
    write: (value) => {
      if (!Array.isArray(value)) throw new TypeError(developerErrors.unencodableValue(value, 'an array'))
      return value.map(print)
    },
  }
}
