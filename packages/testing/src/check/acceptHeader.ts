/** The Accept header of requests to servers of other programs. A server of the toolkit chooses by its description. */
import type { AnyEndpoint } from 'lapidary'
import { getEssences, hasConventions } from 'lapidary/internal'
import { listReplies } from './rule.ts'

/**
 * Returns the Accept header of a request: the media types of all responses, each once, where another program has written the description.
 * Without Accept, such a server may send a type that its document does not have (RFC 9110 §12.5.1).
 *
 * @returns `undefined`: no response has a body, or the endpoint has the conventions of the toolkit
 */
export function getAcceptHeader(endpoint: AnyEndpoint): string | undefined {
  if (hasConventions(endpoint)) return undefined
  const types = listReplies(endpoint).flatMap(({ content }) => (content === undefined ? [] : getEssences(content)))
  return types.length === 0 ? undefined : [...new Set(types)].join(', ')
}
