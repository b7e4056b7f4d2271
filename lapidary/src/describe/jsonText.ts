/** Reads JSON text: any value at the top level, bounded in depth, and no number rounded in silence. */
import { expectation } from './message.ts'
import { expected, type Refusal } from './refusal.ts'

/** `JSON.parse` of a megabyte of `[[[…` would hold up everybody else for a quarter of a second. */
const deepest = 64

const quote = 0x22
const backslash = 0x5c

/** The index of the quote that ends the string whose opening quote stands at `start`; past the end where there is none. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return text.length
}

const isNumberPart = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2d || code === 0x2b || code === 0x45 || code === 0x65

/** A decimal in one canonical spelling: digits without zeros around them, and the power of ten behind them. */
function canonical(literal: string): string {
  const [mantissa = '', exponent = '0'] = literal.replace(/^-/, '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = whole + fraction
  let start = 0
  while (digits[start] === '0') start += 1
  let end = digits.length
  while (end > start && digits[end - 1] === '0') end -= 1
  return start === end ? '0' : `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`
}

/**
 * Whether a number literal is kept: no overflow, and whole only if it was written so.
 * `9007199254740993`, `9007199254740990.5` and `1e400` are not; `0.1` is, as everywhere.
 */
export function isKept(literal: string): boolean {
  const value = Number(literal)
  if (Number.isNaN(value)) return true // no number at all: JSON.parse has the better complaint
  if (!Number.isFinite(value)) return false
  return !Number.isInteger(value) || canonical(literal) === canonical(`${value}`)
}

/** What is wrong with the text before it is parsed, found in one pass: its depth, and numbers that would not be kept. */
function flaw(text: string): Refusal | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at)
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      if (depth > deepest) return expected(expectation.jsonDepth(deepest))
    } else if (code === 0x5d || code === 0x7d) depth -= 1
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      const start = at
      let exponent = false
      for (; isNumberPart(text.charCodeAt(at)); at += 1) if ((text.charCodeAt(at) | 0x20) === 0x65) exponent = true
      // Fifteen digits are always kept by a double.
      if ((exponent || at - start > 15) && !isKept(text.slice(start, at))) return expected(expectation.exactNumber())
      at -= 1
    }
  }
  return undefined
}

/** The value that a JSON text stands for, or why there is none. A repeated member counts once, the last of them. */
export function jsonParsed(text: string): unknown {
  const refusal = flaw(text)
  if (refusal !== undefined) return refusal
  try {
    return JSON.parse(text)
  } catch (error) {
    // The engine's message quotes the input; only the place is passed on.
    return expected(expectation.json(/ at position (\d+)/.exec(String(error))?.[1]))
  }
}
