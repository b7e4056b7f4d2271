/** JSON values of requests and responses, and how a value that was sent may differ from the one that is stored. */
import { decodeUtf8, isJsonObject, isSameJson, parseMediaType } from 'lapidary/internal'
import type { WireRequest, WireResponse } from '../exchange.ts'

const isJsonType = (type: string | undefined): boolean => /(?:\/|\+)json$/.test(parseMediaType(type ?? '')?.essence ?? '')

/** Parses JSON; `undefined` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The members of a JSON object, by name. */
export type Members = Readonly<Record<string, unknown>>

/** Returns the body of a response as JSON text; empty, which is no JSON, if it has another type. */
const getJsonText = ({ header, body }: WireResponse): string => (isJsonType(header('content-type')) ? (decodeUtf8(body) ?? '') : '')

/** Parses the body of a response; `undefined` if it is no JSON. */
export const parseResponseJson = (response: WireResponse): unknown => parseJson(getJsonText(response))

/** A string in JSON text, which may have digits, or a number. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs

/** Quotes the integers that `JSON.parse` rounds: those beyond 2^53. */
const quoteLargeIntegers = (text: string): string =>
  text.replace(stringOrNumber, (token) => (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token))

/**
 * Reads the member of a response that identifies an item, as a path names it. A large integer is read as it is written, because the rounded
 * one may be the identifier of another item.
 *
 * @returns `undefined` if there is no text and no integer that can be read exactly
 */
export function readIdentifier(response: WireResponse, member: string): string | undefined {
  const body = parseJson(quoteLargeIntegers(getJsonText(response)))
  const id = isJsonObject(body) ? body[member] : undefined
  return typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : undefined
}

/** Parses the body of a request to an object; `undefined` if it is none. A JSON Patch is an array. */
export function parseRequestMembers({ headers, body }: WireRequest): Members | undefined {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  const value = body === undefined || !isJsonType(type) ? undefined : parseJson(decodeUtf8(body) ?? '')
  return isJsonObject(value) ? value : undefined
}

/** Whether two values are the same, or both are absent. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined ? one === other : isSameJson(one, other)

const normalizeText = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()

/** Longer texts may be cut, and formats of dates and addresses have several spellings. */
function isSameText(sent: string, stored: string): boolean {
  const [one, other] = [normalizeText(sent), normalizeText(stored)]
  if (one === other) return true
  const isDate = /^\d{4}-\d\d-\d\d/.test(sent) && /^\d{4}-\d\d-\d\d/.test(stored)
  if (isDate) return sent.slice(0, 10) === stored.slice(0, 10) || Math.abs(Date.parse(sent) - Date.parse(stored)) < 1_000
  return URL.canParse(sent) && URL.canParse(stored) && new URL(sent).href === new URL(stored).href
}

const isRoundedTo = (sent: number, stored: number): boolean =>
  Math.fround(sent) === stored || [0, 1, 2, 3, 4, 5, 6].some((digits) => Number(sent.toFixed(digits)) === stored)

/** Whether a value says something: it is not absent, null or empty. */
export const hasContent = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return !isJsonObject(value) || Object.keys(value).length > 0
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

/**
 * Whether a server may have stored a value as another one: with other white space or letter case, a rounded number, another spelling of a
 * date, members with their defaults, items of a list in another order.
 */
export function isStoredAs(sent: unknown, stored: unknown): boolean {
  if (isSameValue(sent, stored) || (isAbsent(sent) && isAbsent(stored))) return true
  if (typeof sent === 'string' && typeof stored === 'string') return isSameText(sent, stored)
  if (typeof sent === 'number' && typeof stored === 'number') return isRoundedTo(sent, stored)
  if (Array.isArray(sent) && Array.isArray(stored))
    return sent.every((value) => stored.some((other) => isStoredAs(value, other))) && stored.length <= sent.length
  if (isJsonObject(sent) && isJsonObject(stored)) return Object.keys(sent).every((name) => isStoredAs(sent[name], stored[name]))
  return false
}

/** Whether a server has added text around a text that was sent: `agate (by ann)` for `agate`, or a default for an empty one. */
export const isExtended = (sent: unknown, stored: unknown): boolean =>
  typeof sent === 'string' && typeof stored === 'string' && stored.includes(sent)

/** Formats a value for a sentence. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
