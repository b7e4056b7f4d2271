/**
 * Finds the place of an error in a JSON text: a number, a string, or a nesting that is too deep. It reads the text again, and only after an
 * error: the reader itself keeps no path. Apart from the reader, so that no client contains it.
 */
import { decodeUtf8 } from '../http/encodings.ts'
import { findNumberEnd, findStringEnd, isExactNumber, maxJsonDepth, unparsedBytes } from './jsonText.ts'
import { encodePointerStep, isParseError, ParseError } from './parseError.ts'

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
