/** Stands in for what only a handler could make: a page whose values nothing describes. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { htmlTemplate } from '../describe/markup.ts'
import { getEssence } from '../describe/mediaType.ts'
import type { MediaTypeDefinition } from '../describe/medium.ts'
import { mockDetail } from '../describe/message.ts'
import { generateResponseBodies } from './bodies.ts'
import { getResponseExample } from './success.ts'

type AnyPageMediaType = MediaTypeDefinition<unknown>

/** The same medium, which writes one sentence, whatever it is given. */
function writePlaceholder(medium: AnyPageMediaType, route: string): AnyPageMediaType {
  const sentence = mockDetail.page(route)
  const isPage = getEssence(medium.types[0]) === 'text/html'
  const text = isPage ? htmlTemplate`<!doctype html>\n<title>${route}</title>\n<p>${sentence}</p>\n`.html : sentence
  return { ...medium, writer: () => () => text }
}

/**
 * The same endpoint, which answers with a sentence where no value can be made for its media: they have no schema, no example, and nothing that reads
 * them would miss anything.
 */
export function withPlaceholderPage(endpoint: AnyEndpoint): AnyEndpoint {
  const { response, route } = endpoint
  const { content } = response
  if (content === undefined || content.schema !== undefined || getResponseExample(endpoint) !== undefined) return endpoint
  if (content.media.some(({ reader, streamReader }) => reader !== undefined || streamReader !== undefined)) return endpoint
  if (generateResponseBodies(content) !== undefined) return endpoint
  const media = content.media.map((medium) => writePlaceholder(medium, route))
  return { ...endpoint, response: { ...response, content: { schema: undefined, media } } }
}
