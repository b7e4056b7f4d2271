/** Reads JSON text: any value at the top level, of limited depth, and without rounding a number silently. */
import { decodeUtf8 } from '../http/encodings.ts'
import * as expectation from '../messages/expectations.ts'
import { isParseError, type ParseError, parseError } from './parseError.ts'

/** The deepest nesting that is read: `JSON.parse` of a megabyte of `[[[…` blocks other requests for a quarter of a second. */
export const maxJsonDepth = 64

const quoteCode = 0x22
const backslashCode = 0x5c

/** The index of the quote that ends the string which begins at `start`; the end of the text where there is none. */
export function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslashCode) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/** A 64-bit float keeps this many decimal digits, wherever the point is. */
const exactDigits = 15
const exponentSign = /e/i

const isExponentCode = (code: number): boolean => (code | 0x20) === 0x65

/** Digits, signs, points and exponents; and the slash between these codes, which JSON.parse rejects. */
const isNumberPart = (code: number): boolean => (code > 0x2c && code < 0x3a) || code === 0x2b || isExponentCode(code)

/** A decimal other than 0 in canonical form: digits without sign and without zeros around them, then the power of ten. */
function toCanonicalDecimal(literal: string): string {
  const [mantissa = '', exponent = '0'] = literal.split(exponentSign)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^-?0*/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}

/**
 * Whether a 64-bit float keeps a number literal: it does not overflow, and it is whole only if the literal is whole.
 * `9007199254740993`, `9007199254740990.5` and `1e400` are not kept; `0.1` counts as kept, as in every JSON reader.
 */
export function isExactNumber(literal: string): boolean {
  const value = Number(literal)
  // NaN means that the literal is malformed: JSON.parse says so.
  if (!Number.isInteger(value)) return Math.abs(value) !== Number.POSITIVE_INFINITY
  const [mantissa = ''] = literal.split(exponentSign, 1)
  // 0 may be the rest of a smaller number.
  if (value === 0) return !/[1-9]/.test(mantissa)
  return mantissa.length <= exactDigits || toCanonicalDecimal(literal) === toCanonicalDecimal(`${value}`)
}

/** The index after the number that begins at `start`. */
export function findNumberEnd(text: string, start: number): number {
  let end = start
  while (isNumberPart(text.charCodeAt(end))) end += 1
  return end
}

/** The first nesting that is too deep, or number that would be rounded, found in one pass before the text is parsed. */
function findTextError(text: string): ParseError | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quoteCode) at = findStringEnd(text, at)
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      if (depth > maxJsonDepth) return parseError(expectation.jsonDepth(maxJsonDepth))
    } else if (code === 0x5d || code === 0x7d) depth -= 1
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const start = at
      let mark = 0
      for (let part = code; isNumberPart(part); part = text.charCodeAt(at)) {
        if (isExponentCode(part)) mark = at
        at += 1
      }
      // Up to fifteen digits, with an exponent of at most two characters, need no closer look.
      const isShort = mark === 0 ? at - start <= exactDigits : mark - start <= exactDigits && at - mark <= 3
      if (!isShort && !isExactNumber(text.slice(start, at))) return parseError(expectation.exactNumber())
      at -= 1
    }
  }
  return undefined
}

/** The value of a JSON text, or why it has none. Of members with one name, the last counts. */
export function parseJsonText(text: string): unknown {
  const textError = findTextError(text)
  if (textError !== undefined) return textError
  try {
    return JSON.parse(text)
  } catch (error) {
    // The engine's message quotes the input. Only the position is passed on.
    return parseError(expectation.jsonSyntax(/ at position (\d+)/.exec(String(error))?.[1]))
  }
}

/** The bytes of each error. A server finds the position of the error in them (`locateJsonError.ts`); a client does not need it. */
export const unparsedBytes: WeakMap<ParseError, Uint8Array> = new WeakMap()

/** The value of a JSON text in UTF-8, or why it has none. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  const value = text === undefined ? parseError(expectation.utf8()) : parseJsonText(text)
  if (isParseError(value)) unparsedBytes.set(value, bytes)
  return value
}
