/** `link(endpoint, input)`: the path and query that call an endpoint, always valid for it. */
import { percentEncode } from '../http/percentEncoding.js'
import { fillPath } from '../http/route.js'
import * as complaint from '../messages/developerErrors.js'

/** A dot segment would be taken for a step up or for none (RFC 3986 §5.2.4), encoded or not. */
const isPathSegment = (text) => text !== '' && text !== '.' && text !== '..'
/**
 * The link to an endpoint: `link(api.position, { params: { x: 1, y: 2 } })` is `/position/1/2`.
 *
 * @throws TypeError for a capture whose text no path segment can hold: empty, `.` or `..`.
 */
// biome-ignore lint/suspicious/noExplicitAny: only what a caller writes matters to a link
export function link(endpoint, ...[input]) {
  const { params = {}, query = {} } = input ?? {}
  const path = fillPath(endpoint.segments, (name) => {
    const text = endpoint.params[name]?.print(params[name]) ?? ''
    if (!isPathSegment(text)) throw new TypeError(complaint.invalidCaptureValue(endpoint.route, name))
    return text
  })
  let search = ''
  for (const name of Object.keys(endpoint.query)) {
    for (const text of endpoint.query[name]?.write(query[name]) ?? []) {
      search += `${search === '' ? '?' : '&'}${percentEncode(name)}=${percentEncode(text)}`
    }
  }
  return path + search
}
