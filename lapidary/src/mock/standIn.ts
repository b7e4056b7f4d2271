/** Stands in for what only a handler could make: a page whose values nothing describes. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { markup } from '../describe/markup.ts'
import { essenceOf } from '../describe/mediaType.ts'
import type { MediumDefinition } from '../describe/medium.ts'
import { mocked } from '../describe/message.ts'
import { bodiesOf } from './bodies.ts'
import { exampleOf } from './success.ts'

type AnyMedium = MediumDefinition<unknown>

/** The same medium, which writes one sentence, whatever it is given. */
function speaking(medium: AnyMedium, route: string): AnyMedium {
  const sentence = mocked.page(route)
  const isPage = essenceOf(medium.types[0]) === 'text/html'
  const text = isPage ? markup`<!doctype html>\n<title>${route}</title>\n<p>${sentence}</p>\n`.html : sentence
  return { ...medium, writer: () => () => text }
}

/**
 * The same endpoint, which answers with a sentence where no value can be made for its media: they have no schema, no example, and nothing that reads
 * them would miss anything.
 */
export function standingIn(endpoint: AnyEndpoint): AnyEndpoint {
  const { response, route } = endpoint
  const { content } = response
  if (content === undefined || content.schema !== undefined || exampleOf(endpoint) !== undefined) return endpoint
  if (content.media.some(({ reader, streamReader }) => reader !== undefined || streamReader !== undefined)) return endpoint
  if (bodiesOf(content) !== undefined) return endpoint
  const media = content.media.map((medium) => speaking(medium, route))
  return { ...endpoint, response: { ...response, content: { schema: undefined, media } } }
}
