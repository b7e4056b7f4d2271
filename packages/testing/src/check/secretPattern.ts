/**
 * Finds a secret in every way in which a report may write it: as it is, percent-encoded, as a field of a form, escaped in JSON, HTML or for
 * `printf`, quoted for a shell, and in one of these within another one. The ways differ in which characters they escape, so each character
 * of a secret is found in each way.
 */
import { escapeRegExp } from 'lapidary/internal'

/** A number with hexadecimal digits, in upper or lower case. */
const toHex = (number: number, digits: number): string =>
  number
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

/** Percent-encoded, perhaps again. Every repetition has a limit, so that the search takes linear time. */
const toPercent = (bytes: readonly number[]): string => bytes.map((byte) => `%(?:25){0,3}${toHex(byte, 2)}`).join('')

/** The backslashes before an escaped character: one, and in JSON within JSON within JSON seven. */
const backslashes = String.raw`\\{1,7}`

const htmlNames: Readonly<Record<string, string>> = { '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' }

const jsonEscapes: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }

/** Lists the ways to write a character other than a backslash, as patterns. */
function listSpellings(character: string): readonly string[] {
  const code = character.codePointAt(0) ?? 0
  // A lone surrogate becomes U+FFFD, whose bytes these are.
  const bytes = [...Buffer.from(character)]
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  const htmlName = htmlNames[character] === undefined ? '' : `|${htmlNames[character]}`
  return [
    toPercent(bytes),
    units.map((unit) => `${backslashes}u${toHex(unit, 4)}`).join(''),
    bytes.map((byte) => `${backslashes}${byte.toString(8).padStart(3, '0')}`).join(''),
    `&(?:#${code}|#[xX]0{0,4}${toHex(code, 1)}${htmlName});`,
    ...(jsonEscapes[character] === undefined ? [] : [`${backslashes}${jsonEscapes[character]}`]),
    ...(character === "'" ? [`'${backslashes}''`] : []),
    ...(character === ' ' ? [String.raw`\+`] : []),
    ...(character === '%' ? ['%%'] : []),
    ...(bytes.length > 1 ? [escapeRegExp(Buffer.from(character).toString('latin1'))] : []),
    ...(bytes.length > 1 && code < 0x100 ? [toPercent([code])] : []),
    ...(character.isWellFormed() ? [] : ['\ufffd']),
    // The shortest is the last one: it is the begin of others.
    String.raw`\\{0,7}${escapeRegExp(character)}`,
  ]
}

/** Backslashes in a row are found as a whole: how many there are depends on how often they were escaped. */
const toBackslashPattern = (count: number): string =>
  String.raw`(?:\\(?:u005[cC]|134)?|${toPercent([0x5c])}|&#(?:92|[xX]5[cC]);){${count},${8 * count}}`

/** Creates the pattern that finds a text in each of its spellings. */
export function createSecretPattern(text: string): RegExp {
  const parts = text.match(/\\+|[a-z\d]+|[\s\S]/giu) ?? []
  const patterns = parts.map((part) => {
    if (part.startsWith('\\')) return toBackslashPattern(part.length)
    return /^[a-z\d]/i.test(part) ? part : `(?:${listSpellings(part).join('|')})`
  })
  return new RegExp(patterns.join(''), 'g')
}
