/** The route line: `GET /users/:id`, a method and a path of literal segments and captures. */
import * as complaint from '../messages/developerErrors.js'
import { percentEncode } from './percentEncoding.js'

const routePattern = /^(GET|POST|PUT|PATCH|DELETE) (\/[^?#\s]*)$/
const captureNamePattern = /^[A-Za-z_][A-Za-z0-9_]*$/
/** What other toolkits mean by `*`, `{id}`, `<id>`, `[id]` and `a:id`; what no path has as it is, or is sent without (RFC 3986 §3.3, §5.2.4). */
const foreignSyntax = /[*{}<>[\]|\\^"`%:]|^\.\.?$/
/** The first literal that looks like a pattern, or that no request can have. */
export const findForeignSegment = (segments) =>
  segments.flatMap((segment) => ('literal' in segment ? [segment.literal] : [])).find((literal) => foreignSyntax.test(literal))
/** The segments of a path; undefined where it is malformed. `/` has none, and one slash at the end does not count. */
export function parsePath(path) {
  const parts = path.split('/').slice(1)
  if (parts.at(-1) === '') parts.pop()
  const segments = parts.map((part) => (part.startsWith(':') ? { capture: part.slice(1) } : { literal: part }))
  const sound = segments.every((segment) => ('capture' in segment ? captureNamePattern.test(segment.capture) : segment.literal !== ''))
  return sound ? segments : undefined
}
/** Takes a route line apart. @throws TypeError when it is malformed. */
export function parseRoute(line) {
  const [, method, path = ''] = routePattern.exec(line) ?? []
  const segments = parsePath(path)
  if (method === undefined || segments === undefined) throw new TypeError(complaint.invalidRoute(line))
  const pattern = findForeignSegment(segments)
  if (pattern !== undefined) throw new TypeError(complaint.invalidRouteSegment(line, pattern))
  const names = segments.flatMap((segment) => ('capture' in segment ? [segment.capture] : []))
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new TypeError(complaint.duplicateCapture(line, twice))
  return { method: method, segments }
}
/** The path of a route as people write it: `/users/:id`. */
export const formatPath = (segments) =>
  `/${segments.map((segment) => ('capture' in segment ? `:${segment.capture}` : segment.literal)).join('/')}`
/** The path as a request sees it, which does not know what captures are called: `/users/:`. That of `/` is empty. */
export const getPathShape = (segments) => segments.map((segment) => ('capture' in segment ? '/:' : `/${segment.literal}`)).join('')
/** The path with each capture filled in, percent-encoded. */
export const fillPath = (segments, textOf) =>
  `/${segments.map((segment) => ('capture' in segment ? percentEncode(textOf(segment.capture)) : encodeURI(segment.literal))).join('/')}`
