/** Header fields (RFC 9110 §5): flat lists of them, their names and values, and the form of Host and Content-Type. */

/**
 * Whether two field names are the same. Field names have no case (RFC 9110 §5.1).
 *
 * @param name In lower case.
 */
export function isHeaderNamed(field: string, name: string): boolean {
  if (field.length !== name.length) return false
  if (field === name) return true
  for (let index = 0; index < name.length; index += 1) {
    const code = field.charCodeAt(index)
    if ((code >= 0x41 && code <= 0x5a ? code + 0x20 : code) !== name.charCodeAt(index)) return false
  }
  return true
}

/**
 * Reads a header of a flat list: name, value, name, value.
 *
 * @param name In any case.
 * @returns The value; if there are several fields with this name, their values joined by `, `, or by `; ` for `Cookie`. Undefined if there
 * is none.
 * @example
 * ```ts
 * import { getHeader, type Middleware } from 'lapidary/middleware'
 *
 * const logType: Middleware = (next) => async (request) => {
 *   const response = await next(request)
 *   console.log(getHeader(response.headers, 'Content-Type'))
 *   return response
 * }
 * ```
 */
export function getHeader(headers: readonly string[], name: string): string | undefined {
  const lower = name.toLowerCase()
  let first: string | undefined
  let others: string[] | undefined
  for (let index = 0; index < headers.length; index += 2) {
    if (!isHeaderNamed(headers[index] as string, lower)) continue
    const value = headers[index + 1] as string
    if (first === undefined) first = value
    else if (others === undefined) others = [value]
    else others.push(value)
  }
  return others === undefined ? first : [first, ...others].join(lower === 'cookie' ? '; ' : ', ')
}

/** Calls a function with the name and the value of each field of a flat list. */
export function forEachHeader(headers: readonly string[], use: (name: string, value: string) => void): void {
  for (let index = 0; index < headers.length; index += 2) use(headers[index] as string, headers[index + 1] as string)
}

/** The values of all fields of this name, in their order. @param name In lower case. */
export function listHeaderValues(headers: readonly string[], name: string): readonly string[] {
  const values: string[] = []
  forEachHeader(headers, (field, value) => void (isHeaderNamed(field, name) && values.push(value)))
  return values
}

/** A flat list with the fields whose names and values pass a test. */
export const filterHeaders = (headers: readonly string[], isKept: (name: string, value: string) => boolean): readonly string[] =>
  headers.filter((_, index) => isKept(headers[index - (index % 2)] as string, headers[index - (index % 2) + 1] as string))

/**
 * Whether a flat list of headers has a field of this name, in any case.
 *
 * @example
 * ```ts
 * import { hasHeader } from 'lapidary/middleware'
 * import type { HttpResponse } from 'lapidary/server'
 *
 * const isCacheable = (response: HttpResponse): boolean => hasHeader(response.headers, 'Cache-Control')
 * ```
 */
export const hasHeader = (headers: readonly string[], name: string): boolean => getHeader(headers, name) !== undefined

/**
 * Adds a field to a flat list of headers. Fields with the same name stay.
 *
 * @returns A new list.
 * @example
 * ```ts
 * import { appendHeader } from 'lapidary/middleware'
 * import type { HttpResponse } from 'lapidary/server'
 *
 * const allowFrames = (response: HttpResponse): HttpResponse => ({
 *   ...response,
 *   headers: appendHeader(response.headers, 'Content-Security-Policy', 'frame-ancestors *'),
 * })
 * ```
 */
export const appendHeader = (headers: readonly string[], name: string, value: string): readonly string[] => [...headers, name, value]

/**
 * Names request headers in `Vary`, so that caches keep a response for each of their values. `Vary: *` stays as it is.
 *
 * @param names Request headers that the response depends on.
 * @returns A list with one `Vary`, at its end; the same list where `Vary` has all of the names already.
 * @example
 * ```ts
 * import { vary } from 'lapidary/middleware'
 * import type { HttpResponse } from 'lapidary/server'
 *
 * const varyByLanguage = (response: HttpResponse): HttpResponse => ({ ...response, headers: vary(response.headers, 'Accept-Language') })
 * ```
 */
export function vary(headers: readonly string[], ...names: readonly string[]): readonly string[] {
  const listed = splitHeaderList(getHeader(headers, 'vary') ?? '')
  const known = new Set(listed.map((name) => name.toLowerCase()))
  const missing = names.filter((name) => !known.has(name.toLowerCase()))
  if (known.has('*') || missing.length === 0) return headers
  const others = filterHeaders(headers, (name) => !isHeaderNamed(name, 'vary'))
  return [...others, 'Vary', [...listed, ...missing].join(', ')]
}

// Names and values

const headerNamePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Line breaks and other control characters, and characters beyond Latin-1. */
const illegalValueCharacters = /[^\t\x20-\x7e\x80-\xff]/

/** Whether a text is a field name: a token. */
export const isHeaderName = (text: string): boolean => headerNamePattern.test(text)

/** Whether a header can carry a value unchanged. */
export const isHeaderValue = (value: unknown): boolean => typeof value === 'string' && !illegalValueCharacters.test(value)

/** Each name once, as it stands first; names have no case. */
export function dedupeNames(names: readonly string[]): readonly string[] {
  const known = new Map<string, string>()
  for (const name of names) if (!known.has(name.toLowerCase())) known.set(name.toLowerCase(), name)
  return [...known.values()]
}

/** Whether each value needs a field of its own, since it may have commas in it: `Set-Cookie` is the only such header (RFC 9110 §5.3). */
export const isSetCookie = (name: string): boolean => name.toLowerCase() === 'set-cookie'

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'

/** A text without the blanks around it (OWS, RFC 9110 §5.6.3). `trim` would take a no-break space, too: it is the last byte of `à`. */
export function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (isBlank(text[start])) start += 1
  while (end > start && isBlank(text[end - 1])) end -= 1
  return text.slice(start, end)
}

/** The elements of a list (RFC 9110 §5.6.1), without empty ones. */
export const splitHeaderList = (text: string): readonly string[] =>
  text
    .split(',')
    .map(trimBlanks)
    .filter((element) => element !== '')

/** The field value that a reader splits into these values again; undefined where no field value can hold them. */
export function joinHeaderValues(values: readonly string[], isList: boolean): string | undefined {
  const text = values.join(',')
  const read = isList ? splitHeaderList(text) : [trimBlanks(text)]
  // As many elements as values, with the same commas between them: they are the same.
  return values.every(isHeaderValue) && read.length === values.length && read.join() === text ? text : undefined
}

/** A text within the quotes of a parameter (RFC 9110 §5.6.4). */
export const escapeQuoted = (text: string): string => text.replace(/["\\]/g, '\\$&')

// Host

/**
 * `uri-host [":" port]` (RFC 9110 §7.2): an address in brackets, or a registered name (RFC 3986 §3.2.2). No comma, which the grammar allows
 * and no name has: a proxy may have joined two Host fields by one.
 */
const hostFieldPattern = /^(?:(\[[\da-f:.]+\])|(?:[\w.~!$&'()*+;=-]|%[\da-f]{2})+)(?::(\d*))?$/i

/** The last valid host: most requests to a server have the same one. */
let lastValidHost = ''

/** Whether a text is a valid Host field, with or without a port. An empty one is: a client that has no host sends it (RFC 9112 §3.2). */
export function isHost(text: string): boolean {
  if (text === lastValidHost || text === '') return true
  const found = hostFieldPattern.exec(text)
  if (found === null || Number(found[2] ?? 0) > 65_535) return false
  if (found[1] !== undefined && !URL.canParse(`http://${found[1]}`)) return false
  lastValidHost = text
  return true
}

// Content-Type

/** `nosniff` keeps browsers from guessing another type, and so from running data as a script. */
export const createContentTypeHeaders = (type: string): readonly string[] => ['Content-Type', type, 'X-Content-Type-Options', 'nosniff']
