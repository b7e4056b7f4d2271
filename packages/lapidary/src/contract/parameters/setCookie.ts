/** `setCookie`: the header `Set-Cookie` of a response (RFC 6265bis §4.1), with each cookie and its attributes as they are declared. */
import { formatCookiePair, isCookieName, parseSetCookie } from '../../http/cookies.ts'
import { checkOptions } from '../../http/functions.ts'
import { isParseError } from '../../json-schema/parseError.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import type { AnyParameter, Parameter, ParameterRecord } from './parameter.ts'

/** How a client keeps a cookie, and where it sends it. */
export interface CookieAttributes {
  /** How long the client keeps it, in seconds. @default until the browser closes */
  readonly maxAge?: number
  /** The paths that it is sent to. @default '/' */
  readonly path?: string
  /** It is sent to this host and to all hosts below it. @default only to the host that has set it */
  readonly domain?: string
  /** Whether it is sent by HTTPS only. Browsers make an exception for localhost. @default true */
  readonly secure?: boolean
  /** Whether it is hidden from scripts. @default true */
  readonly httpOnly?: boolean
  /**
   * Whether requests from other sites have it: `Strict`: none; `Lax`: only those that open a page; `None`: all.
   *
   * @default 'Lax'
   */
  readonly sameSite?: 'Strict' | 'Lax' | 'None'
  /** Whether the browser keeps a separate cookie for each site that embeds this site. @default false */
  readonly partitioned?: boolean
}

/** A cookie of a response: its value as text, and its attributes. A request can declare it as well. */
export interface Cookie<T, Written = T> extends Parameter<T, Written> {
  readonly attributes: CookieAttributes
}

/** Cookies by name. */
export type CookieRecord = Readonly<Record<string, AnyParameter>>

type CookieValue<C> = C extends Parameter<infer Value, infer _Written> ? Value | null | undefined : never

/** The values of cookies. One that is left out is not set; null deletes it. */
export type SetCookieValues<Cookies> = { readonly [Name in keyof Cookies]?: CookieValue<Cookies[Name]> }

/** The header `Set-Cookie` of a reply. */
export interface SetCookie<Cookies> extends Parameter<SetCookieValues<Cookies>, SetCookieValues<Cookies> | undefined> {
  /** The attributes of each cookie, as they are sent: `Max-Age=3600; Path=/; Secure`. */
  readonly attributes: Readonly<Record<keyof Cookies & string, string>>
  readonly cookies: Cookies
}

const attributeNames = 'maxAge, path, domain, secure, httpOnly, sameSite, partitioned'
/** Printable ASCII without the semicolon, of at most 1,024 characters (RFC 6265bis §5.6). */
const attributeValuePattern = /^[ -:<-~]{1,1024}$/

/** What is wrong with the attributes of a cookie; undefined if nothing is. */
function findFlaw({ maxAge, path = '/', domain, secure = true, sameSite = 'Lax', partitioned }: CookieAttributes): string | undefined {
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge > 0)) return 'a "maxAge" that is no positive number of seconds'
  if (!path.startsWith('/') || !attributeValuePattern.test(path))
    return 'a "path" that does not begin with / or has characters other than ASCII'
  if (domain !== undefined && !/^(?=.{1,253}$)[a-z\d-]+(\.[a-z\d-]+)*$/i.test(domain)) return 'a "domain" that is no host name'
  if (!['Strict', 'Lax', 'None'].includes(sameSite)) return 'a "sameSite" that is none of Strict, Lax and None'
  if (!secure && sameSite === 'None') return 'the "sameSite" None, which needs "secure"'
  return !secure && partitioned ? '"partitioned", which needs "secure"' : undefined
}

/**
 * Gives a codec the attributes of a cookie that responses set. The defaults are the safe ones: browsers send the cookie only to the host
 * that has set it, only by HTTPS, and not with forms of other sites. Scripts cannot read it.
 *
 * @throws TypeError for attributes that contradict each other.
 * @example
 * ```ts
 * import { cookie, endpoint, noContent, setCookie, text } from 'lapidary'
 *
 * const session = cookie(text, { maxAge: 3600, sameSite: 'Strict' })
 * const login = endpoint('POST /login', { body: text, response: noContent({ headers: { 'Set-Cookie': setCookie({ session }) } }) })
 * const show = endpoint('GET /me', { cookies: { session }, response: noContent })
 * ```
 */
export function cookie<T, Written>(codec: Parameter<T, Written>, attributes: CookieAttributes = {}): Cookie<T, Written> {
  checkOptions('cookie()', attributes, attributeNames)
  const flaw = findFlaw(attributes)
  if (flaw !== undefined) throw new TypeError(developerErrors.invalidCookieAttributes(flaw))
  const { name, read, write, required, repeats, jsonSchema, examples, description } = codec
  return Object.freeze({
    name,
    read,
    write,
    required,
    repeats,
    jsonSchema,
    examples,
    ...(description !== undefined && { description }),
    attributes: Object.freeze({ ...attributes }),
  })
}

/** The attributes as they are sent, after `Max-Age`. */
const formatAttributes = (attributes: CookieAttributes): string => {
  const { path = '/', domain, secure = true, httpOnly = true, sameSite = 'Lax', partitioned = false } = attributes
  return [
    domain === undefined ? '' : `; Domain=${domain}`,
    `; Path=${path}`,
    secure ? '; Secure' : '',
    httpOnly ? '; HttpOnly' : '',
    `; SameSite=${sameSite}`,
    partitioned ? '; Partitioned' : '',
  ].join('')
}

/** @throws TypeError for a name whose prefix the attributes contradict (RFC 6265bis §4.1.3). */
function checkPrefix(name: string, { domain, path = '/', secure = true }: CookieAttributes): void {
  if (/^__(secure|host)-/i.test(name) && !secure) throw new TypeError(developerErrors.cookiePrefix(name, '"secure"'))
  if (/^__host-/i.test(name) && (domain !== undefined || path !== '/'))
    throw new TypeError(developerErrors.cookiePrefix(name, 'the "path" / and no "domain"'))
}

/** @throws TypeError for a name that no cookie has, and for a parameter of several texts or none. */
export function checkCookies(line: string, cookies: ParameterRecord): void {
  for (const [name, { repeats, read }] of Object.entries(cookies)) {
    if (!isCookieName(name)) throw new TypeError(developerErrors.invalidCookieName(line, name))
    // A flag takes its presence for its value.
    const isFlag = read({ values: [], isPresent: true }) === true && read({ values: [], isPresent: false }) === false
    if (repeats || isFlag) throw new TypeError(developerErrors.invalidCookieCodec(line, name))
  }
}

/** The most bytes of a name and its value together (RFC 6265bis §5.6). */
const maxCookieSize = 4_096

/**
 * The header `Set-Cookie` of a reply. A handler returns the values by `withHeaders`: a cookie that it leaves out is not set, null deletes it.
 * A call resolves to the values, except in browsers, which hide the header.
 *
 * @param cookies A codec for each, by `cookie` with its attributes.
 * @throws TypeError for a name or a codec that no cookie can have.
 * @example
 * ```ts
 * import { cookie, endpoint, noContent, setCookie, text, withHeaders } from 'lapidary'
 * import { serve } from 'lapidary/server'
 *
 * const headers = { 'Set-Cookie': setCookie({ session: cookie(text, { maxAge: 3600 }) }) }
 * const api = {
 *   login: endpoint('POST /login', { body: text, response: noContent({ headers }) }),
 *   logout: endpoint('POST /logout', { response: noContent({ headers }) }),
 * }
 * const server = serve(api, {
 *   login: () => withHeaders({ 'Set-Cookie': { session: crypto.randomUUID() } }),
 *   logout: () => withHeaders({ 'Set-Cookie': { session: null } }),
 * })
 * ```
 */
export function setCookie<const Cookies extends CookieRecord>(cookies: Cookies): SetCookie<Cookies> {
  checkCookies('setCookie()', cookies)
  const declared = new Map(
    Object.entries(cookies).map(([name, parameter]) => {
      const { attributes = {} } = parameter as Partial<Cookie<unknown>>
      checkPrefix(name, attributes)
      const suffix = formatAttributes(attributes)
      const maxAge = attributes.maxAge === undefined ? '' : `; Max-Age=${attributes.maxAge}`
      return [name, { parameter, kept: maxAge + suffix, deleted: `; Max-Age=0${suffix}` }] as const
    }),
  )

  function writeCookie(name: string, value: unknown): readonly string[] {
    const found = declared.get(name)
    if (found === undefined) throw new TypeError(developerErrors.undeclaredCookie(name, [...declared.keys()].join(', ')))
    if (value === null) return [`${name}=${found.deleted}`]
    return found.parameter.write(value).map((text) => {
      const pair = formatCookiePair(name, text)
      // All of it is ASCII, and one of the characters is the equals sign.
      if (pair.length - 1 > maxCookieSize) throw new TypeError(developerErrors.cookieTooLarge(name, maxCookieSize))
      return pair + found.kept
    })
  }

  return Object.freeze({
    name: 'cookies',
    required: false,
    repeats: true,
    jsonSchema: { type: 'array', items: { type: 'string' } },
    examples: Object.freeze(
      [...declared].flatMap(([name, { parameter, kept }]) =>
        parameter.examples.slice(0, 1).map((text) => formatCookiePair(name, text) + kept),
      ),
    ),
    attributes: Object.freeze(
      Object.fromEntries([...declared].map(([name, { kept }]) => [name, kept.slice(2)])),
    ) as SetCookie<Cookies>['attributes'],
    cookies: Object.freeze({ ...cookies }),
    // Cookies that are not declared may be of a proxy, such as a load balancer.
    read: ({ values: fields }) => {
      const values: Record<string, unknown> = {}
      for (const { name, value, isDeleted } of fields.map(parseSetCookie)) {
        const parameter = declared.get(name)?.parameter
        if (parameter === undefined) continue
        const read: unknown = isDeleted ? null : parameter.read({ values: [value], isPresent: true })
        if (isParseError(read)) return read
        values[name] = read
      }
      return values as SetCookieValues<Cookies>
    },
    write: (values = {}) => Object.entries(values).flatMap(([name, value]) => writeCookie(name, value)),
  } satisfies SetCookie<Cookies> as SetCookie<Cookies>)
}

/** The `Set-Cookie` that a reply declares by `setCookie`; undefined where it declares none. */
export const getSetCookie = (headers: Readonly<Record<string, AnyParameter>>): SetCookie<CookieRecord> | undefined =>
  Object.values(headers).find((parameter): parameter is SetCookie<CookieRecord> => 'cookies' in parameter)
