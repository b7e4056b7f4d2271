/** `link(endpoint, input)`: the path and query that call an endpoint, always valid for it. */

import type { AnyEndpoint } from '../contract/endpoint.ts'
import { percentEncode } from '../http/percentEncoding.ts'
import { fillPath } from '../http/route.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { LinkInput } from './linkInput.ts'

/** The argument behind the endpoint, which may be left out when nothing in it is needed. */
type LinkArguments<T> = Partial<T> extends T ? readonly [input?: T] : readonly [input: T]

/** A dot segment would be taken for a step up or for none (RFC 3986 §5.2.4), encoded or not. */
const isPathSegment = (text: string): boolean => text !== '' && text !== '.' && text !== '..'

/**
 * The link to an endpoint: `link(api.position, { params: { x: 1, y: 2 } })` is `/position/1/2`.
 *
 * @throws TypeError for a capture whose text no path segment can hold: empty, `.` or `..`.
 */
export function link<E extends AnyEndpoint>(endpoint: E, ...[input]: LinkArguments<LinkInput<E>>): string {
  const { params = {}, query = {} } = (input ?? {}) as {
    readonly params?: Record<string, unknown>
    readonly query?: Record<string, unknown>
  }
  const path = fillPath(endpoint.segments, (name) => {
    const text = endpoint.params[name]?.print(params[name]) ?? ''
    if (!isPathSegment(text)) throw new TypeError(developerErrors.invalidCaptureValue(endpoint.route, name))
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
