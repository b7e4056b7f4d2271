/** Converts header lists to Headers of the web. */
import { forEachHeader } from '../../http/headerFields.ts'

/**
 * Creates Headers of a flat list.
 *
 * @throws TypeError for a name or a value that cannot be sent
 */
export function toWebHeaders(flat: readonly string[]): Headers {
  const headers = new Headers()
  forEachHeader(flat, (name, value) => headers.append(name, value))
  return headers
}
