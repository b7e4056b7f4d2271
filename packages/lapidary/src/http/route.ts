/** Routes: `GET /users/:id`, a method and a path of literal segments and captures. */
import * as developerErrors from '../messages/developerErrors.ts'
import { percentEncode } from './percentEncoding.ts'

/** The method of an endpoint, in upper case. The server answers HEAD and OPTIONS itself. QUERY is a GET with a body: safe and idempotent. */
export type Method = 'GET' | 'QUERY' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | (Uppercase<string> & {})

/** A route, as it is written. */
// One pattern: a union of the methods that there are costs the compiler 30 instantiations an endpoint.
export type RouteLine = `${Uppercase<string>} /${string}`

/**
 * A segment of a path. A capture with `rest`, written `*name`, is the last one and takes all further segments. `slash`: it is the last one, and
 * a slash stands after it, which links and requests have as well. A server takes both paths.
 */
export type Segment =
  | { readonly literal: string; readonly slash?: boolean }
  | { readonly capture: string; readonly rest?: boolean; readonly slash?: boolean }

/** A parsed route. */
interface Route {
  readonly method: Method
  readonly segments: readonly Segment[]
}

/** The names of the captures of a route, as a type. */
export type Captures<Line extends string> = Line extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Captures<`/${Rest}`>
  : Line extends `${string}:${infer Name}`
    ? Name
    : Line extends `${string}/*${infer Name}`
      ? Name extends `${infer Plain}/`
        ? Plain
        : Name
      : never

const routePattern = /^(?!HEAD |OPTIONS |CONNECT |TRACE )([A-Z-]+) (\/[^?#\s]*)$/
const capturePattern = /^([:*])([A-Za-z_]\w*)$/
/**
 * The patterns of other toolkits (`*`, `{id}`, `<id>`, `[id]`, `a:id`), and what no path of a request can contain (RFC 3986 §3.3, §5.2.4).
 */
const foreignSyntax = /[*{}<>[\]|\\^"`%:]|^\.\.?$/

/** The names of the captures, in order. */
export const listCaptures = (segments: readonly Segment[]): readonly string[] =>
  segments.flatMap((segment) => ('capture' in segment ? [segment.capture] : []))

/** @throws TypeError for two captures with one name. */
export function checkCaptureNames(line: string, names: readonly string[]): void {
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate !== undefined) throw new TypeError(developerErrors.duplicateCapture(line, duplicate))
}

/** The first literal that looks like a pattern, or that no request can have. */
export const findForeignSegment = (segments: readonly Segment[]): string | undefined =>
  segments.map((segment) => ('literal' in segment ? segment.literal : '')).find((literal) => foreignSyntax.test(literal))

/** The segments of a path; undefined for a malformed one. `/` has none. */
export function parsePath(path: string): readonly Segment[] | undefined {
  const parts = path.replace(/\/$/, '').split('/').slice(1)
  if (parts.includes('')) return undefined
  return parts.map((part, index): Segment => {
    const [, sign, capture] = capturePattern.exec(part) ?? []
    const rest = sign === '*'
    const isLast = index === parts.length - 1
    const end = isLast && path.endsWith('/') ? { slash: true } : {}
    return capture === undefined || (rest && !isLast) ? { literal: part, ...end } : { capture, rest, ...end }
  })
}

/**
 * Parses a route.
 *
 * @throws TypeError for a malformed route.
 */
export function parseRoute(line: string): Route {
  const [, method, path = ''] = routePattern.exec(line) ?? []
  const segments = parsePath(path)
  if (method === undefined || segments === undefined) throw new TypeError(developerErrors.invalidRoute(line))
  const foreign = findForeignSegment(segments)
  if (foreign !== undefined) throw new TypeError(developerErrors.invalidRouteSegment(line, foreign))
  checkCaptureNames(line, listCaptures(segments))
  return { method: method as Method, segments }
}

const getSign = (segment: Segment): string => ('literal' in segment ? '' : segment.rest ? '*' : ':')

/** A path of a text for each segment. */
export const joinSegments = (segments: readonly Segment[], getText: (segment: Segment) => string): string =>
  `/${segments.map(getText).join('/')}${segments.at(-1)?.slash ? '/' : ''}`

/** The path of a route: `/users/:id`. */
export const formatPath = (segments: readonly Segment[]): string =>
  joinSegments(segments, (segment) => getSign(segment) + ('capture' in segment ? segment.capture : segment.literal))

/**
 * The path without what a server does not tell apart: the names of its captures, and a slash at the end. `/users/:`; that of `/` is empty.
 */
export const getPathShape = (segments: readonly Segment[]): string =>
  segments.map((segment) => `/${'capture' in segment ? getSign(segment) : segment.literal}`).join('')

/** The path with a percent-encoded text for each capture. The slashes of a rest stay. */
export const fillPath = (segments: readonly Segment[], getText: (capture: string, isRest?: boolean) => string): string =>
  joinSegments(segments, (segment) => {
    if ('literal' in segment) return encodeURI(segment.literal)
    const text = percentEncode(getText(segment.capture, segment.rest))
    return segment.rest ? text.replaceAll('%2F', '/') : text
  })

/** The name of the capture that takes the rest of the path. */
export function getRestName(segments: readonly Segment[]): string | undefined {
  const last = segments.at(-1)
  return last !== undefined && 'capture' in last && last.rest ? last.capture : undefined
}

const methods: ReadonlySet<string> = /* @__PURE__ */ (() =>
  new Set(
    (
      'GET QUERY POST PUT PATCH DELETE ACL BIND CHECKOUT COPY LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY PROPFIND ' +
      'PROPPATCH PURGE REBIND REPORT SEARCH SOURCE SUBSCRIBE UNBIND UNLINK UNLOCK UNSUBSCRIBE'
    ).split(' '),
  ))()

/** Whether requests with this method get to a handler on every platform. Node answers any other with 400. */
export const isPortableMethod = (method: string): boolean => methods.has(method)
