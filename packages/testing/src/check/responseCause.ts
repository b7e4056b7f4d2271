/** What an unexpected response says, without what belongs to one request: responses that say the same have the same cause. */
import { createHash } from 'node:crypto'
import { decodeUtf8, escapeRegExp, percentDecode } from 'lapidary/internal'
import type { WireRequest } from './exchange.ts'
import { parseJson } from './sequences/jsonValues.ts'

/** The numbers of characters at the begin and at the end of a body that are compared. The last line of a stack trace may name the error. */
const comparedAtBegin = 16_000
const comparedAtEnd = 4_000

/** The number of characters of a cause, before its hash. */
const maxCauseCharacters = 200

/** The number of texts of a request that are looked for, and the characters of each: all of them are one pattern. */
const maxRequestTexts = 100
const maxTextCharacters = 1_000

/** The number of characters of a body that is read as JSON for them. */
const maxParsedCharacters = 100_000

/** A shorter text is found only within quotation marks: it is a part of other words, too. */
const minBareCharacters = 3

/** Members of JSON that are of one request: `requestId`, `trace_id`, `timestamp`. */
const volatileMemberPattern = /^(?:.*(?:[a-z]Id|[a-z]ID|[_-]id)|id|.*(?:timestamp|datetime)|time|date|instance|path|uri|url)$/

/** Times, identifiers and addresses in memory. */
const volatileTexts: readonly RegExp[] = [
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi,
  /\b(?:mon|tue|wed|thu|fri|sat|sun)\w*,? \d{1,2} \w{3} \d{4}/gi,
  /(?:@(?=[\da-f]{5})|\b0x)[\da-f]+\b/gi,
  // Of the digits in a random identifier, few are neighbors. A name in a program has one number.
  /\b(?=(?:[a-z]*\d+[a-z]+){3})[a-z\d]{16,}\b/gi,
  /\b(?=[a-f]*\d)[\da-f]{8,}\b/gi,
]

/** Lists the texts in a value of JSON. */
function listTexts(value: unknown): readonly string[] {
  const texts: string[] = []
  const parts = [value]
  // The list grows while it is walked.
  for (const part of parts) {
    if (typeof part === 'object' && part !== null) for (const member of Object.values(part)) parts.push(member)
    else if (part !== undefined && part !== null) texts.push(String(part))
    if (texts.length >= maxRequestTexts) break
  }
  return texts
}

/** Lists the texts that a request has at places where values are, longest first. */
function listRequestTexts({ target, headers, body, call }: WireRequest): readonly string[] {
  const [path = '', query = ''] = target.split('?', 2)
  const bodyText = body === undefined ? undefined : decodeUtf8(body)
  const texts = [
    ...[target, path].flatMap((text) => [text, percentDecode(text) ?? text]),
    query,
    ...new URLSearchParams(query).values(),
    ...listTexts(call?.captures),
    ...headers.map(([, value]) => value),
    ...(bodyText === undefined || bodyText.length > maxParsedCharacters ? [] : [bodyText, ...listTexts(parseJson(bodyText))]),
  ]
  return [...new Set(texts)]
    .filter((text) => text !== '/' && text.length <= maxTextCharacters)
    .toSorted((one, other) => other.length - one.length)
    .slice(0, maxRequestTexts)
}

/** Creates a function that replaces the values of a request, times, identifiers and numbers in a text. */
function createGeneralizer(request: WireRequest): (text: string) => string {
  const texts = listRequestTexts(request)
  const bare = texts.filter(({ length }) => length >= minBareCharacters).map(escapeRegExp)
  const quoted = texts.map(escapeRegExp)
  const patterns = [
    new RegExp(`(?<=(["'\`]))(?:${quoted.join('|')})(?=\\1)`, 'g'),
    ...(bare.length === 0 ? [] : [new RegExp(`(?<![\\p{L}\\p{N}_])(?:${bare.join('|')})(?![\\p{L}\\p{N}_])`, 'gu')]),
    ...volatileTexts,
  ]
  return (text) => patterns.reduce((rest, pattern) => rest.replace(pattern, '…'), text).replace(/\d+(?:[.,:]\d+)*/g, 'N')
}

/** Writes what is the same in every response of one cause. The members of JSON are looked at one by one. */
function generalize(text: string, request: WireRequest): string {
  const generalizeText = createGeneralizer(request)
  if (text.length > comparedAtBegin + comparedAtEnd)
    return generalizeText(`${text.slice(0, comparedAtBegin)}…${text.slice(-comparedAtEnd)}`)
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) => {
      if (typeof value === 'object') return value
      return volatileMemberPattern.test(name) ? '…' : generalizeText(String(value))
    })
  } catch {
    return generalizeText(text)
  }
}

/**
 * Formats what a response says as a cause. The values of the request, numbers, times and identifiers are left out.
 *
 * @param redact replaces the secrets in a text
 * @returns a short text; a long one ends with its hash
 */
export function formatResponseCause(request: WireRequest, body: string, redact: (text: string) => string = (text) => text): string {
  const text = redact(generalize(body, request))
  if (text.length <= maxCauseCharacters) return text
  return `${text.slice(0, maxCauseCharacters)}… ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
}
