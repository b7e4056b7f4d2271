/** The route line: `GET /users/:id`, a method and a path of literal segments and captures. */
import * as developerErrors from '../messages/developerErrors.ts'
import { percentEncode } from './percentEncoding.ts'

/** The methods that an endpoint may have. HEAD and OPTIONS are answered by themselves. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A route line as people write it. */
export type RouteLine = `${Method} /${string}`

/** One segment of a path. */
export type Segment = { readonly literal: string } | { readonly capture: string }

/** A route line taken apart. */
export interface Route {
  readonly method: Method
  readonly segments: readonly Segment[]
}

/** The names of the captures of a route line, as a type. */
export type Captures<Line extends string> = Line extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Captures<`/${Rest}`>
  : Line extends `${string}:${infer Name}`
    ? Name
    : never

const routePattern = /^(GET|POST|PUT|PATCH|DELETE) (\/[^?#\s]*)$/
const captureNamePattern = /^[A-Za-z_][A-Za-z0-9_]*$/
/** What other toolkits mean by `*`, `{id}`, `<id>`, `[id]` and `a:id`; what no path has as it is, or is sent without (RFC 3986 §3.3, §5.2.4). */
const foreignSyntax = /[*{}<>[\]|\\^"`%:]|^\.\.?$/

/** The first literal that looks like a pattern, or that no request can have. */
export const findForeignSegment = (segments: readonly Segment[]): string | undefined =>
  segments.flatMap((segment) => ('literal' in segment ? [segment.literal] : [])).find((literal) => foreignSyntax.test(literal))

/** The segments of a path; undefined where it is malformed. `/` has none, and one slash at the end does not count. */
export function parsePath(path: string): readonly Segment[] | undefined {
  const parts = path.split('/').slice(1)
  if (parts.at(-1) === '') parts.pop()
  const segments = parts.map((part): Segment => (part.startsWith(':') ? { capture: part.slice(1) } : { literal: part }))
  const sound = segments.every((segment) => ('capture' in segment ? captureNamePattern.test(segment.capture) : segment.literal !== ''))
  return sound ? segments : undefined
}

/** Takes a route line apart. @throws TypeError when it is malformed. */
export function parseRoute(line: string): Route {
  const [, method, path = ''] = routePattern.exec(line) ?? []
  const segments = parsePath(path)
  if (method === undefined || segments === undefined) throw new TypeError(developerErrors.invalidRoute(line))
  const pattern = findForeignSegment(segments)
  if (pattern !== undefined) throw new TypeError(developerErrors.invalidRouteSegment(line, pattern))
  const names = segments.flatMap((segment) => ('capture' in segment ? [segment.capture] : []))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new TypeError(developerErrors.duplicateCapture(line, twice))
  return { method: method as Method, segments }
}

/** The path of a route as people write it: `/users/:id`. */
export const formatPath = (segments: readonly Segment[]): string =>
  `/${segments.map((segment) => ('capture' in segment ? `:${segment.capture}` : segment.literal)).join('/')}`

/** The path as a request sees it, which does not know what captures are called: `/users/:`. That of `/` is empty. */
export const getPathShape = (segments: readonly Segment[]): string =>
  segments.map((segment) => ('capture' in segment ? '/:' : `/${segment.literal}`)).join('')

/** The path with each capture filled in, percent-encoded. */
export const fillPath = (segments: readonly Segment[], textOf: (capture: string) => string): string =>
  `/${segments.map((segment) => ('capture' in segment ? percentEncode(textOf(segment.capture)) : encodeURI(segment.literal))).join('/')}`
