/** Parameters of the light client: how values stand as text. */
import { canSendCookies } from '../client/request.ts'
import { formatCookiePair, parseSetCookie } from '../http/cookies.ts'
import { joinHeaderValues, splitHeaderList } from '../http/headerFields.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { LightRoute, RouteCodec, RouteCodecs, RouteValues } from './lightRoute.ts'

/**
 * A value whose text is that of `String`, and a text that is the value itself.
 *
 * @example
 * ```ts
 * import { json, plain, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /stones', query: { name: plain }, responses: [[200, json]] }
 * ```
 */
export const lightPlain: RouteCodec = {}

/**
 * A number in a response header.
 *
 * @example
 * ```ts
 * import { json, number, withHeaders, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /stones', responses: [[200, withHeaders(json, { 'Total-Count': number })]] }
 * ```
 */
export const lightNumber: RouteCodec = { read: Number }

/**
 * A boolean in a response header.
 *
 * @example
 * ```ts
 * import { bool, json, withHeaders, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /stones', responses: [[200, withHeaders(json, { 'X-Complete': bool })]] }
 * ```
 */
export const lightBool: RouteCodec = { read: (text) => text === 'true' }

/**
 * An instant.
 *
 * @example
 * ```ts
 * import { dateTime, json, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /log', query: { since: dateTime }, responses: [[200, json]] }
 * ```
 */
export const lightDateTime: RouteCodec = { write: (instant: Date) => instant.toISOString(), read: (text) => new Date(text) }

/**
 * A query parameter whose presence is its value.
 *
 * @example
 * ```ts
 * import { flag, json, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /stones', query: { all: flag }, responses: [[200, json]] }
 * ```
 */
export const lightFlag: RouteCodec = { write: (value) => (value === true ? '' : []) }

/**
 * A list in a header: the values stand between commas.
 *
 * @example
 * ```ts
 * import { array, json, plain, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /stones', headers: { 'X-Tag': array(plain) }, responses: [[200, json]] }
 * ```
 */
export const lightArray = ({ read = String, write = String }: RouteCodec): RouteCodec => ({
  write: (value: never) => {
    const text = write(value)
    if (joinHeaderValues([text].flat(), true) === undefined)
      throw new TypeError(developerErrors.unencodableValue(value, 'an element of a list in a header'))
    return text
  },
  read: (text) => splitHeaderList(text).map(read),
  absent: () => [],
})

/**
 * A response header that can be absent.
 *
 * @param fallback the text of its default
 * @example
 * ```ts
 * import { json, optional, plain, withHeaders, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /stones', responses: [[200, withHeaders(json, { Link: optional(plain) })]] }
 * ```
 */
export const lightOptional = (codec: RouteCodec, fallback?: string): RouteCodec => ({
  ...codec,
  absent: () => (fallback === undefined ? undefined : (codec.read ?? String)(fallback)),
})

/**
 * A member of an object in the query: `filter[owner]`.
 *
 * @example
 * ```ts
 * import { json, member, plain, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /stones', query: { 'by[name]': member('by', 'name', plain) }, responses: [[200, json]] }
 * ```
 */
export const lightMember = (outer: string, inner: string, codec: RouteCodec): RouteCodec => ({
  ...codec,
  find: (values) => (Object(values[outer]) as RouteValues)[inner],
})

/**
 * The cookies of a request. A browser sends its own, and lets no script write them.
 *
 * @example
 * ```ts
 * import { cookies, json, plain, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'GET /me', cookies: cookies({ session: plain }), responses: [[200, json]] }
 * ```
 */
export const lightCookies =
  (codecs: RouteCodecs): NonNullable<LightRoute['cookies']> =>
  (route, values = {}) => {
    const pairs = Object.entries(codecs).flatMap(([name, { write = String }]) =>
      [values[name] ?? []].flat().map((value) => formatCookiePair(name, [write(value as never)].flat().join())),
    )
    if (pairs.length > 0 && !canSendCookies()) throw new TypeError(developerErrors.cookiesInBrowser(route))
    return (headers) => {
      // Of two with one name, a server reads the first.
      if (pairs.length > 0) headers.set('Cookie', [...pairs, headers.get('cookie') ?? []].flat().join('; '))
    }
  }

/**
 * The cookies of a response. A browser hides them.
 *
 * @example
 * ```ts
 * import { none, plain, setCookie, withHeaders, type Route } from 'lapidary/light'
 *
 * const route: Route = { route: 'POST /login', responses: [[204, withHeaders(none, { 'Set-Cookie': setCookie({ session: plain }) })]] }
 * ```
 */
export const lightSetCookie = (codecs: RouteCodecs): RouteCodec => ({
  readFields: (headers) =>
    Object.fromEntries(
      headers
        .getSetCookie()
        .map(parseSetCookie)
        .filter(({ name }) => Object.hasOwn(codecs, name))
        .map(({ name, value, isDeleted }) => [name, isDeleted ? null : (codecs[name]?.read ?? String)(value)]),
    ),
})
