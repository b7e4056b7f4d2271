/** The text of a range, `<field> [<value>][; after <token>][; offset <o>][; limit <l>][; order <asc|desc>]`. */
import { int } from '../contract/parameters/int.ts'
import type { Codec } from '../contract/parameters/parameter.ts'
import { percentDecode, percentEncode } from '../http/percentEncoding.ts'
import { isParseError, type ParseError, parseError } from '../json-schema/parseError.ts'

/** The direction in which a page runs through the values of its field. */
export type SortOrder = 'asc' | 'desc'

/** The options of a range. A field can have defaults of its own. */
export interface RangeOptions {
  /** How many items are skipped after the value or the token. @default 0 */
  readonly offset: number
  /** How many items are sent at most. @default 100 */
  readonly limit: number
  /** @default `desc` */
  readonly order: SortOrder
}

/** A range: which items, in which order. */
export interface Range extends RangeOptions {
  readonly field: string
  /** The items begin strictly after this value; undefined: at the first. */
  readonly value: string | number | undefined
  /** Instead of a value: the items begin strictly after the position of this token. */
  readonly after?: string
}

/** Why a range cannot be used: it is malformed, the field has no ranges, or the unit is another one (RFC 9110 §14.1). */
export type RangeFault = { readonly fault: 'malformed' | 'field' | 'unit'; readonly detail: string }

/** The codec of the values of a field. */
export type ValueCodec = Codec<string> | Codec<number>

/** A field with ranges. */
interface RangeField {
  readonly codec: ValueCodec
  readonly options: RangeOptions
}

/** The fields with ranges, by name. */
export type RangeFields = Readonly<Record<string, RangeField>>

const unitPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+=/
export const fieldPattern: RegExp = /^[A-Za-z_][A-Za-z0-9_-]*$/
const wordPattern = /^[\x21-\x3a\x3c-\x7e]*$/
export const afterTokenPattern: RegExp = /^[A-Za-z0-9_-]+$/

export const createMalformedFault = (detail: string): RangeFault => ({ fault: 'malformed', detail })

/** Returns a function that caches its last result: a page encodes the value at its end several times. */
function memoizeLatest<Result>(compute: (text: string) => Result): (text: string) => Result {
  let latest: { readonly text: string; readonly result: Result } | undefined
  return (text) => {
    if (latest?.text !== text) latest = { text, result: compute(text) }
    return latest.result
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

/** Decodes a word; undefined if it is malformed. */
const readWord = memoizeLatest((word: string) => (wordPattern.test(word) ? percentDecode(word) : undefined))

/** Reads the value of a word, in a range or in a token. NUL is rejected, because some databases cannot hold it in a text. */
export function readValue(word: string, codec: ValueCodec): string | number | ParseError {
  const text = readWord(word)
  return text === undefined || text.includes('\0')
    ? parseError('the value as one word of percent-encoded UTF-8, without NUL')
    : codec.parse(text)
}

/** Parses a range, and completes its options by those of the field. */
export function parseRange(text: string, fields: RangeFields): Range | RangeFault {
  if (unitPattern.test(text)) return { fault: 'unit', detail: 'expected a field, not a unit such as bytes=' }
  const [first = '', ...rest] = text.split(';')
  const [name, word, ...more] = splitRangeWords(first)
  if (name === undefined || !fieldPattern.test(name)) return createMalformedFault('expected the name of a field first')
  if (more.length > 0) return createMalformedFault('expected at most one value after the field; percent-encode its spaces')
  const options = parseRangeOptions(rest)
  if ('fault' in options) return options
  if (word !== undefined && options.after !== undefined) return createMalformedFault('expected a value or the option after, not both')
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field === undefined)
    return { fault: 'field', detail: `There are no ranges on this field. Fields with ranges: ${Object.keys(fields).join(', ')}.` }
  const value = word === undefined ? undefined : readValue(word, field.codec)
  if (isParseError(value)) return createMalformedFault(value.issues.map(({ detail }) => detail).join('; '))
  const { offset = field.options.offset, limit = field.options.limit, order = field.options.order, after } = options
  return after === undefined ? { field: name, value, offset, limit, order } : { field: name, value, after, offset, limit, order }
}

/** Encodes a text as one word. Two dots separate the values of a Content-Range, so they are encoded as well. */
export const printWord: (text: string) => string = memoizeLatest((text) => {
  const word = percentEncode(text)
  return word.includes('..') ? word.replaceAll('..', '%2E%2E') : word
})

/** Encodes the value of a field as one word; null as an empty one. */
export const printValue = (value: string | number | null, codec: ValueCodec): string =>
  // `get` and `codec` describe one field, so that the codec gets values of its type. Half of a surrogate pair, which no header can hold, becomes
  // U+FFFD: an item with such a text must not make its page fail.
  value === null ? '' : printWord((codec as Codec<string | number>).print(typeof value === 'string' ? value.toWellFormed() : value))

/** Whether a value survives being written as a word and read again. */
export const hasRoundTrip = (value: string | number, codec: ValueCodec): boolean => readValue(printValue(value, codec), codec) === value

/** Whether a range can name a value: it is neither null nor an empty text, which has no word. */
export const isNameable = (value: string | number | null, codec: ValueCodec): value is string | number =>
  value !== null && value !== '' && hasRoundTrip(value, codec)

/** Writes a range with all its options. */
export function printRange({ field, value, after, offset, limit, order }: Range, fields: RangeFields): string {
  const codec = fields[field]?.codec
  const word = value === undefined || codec === undefined ? '' : ` ${printValue(value, codec)}`
  return `${field}${word}${after === undefined ? '' : `; after ${after}`}; offset ${offset}; limit ${limit}; order ${order}`
}
