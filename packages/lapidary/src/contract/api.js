/** An API: a record of endpoints, mounts and further records. Composition is plain JavaScript. */
import { findForeignSegment, formatPath, parsePath } from '../http/route.js'
import * as complaint from '../messages/developerErrors.js'
/** The literal segments of a prefix. @throws TypeError when it is malformed or has captures. */
export function parsePrefix(prefix) {
  const segments = prefix.startsWith('/') && (prefix === '/' || !prefix.endsWith('/')) ? parsePath(prefix) : undefined
  if (segments === undefined || findForeignSegment(segments) !== undefined || segments.some((segment) => 'capture' in segment))
    throw new TypeError(complaint.invalidPrefix(prefix))
  return segments
}
/** Everything under `prefix`; its handler is a kernel, which gets the target without the prefix. */
export const mount = (prefix, options = {}) =>
  Object.freeze({ '~kind': 'mount', prefix, segments: Object.freeze(parsePrefix(prefix)), description: options.description })
/** Whether this part of an API is a leaf. */
export const isOperation = (value) => typeof value['~kind'] === 'string'
/** Every endpoint and mount of an API with its name, in the order of declaration. */
export function operations(api, path = []) {
  return Object.entries(api).flatMap(([key, value]) => {
    const here = [...path, key]
    const name = here.join('.')
    if (typeof value !== 'object' || value === null) throw new TypeError(complaint.invalidApi(name))
    return isOperation(value) ? [{ path: here, name, operation: value }] : operations(value, here)
  })
}
function addPrefix(value, prefix) {
  if (!isOperation(value))
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, below]) => [key, addPrefix(below, prefix)])))
  const segments = Object.freeze([...prefix, ...value.segments])
  const path = formatPath(segments)
  return value['~kind'] === 'mount'
    ? Object.freeze({ ...value, segments, prefix: path })
    : Object.freeze({ ...value, segments, route: `${value.method} ${path}` })
}
/** The same API with every path below a prefix: `prefix('/products', collection(Product))`. */
export const prefix = (prefix, api) =>
  // What changes is the paths, which the types do not hold.
  addPrefix(api, parsePrefix(prefix))
