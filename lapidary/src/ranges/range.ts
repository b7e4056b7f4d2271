/** The text of a range: `<field> [<value>][; offset <o>][; limit <l>][; order <asc|desc>]`, read and written. */
import { int, percentDecoded, percentEncoded, Refusal, type Scalar } from '../describe/index.ts'

export type Order = 'asc' | 'desc'

/** The options of a range; each may be left out of its text. */
export interface RangeOptions {
  /** How many items to skip behind the value. Default: 0. */
  readonly offset: number
  /** How many items to send at most. Default: 100. */
  readonly limit: number
  /** Default: `desc`. */
  readonly order: Order
}

/** A range: which items, in which order. */
export interface Range extends RangeOptions {
  readonly field: string
  /** The items start strictly after this value; undefined: at the first. */
  readonly value: string | number | undefined
}

/** What a range looks like that cannot be used, and why: `malformed`, a field that has no ranges, or another unit (RFC 9110 §14.1). */
export type RangeFault = { readonly fault: 'malformed' | 'field' | 'unit'; readonly detail: string }

/** One field on which ranges are defined. */
export interface RangeField {
  readonly codec: Scalar<string> | Scalar<number>
  readonly options: RangeOptions
}

const unitForm = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+=/
const fieldForm = /^[A-Za-z_][A-Za-z0-9_-]*$/
const wordForm = /^[\x21-\x3a\x3c-\x7e]+$/

const malformed = (detail: string): RangeFault => ({ fault: 'malformed', detail })

const wordsOf = (part: string): readonly string[] => part.split(' ').filter((word) => word !== '')

type Options = { -readonly [Name in keyof RangeOptions]?: RangeOptions[Name] }

function count(text: string): number | undefined {
  const value = int.parse(text)
  return value instanceof Refusal || value < 0 ? undefined : value
}

function optionsOf(parts: readonly string[]): Options | RangeFault {
  const options: Options = {}
  for (const part of parts) {
    const [name, text, ...more] = wordsOf(part)
    if (name === undefined || text === undefined || more.length > 0)
      return malformed('expected each option as a name and a value, such as limit 10')
    if (name !== 'offset' && name !== 'limit' && name !== 'order') return malformed('expected the options offset, limit and order')
    if (options[name] !== undefined) return malformed(`expected the option ${name} once`)
    if (name === 'order') {
      if (text !== 'asc' && text !== 'desc') return malformed('expected the order asc or desc')
      options.order = text
    } else {
      const number = count(text)
      if (number === undefined) return malformed(`expected ${name} as a whole number from 0`)
      options[name] = number
    }
  }
  return options
}

/** The range that a text stands for, its options filled in with those of the field. */
export function parseRange(text: string, fields: Readonly<Record<string, RangeField>>): Range | RangeFault {
  if (unitForm.test(text)) return { fault: 'unit', detail: 'expected a field, not a unit such as bytes=' }
  const [first = '', ...rest] = text.split(';')
  const [field, word, ...more] = wordsOf(first)
  if (field === undefined || !fieldForm.test(field)) return malformed('expected the name of a field first')
  if (more.length > 0) return malformed('expected at most one value behind the field; percent-encode its spaces')
  const options = optionsOf(rest)
  if ('fault' in options) return options
  const known = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (known === undefined)
    return { fault: 'field', detail: `There are no ranges on this field. Fields with ranges: ${Object.keys(fields).join(', ')}.` }
  const plain = word === undefined || !wordForm.test(word) ? undefined : percentDecoded(word)
  if (word !== undefined && plain === undefined) return malformed('expected the value as one word of percent-encoded UTF-8')
  const value = plain === undefined ? undefined : known.codec.parse(plain)
  if (value instanceof Refusal) return malformed(value.flaws.map(({ detail }) => detail).join('; '))
  return { ...known.options, ...options, field, value }
}

/** A field value as one word. Two dots stand between the values of a Content-Range, so they are encoded within one. */
export const printValue = (value: string | number): string => percentEncoded(`${value}`).replaceAll('..', '%2E%2E')

/** The text of a range, with every option filled in. */
export const printRange = ({ field, value, offset, limit, order }: Range): string =>
  `${field}${value === undefined ? '' : ` ${printValue(value)}`}; offset ${offset}; limit ${limit}; order ${order}`
