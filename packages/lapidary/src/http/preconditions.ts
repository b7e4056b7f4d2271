/** The preconditions of a request for a file, in the order of RFC 9110 §13.2.2: entity tags (§8.8.3, §13.1) and dates (§5.6.7). */
import { trimBlanks } from './headerFields.ts'

// A header is Latin-1. A malformed tag ends the list.
const entityTagPattern = /[\t ,]*(W\/)?("[\x21\x23-\x7e\x80-\xff]*")[\t ]*(?=,|$)/gy

/**
 * Whether a list of entity tags matches a resource; `*` matches any.
 *
 * @param etag The strong tag of the resource, with its quotes.
 * @param isWeakAllowed Whether a weak tag can match (RFC 9110 §8.8.3.2).
 */
export function hasEntityTag(list: string, etag: string, isWeakAllowed: boolean): boolean {
  if (list === etag || trimBlanks(list) === '*') return true
  for (const [, weak, tag] of list.matchAll(entityTagPattern)) {
    if (tag === etag && (isWeakAllowed || weak === undefined)) return true
  }
  return false
}

const timePattern = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)'

const httpDatePatterns: readonly RegExp[] = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${timePattern} GMT$`),
  // Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\\d{2}) ${timePattern} GMT$`),
  // Sun Nov  6 08:49:37 1994
  new RegExp(`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \\d]\\d) ${timePattern} (?<year>\\d{4})$`),
]

const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A year of two digits that would be more than 50 years ahead is in the past (§5.6.7). */
function readYear(text: string): number {
  if (text.length === 4) return Number(text)
  const current = new Date().getUTCFullYear()
  const year = current - (current % 100) + Number(text)
  if (year > current + 50) return year - 100
  return year + 100 <= current + 50 ? year + 100 : year
}

/** Parses a date. Returns whole seconds since 1970; undefined for an invalid date, such as 31 February. */
export function parseHttpDate(text: string): number | undefined {
  for (const pattern of httpDatePatterns) {
    const { day, month = '', year = '', hour, minute, second } = pattern.exec(text)?.groups ?? {}
    if (day === undefined) continue
    const date = new Date(Date.UTC(readYear(year), monthNames.indexOf(month), Number(day)))
    // A Date makes 3 March of 31 February, and the year 1994 of the year 94.
    const isCalendarDay = monthNames[date.getUTCMonth()] === month && date.getUTCFullYear() % 10 ** year.length === Number(year)
    return isCalendarDay ? date.getTime() / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) : undefined
  }
  return undefined
}

/** What identifies the current version of a file. */
export interface Validators {
  /** A strong entity tag, with its quotes. */
  readonly etag: string
  /** The time of the last change, in whole seconds since 1970; undefined where it is not known. Conditions about it are then ignored. */
  readonly modified: number | undefined
}

type HeaderLookup = (name: string) => string | undefined

/** @param fallback the result for a missing or invalid date, which is ignored */
function isModifiedSince(text: string | undefined, modified: number | undefined, fallback: boolean): boolean {
  const since = text === undefined ? undefined : parseHttpDate(text)
  return since === undefined || modified === undefined ? fallback : modified > since
}

/**
 * Evaluates the preconditions of a request.
 *
 * @returns `proceed` to answer in full, `unchanged` for 304, `failed` for 412
 */
export function evaluatePreconditions(header: HeaderLookup, { etag, modified }: Validators): 'proceed' | 'unchanged' | 'failed' {
  const ifMatch = header('if-match')
  const isCurrent =
    ifMatch === undefined ? !isModifiedSince(header('if-unmodified-since'), modified, false) : hasEntityTag(ifMatch, etag, false)
  if (!isCurrent) return 'failed'
  const ifNoneMatch = header('if-none-match')
  const isChanged =
    ifNoneMatch === undefined ? isModifiedSince(header('if-modified-since'), modified, true) : !hasEntityTag(ifNoneMatch, etag, true)
  return isChanged ? 'proceed' : 'unchanged'
}

/** Whether `Range` applies: there is no `If-Range`, or it names exactly this version (RFC 9110 §13.1.5). */
export function isRangeApplicable(header: HeaderLookup, { etag, modified }: Validators): boolean {
  const condition = header('if-range')
  return condition === undefined || condition === etag || (modified !== undefined && parseHttpDate(condition) === modified)
}
