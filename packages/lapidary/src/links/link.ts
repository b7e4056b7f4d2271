/** `link(endpoint, input)`: the path and query of a call. */
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import { type AnyParameter, canJoinTexts, getValue, joinTexts, type ParameterValues } from '../contract/parameters/parameter.ts'
import { splitValues } from '../contract/parameters/parameterGroups.ts'
import { percentEncode } from '../http/percentEncoding.ts'
import { fillPath } from '../http/route.ts'
import * as developerErrors from '../messages/developerErrors.ts'

/** The input of a link: captures and query parameters. */
export type LinkInput<E extends AnyEndpoint> = LinkParts<TypeOf<E['~types'], 'call'>>

type LinkParts<Call> = { [Key in keyof Call as Key extends 'params' | 'query' ? Key : never]: Call[Key] }

/** The input, which is optional where none of its parts is required. */
type LinkArguments<T> = Partial<T> extends T ? readonly [input?: T] : readonly [input: T]

/**
 * The path and query of a call to an endpoint, always valid for it.
 *
 * @throws TypeError if the text of a capture is empty, `.` or `..`, and for a rest (`*path`) with such a segment, because no path can
 * contain such a segment.
 * @example
 * ```ts
 * import { endpoint, int, ok, text } from 'lapidary'
 * import { link } from 'lapidary/links'
 *
 * const position = endpoint('GET /position/:x/:y', { params: { x: int, y: int }, response: ok(text) })
 * console.log(link(position, { params: { x: 1, y: 2 } })) // /position/1/2
 * ```
 */
export function link<E extends AnyEndpoint>(endpoint: E, ...[input]: LinkArguments<LinkInput<E>>): string {
  const given = (input ?? {}) as { readonly params?: ParameterValues; readonly query?: ParameterValues }
  const params = splitValues(endpoint.parameterGroups.params, given.params ?? {})
  const query = splitValues(endpoint.parameterGroups.query, given.query ?? {})
  const path = fillPath(endpoint.segments, (name, isRest) => {
    const text = endpoint.params[name]?.print(getValue(params, name)) ?? ''
    // A dot segment changes the path, encoded or not (RFC 3986 §5.2.4).
    if ((isRest ? text.split('/') : [text]).some((part) => /^\.{0,2}$/.test(part)))
      throw new TypeError(developerErrors.invalidCaptureValue(endpoint.route, name))
    return text
  })
  let search = ''
  for (const name of Object.keys(endpoint.query)) {
    const { write, delimiter } = endpoint.query[name] as AnyParameter
    const texts = write(getValue(query, name))
    if (!canJoinTexts(texts, delimiter)) throw new TypeError(developerErrors.undelimitableValue(endpoint.route, name, delimiter ?? ''))
    for (const text of joinTexts(texts, delimiter)) {
      search += `${search === '' ? '?' : '&'}${percentEncode(name)}=${percentEncode(text)}`
    }
  }
  return path + search
}
