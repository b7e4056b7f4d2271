/** Routes: `GET /users/:id`, a method and a path of literal segments and captures. */
import * as developerErrors from '../messages/developerErrors.ts'
import { percentEncode } from './percentEncoding.ts'

/** The methods of endpoints. The server answers HEAD and OPTIONS itself. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A route, as it is written. */
export type RouteLine = `${Method} /${string}`

/** A segment of a path. */
export type Segment = { readonly literal: string } | { readonly capture: string }

/** A parsed route. */
export interface Route {
  readonly method: Method
  readonly segments: readonly Segment[]
}

/** The names of the captures of a route, as a type. */
export type Captures<Line extends string> = Line extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Captures<`/${Rest}`>
  : Line extends `${string}:${infer Name}`
    ? Name
    : never

const routePattern = /^(GET|POST|PUT|PATCH|DELETE) (\/[^?#\s]*)$/
const captureNamePattern = /^[A-Za-z_][A-Za-z0-9_]*$/
/**
 * The patterns of other toolkits (`*`, `{id}`, `<id>`, `[id]`, `a:id`), and what no path of a request can contain (RFC 3986 §3.3, §5.2.4).
 */
const foreignSyntax = /[*{}<>[\]|\\^"`%:]|^\.\.?$/

/** The first literal that looks like a pattern, or that no request can have. */
export const findForeignSegment = (segments: readonly Segment[]): string | undefined =>
  segments.flatMap((segment) => ('literal' in segment ? [segment.literal] : [])).find((literal) => foreignSyntax.test(literal))

/** The segments of a path; undefined for a malformed one. `/` has none, and a trailing slash does not count. */
export function parsePath(path: string): readonly Segment[] | undefined {
  const parts = path.split('/').slice(1)
  if (parts.at(-1) === '') parts.pop()
  const segments = parts.map((part): Segment => (part.startsWith(':') ? { capture: part.slice(1) } : { literal: part }))
  const isValid = segments.every((segment) => ('capture' in segment ? captureNamePattern.test(segment.capture) : segment.literal !== ''))
  return isValid ? segments : undefined
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
  const names = segments.flatMap((segment) => ('capture' in segment ? [segment.capture] : []))
  const duplicate = names.find((name, index) => names.indexOf(name) !== index)
  if (duplicate !== undefined) throw new TypeError(developerErrors.duplicateCapture(line, duplicate))
  return { method: method as Method, segments }
}

/** The path of a route: `/users/:id`. */
export const formatPath = (segments: readonly Segment[]): string =>
  `/${segments.map((segment) => ('capture' in segment ? `:${segment.capture}` : segment.literal)).join('/')}`

/** The path without the names of its captures, which a request does not know: `/users/:`. That of `/` is empty. */
export const getPathShape = (segments: readonly Segment[]): string =>
  segments.map((segment) => ('capture' in segment ? '/:' : `/${segment.literal}`)).join('')

/** The path with a percent-encoded text for each capture. */
export const fillPath = (segments: readonly Segment[], getText: (capture: string) => string): string =>
  `/${segments.map((segment) => ('capture' in segment ? percentEncode(getText(segment.capture)) : encodeURI(segment.literal))).join('/')}`
