/** The text of a range: `<field> [<value>][; after <token>][; offset <o>][; limit <l>][; order <asc|desc>]`, read and written. */

import { int } from '../contract/parameters/int.ts'
import type { Codec } from '../contract/parameters/parameter.ts'
import { percentDecode, percentEncode } from '../http/percentEncoding.ts'
import { isParseError, type ParseError, parseError } from '../json-schema/parseError.ts'

/** In which direction a page runs through the values of its field. */
export type SortOrder = 'asc' | 'desc'

/** The options of a range that a field may have its own defaults for. */
export interface RangeOptions {
  /** How many items to skip behind the value or the token. Default: 0. */
  readonly offset: number
  /** How many items to send at most. Default: 100. */
  readonly limit: number
  /** Default: `desc`. */
  readonly order: SortOrder
}

/** A range: which items, in which order. */
export interface Range extends RangeOptions {
  readonly field: string
  /** The items start strictly after this value; undefined: at the first. */
  readonly value: string | number | undefined
  /** In place of a value: the items start strictly after the one that this token stands for. */
  readonly after?: string
}

/** What a range looks like that cannot be used, and why: `createMalformedFault`, a field that has no ranges, or another unit (RFC 9110 §14.1). */
export type RangeFault = { readonly fault: 'malformed' | 'field' | 'unit'; readonly detail: string }

/** What reads and writes the values of a field. */
export type ValueCodec = Codec<string> | Codec<number>

/** One field on which ranges are defined. */
export interface RangeField {
  readonly codec: ValueCodec
  readonly options: RangeOptions
}

type RangeFields = Readonly<Record<string, RangeField>>

const unitPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+=/
const fieldPattern = /^[A-Za-z_][A-Za-z0-9_-]*$/
const wordPattern = /^[\x21-\x3a\x3c-\x7e]*$/
const afterTokenPattern = /^[A-Za-z0-9_-]+$/

export const createMalformedFault = (detail: string): RangeFault => ({ fault: 'malformed', detail })

/** The same function, which remembers its last answer: one page names the value it ends with over and over. */
function memoizeLatest<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  let known: { readonly text: string; readonly answer: Answer } | undefined
  return (text) => {
    if (known?.text !== text) known = { text, answer: answer(text) }
    return known.answer
  }
}

const wordsPattern = /[^ ]+/g
const splitRangeWords = (part: string): readonly string[] => part.match(wordsPattern) ?? []

type ParsedRangeOptions = { -readonly [Name in keyof RangeOptions]?: RangeOptions[Name] } & { after?: string }

function parseCount(text: string): number | undefined {
  const value = int.parse(text)
  return isParseError(value) || value < 0 ? undefined : value
}

function parseRangeOptions(parts: readonly string[]): ParsedRangeOptions | RangeFault {
  const options: ParsedRangeOptions = {}
  for (const part of parts) {
    const [name, text, ...more] = splitRangeWords(part)
    if (name === undefined || text === undefined || more.length > 0)
      return createMalformedFault('expected each option as a name and a value, such as limit 10')
    if (name !== 'after' && name !== 'offset' && name !== 'limit' && name !== 'order')
      return createMalformedFault('expected the options after, offset, limit and order')
    if (options[name] !== undefined) return createMalformedFault(`expected the option ${name} once`)
    if (name === 'order') {
      if (text !== 'asc' && text !== 'desc') return createMalformedFault('expected the order asc or desc')
      options.order = text
    } else if (name === 'after') {
      if (!afterTokenPattern.test(text)) return createMalformedFault('expected after with a token: letters, digits, - and _')
      options.after = text
    } else {
      const number = parseCount(text)
      if (number === undefined) return createMalformedFault(`expected ${name} as a whole number from 0`)
      options[name] = number
    }
  }
  return options
}

/** The text that a word spells; undefined where it spells none. */
const readWord = memoizeLatest((word: string) => (wordPattern.test(word) ? percentDecode(word) : undefined))

/** The value that a word spells. What comes from a client, in a range or in a token, is read here and nowhere else. NUL is no text to every database. */
export function readValue(word: string, codec: ValueCodec): string | number | ParseError {
  const plain = readWord(word)
  return plain === undefined || plain.includes('\0')
    ? parseError('the value as one word of percent-encoded UTF-8, without NUL')
    : codec.parse(plain)
}

/** The range that a text stands for, its options filled in with those of the field. */
export function parseRange(text: string, fields: RangeFields): Range | RangeFault {
  if (unitPattern.test(text)) return { fault: 'unit', detail: 'expected a field, not a unit such as bytes=' }
  const [first = '', ...rest] = text.split(';')
  const [field, word, ...more] = splitRangeWords(first)
  if (field === undefined || !fieldPattern.test(field)) return createMalformedFault('expected the name of a field first')
  if (more.length > 0) return createMalformedFault('expected at most one value behind the field; percent-encode its spaces')
  const options = parseRangeOptions(rest)
  if ('fault' in options) return options
  if (word !== undefined && options.after !== undefined) return createMalformedFault('expected a value or the option after, not both')
  const known = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (known === undefined)
    return { fault: 'field', detail: `There are no ranges on this field. Fields with ranges: ${Object.keys(fields).join(', ')}.` }
  const value = word === undefined ? undefined : readValue(word, known.codec)
  if (isParseError(value)) return createMalformedFault(value.issues.map(({ detail }) => detail).join('; '))
  const { offset = known.options.offset, limit = known.options.limit, order = known.options.order, after } = options
  return after === undefined ? { field, value, offset, limit, order } : { field, value, after, offset, limit, order }
}

/** A text as one word. Two dots stand between the values of a Content-Range, so they are encoded within one. */
export const printWord: (text: string) => string = memoizeLatest((text) => {
  const word = percentEncode(text)
  return word.includes('..') ? word.replaceAll('..', '%2E%2E') : word
})

/** A field value as one word; null, which has none, as an empty one. */
export const printValue = (value: string | number | null, codec: ValueCodec): string =>
  // A codec that reads numbers is given numbers, one that reads texts is given texts: `of` and `codec` describe one field. Half of a surrogate pair,
  // which no header can carry, stands there as U+FFFD: a page is sent whatever its items hold.
  value === null ? '' : printWord((codec as Codec<string | number>).print(typeof value === 'string' ? value.toWellFormed() : value))

/** Whether a value is the same again when its word is read. */
export const hasRoundTrip = (value: string | number, codec: ValueCodec): boolean => readValue(printValue(value, codec), codec) === value

/** Whether a range can name this value: not null, and not an empty text, which is no word. */
export const isNameable = (value: string | number | null, codec: ValueCodec): value is string | number =>
  value !== null && value !== '' && hasRoundTrip(value, codec)

/** The text of a range, with every option filled in. */
export function printRange({ field, value, after, offset, limit, order }: Range, fields: RangeFields): string {
  const codec = fields[field]?.codec
  const word = value === undefined || codec === undefined ? '' : ` ${printValue(value, codec)}`
  return `${field}${word}${after === undefined ? '' : `; after ${after}`}; offset ${offset}; limit ${limit}; order ${order}`
}
