/** HTML as a medium for answers. */
import { requireSync } from './atOnce.ts'
import type { Html } from './markup.ts'
import { type MediaType, mediaType } from './medium.ts'
import { collectItems, isIterable } from './stream.ts'

/** `text/html`: what `render` makes of the value. Markup has its texts escaped; a string is sent as it is. */
export function html<T>(render: (value: T) => string | Html): MediaType<T> {
  const rendered = (value: T): string => {
    const made = requireSync(render(value), 'The function of html()')
    return typeof made === 'string' ? made : made.html
  }
  // A page cannot begin before all of a list is there, so what is walked is gathered first.
  async function* page(items: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
    yield rendered((await collectItems(items)) as T)
  }
  return mediaType<T>({
    types: ['text/html; charset=utf-8'],
    isAtomic: true,
    writer: () => (value) => (isIterable(value) ? page(value) : rendered(value)),
  })
}
