/** Reads JSON text: any value at the top level, bounded in depth, and no number rounded in silence. */

import { decodeUtf8 } from '../http/utf8.ts'
import { expectation } from '../messages/problemMessages.ts'
import { isParseError, type ParseError, parseError } from './parseError.ts'

/** `JSON.parse` of a megabyte of `[[[…` would hold up everybody else for a quarter of a second. */
export const maxJsonDepth = 64

const quoteCode = 0x22
const backslashCode = 0x5c

/** The index of the quote that ends the string whose opening quote stands at `start`; past the end where there is none. */
export function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslashCode) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

/** So many digits are always kept by a double, wherever their point is. */
const exactDigits = 15
const exponentSign = /e/i

const isExponentCode = (code: number): boolean => (code | 0x20) === 0x65

/** Digits, signs, points and exponents; and the slash between them, of which JSON.parse complains. */
const isNumberPart = (code: number): boolean => (code > 0x2c && code < 0x3a) || code === 0x2b || isExponentCode(code)

/** A decimal other than 0 in one canonical spelling: digits without sign and without zeros around them, and the power of ten behind them. */
function toCanonicalDecimal(literal: string): string {
  const [mantissa = '', exponent = '0'] = literal.split(exponentSign)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = (whole + fraction).replace(/^-?0*/, '')
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return `${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}

/**
 * Whether a number literal is kept: no overflow, and whole only if it was written so.
 * `9007199254740993`, `9007199254740990.5` and `1e400` are not; `0.1` is, as everywhere.
 */
export function isExactNumber(literal: string): boolean {
  const value = Number(literal)
  // Of NaN, which is no number at all, JSON.parse has the better complaint.
  if (!Number.isInteger(value)) return Math.abs(value) !== Number.POSITIVE_INFINITY
  const [mantissa = ''] = literal.split(exponentSign, 1)
  // Nought may be what is left of something smaller.
  if (value === 0) return !/[1-9]/.test(mantissa)
  return mantissa.length <= exactDigits || toCanonicalDecimal(literal) === toCanonicalDecimal(`${value}`)
}

/** The index behind the number that begins at `start`. */
export function findNumberEnd(text: string, start: number): number {
  let end = start
  while (isNumberPart(text.charCodeAt(end))) end += 1
  return end
}

/** What is wrong with the text before it is parsed, found in one pass: its depth, and numbers that would not be kept. */
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
      // So much is known without a look: up to fifteen digits, times a power of ten that is written with at most two signs.
      const isShort = mark === 0 ? at - start <= exactDigits : mark - start <= exactDigits && at - mark <= 3
      if (!isShort && !isExactNumber(text.slice(start, at))) return parseError(expectation.exactNumber())
      at -= 1
    }
  }
  return undefined
}

/** The value that a JSON text stands for, or why there is none. A repeated member counts once, the last of them. */
export function parseJsonText(text: string): unknown {
  const refusal = findTextError(text)
  if (refusal !== undefined) return refusal
  try {
    return JSON.parse(text)
  } catch (error) {
    // The engine's message quotes the input; only the place is passed on.
    return parseError(expectation.json(/ at position (\d+)/.exec(String(error))?.[1]))
  }
}

/** What could not be read, for servers, which say where in it that is (see `jsonPlace.ts`): a client has no use for it, and no room. */
export const unparsedBytes: WeakMap<ParseError, Uint8Array> = new WeakMap()

/** The same of bytes, which are UTF-8. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  const value = text === undefined ? parseError(expectation.utf8()) : parseJsonText(text)
  if (isParseError(value)) unparsedBytes.set(value, bytes)
  return value
}
