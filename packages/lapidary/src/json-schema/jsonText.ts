/** Reads JSON text: any value at the top level, of limited depth, and without rounding a number silently. */
import { decodeUtf8 } from '../http/encodings.ts'
import * as expectation from '../messages/expectations.ts'
import { encodePointerStep, isParseError, ParseError, parseError } from './parseError.ts'

/** Whether a token is the wanted one. A token is a string, a number, or the bracket that opens an array or an object. */
type TokenTest = (token: string, at: number, depth: number) => boolean

/** The JSON Pointer of the first wanted token; undefined where there is none. Anything else that is no JSON is skipped. */
function findTokenPointer(text: string, isWanted: TokenTest): string | undefined {
  /** The path to the current token: indexes of arrays and names of members; undefined where the name is not known yet. */
  const steps: (number | string | undefined)[] = []
  const here = (): string => steps.map((step) => (step === undefined ? '' : encodePointerStep(step))).join('')
  let name = '""'
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    const last = steps.length - 1
    if (sign === '"') {
      const literal = text.slice(at, findStringEnd(text, at) + 1)
      if (isWanted(literal, at, 0)) return here()
      name = literal
      at += literal.length - 1
    } else if (sign === '[' || sign === '{') {
      if (isWanted(sign, at, steps.length + 1)) return here()
      steps.push(sign === '[' ? 0 : undefined)
    } else if (sign === ']' || sign === '}') steps.pop()
    else if (sign === ':' && last >= 0) steps[last] = isStringLiteral(name) ? (JSON.parse(name) as string) : undefined
    else if (sign === ',' && last >= 0) {
      const step = steps[last]
      steps[last] = typeof step === 'number' ? step + 1 : undefined
    } else if (sign === '-' || (sign >= '0' && sign <= '9')) {
      const literal = text.slice(at, findNumberEnd(text, at))
      if (isWanted(literal, at, 0)) return here()
      at += literal.length - 1
    }
  }
  return undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these must be escaped
const plainStringPattern = /^"[^"\\\u0000-\u001f]*"$/

function isStringLiteral(literal: string): boolean {
  if (plainStringPattern.test(literal)) return true
  try {
    return typeof JSON.parse(literal) === 'string'
  } catch {
    return false
  }
}

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i
const isNumberToken = (token: string): boolean => token.startsWith('-') || (token >= '0' && token < ':')

const isTooDeepToken: TokenTest = (_token, _at, depth) => depth > maxJsonDepth
const isInexactToken: TokenTest = (token) => isNumberToken(token) && !isExactNumber(token)
const isMalformedToken: TokenTest = (token) =>
  token.startsWith('"') ? !isStringLiteral(token) : isNumberToken(token) && !numberPattern.test(token)

const lossyDecoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The number of bytes that are decoded at once in the search for bytes that are no UTF-8. */
const decodeStride = 4_096

/** The number of characters before the first bytes that are no UTF-8. */
function countValidCharacters(bytes: Uint8Array): number {
  const decoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const strict = decoder()
  let start = 0
  try {
    for (; start < bytes.length; start += decodeStride) strict.decode(bytes.subarray(start, start + decodeStride), { stream: true })
  } catch {}
  // Decode again up to the chunk that failed, then byte by byte.
  const careful = decoder()
  let length = careful.decode(bytes.subarray(0, start), { stream: true }).length
  try {
    for (let at = start; at < bytes.length; at += 1) length += careful.decode(bytes.subarray(at, at + 1), { stream: true }).length
  } catch {}
  return length
}

function locateJsonError(bytes: Uint8Array): string | undefined {
  const text = decodeUtf8(bytes)
  // The reader rejects them in this order, too.
  if (text !== undefined)
    return (
      findTokenPointer(text, (...token) => isTooDeepToken(...token) || isInexactToken(...token)) ?? findTokenPointer(text, isMalformedToken)
    )
  const loss = countValidCharacters(bytes)
  return findTokenPointer(lossyDecoder.decode(bytes), (token, at) => at <= loss && loss < at + token.length)
}

/** The same value; an error of the JSON reader gets the pointer to the place of the error, where there is one. */
export function addErrorPointer(value: unknown): unknown {
  const bytes = isParseError(value) ? unparsedBytes.get(value) : undefined
  const pointer = bytes === undefined ? undefined : locateJsonError(bytes)
  return pointer === undefined ? value : new ParseError((value as ParseError).issues.map(({ detail }) => ({ pointer, detail })))
}

/** The deepest nesting that is read: `JSON.parse` of a megabyte of `[[[…` blocks other requests for a quarter of a second. */
const maxJsonDepth = 64

const quoteCode = 0x22
const backslashCode = 0x5c

/** The index of the quote that ends the string which begins at `start`; the end of the text where there is none. */
function findStringEnd(text: string, start: number): number {
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
function findNumberEnd(text: string, start: number): number {
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

/** The bytes of each error. A server finds the position of the error in them (`addErrorPointer`); a client does not need it. */
const unparsedBytes: WeakMap<ParseError, Uint8Array> = new WeakMap()

/** The value of a JSON text in UTF-8, or why it has none. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  const value = text === undefined ? parseError(expectation.utf8()) : parseJsonText(text)
  if (isParseError(value)) unparsedBytes.set(value, bytes)
  return value
}
