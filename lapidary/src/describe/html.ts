/** HTML as a medium for answers. */
import { atOnce } from './atOnce.ts'
import type { Markup } from './markup.ts'
import { type Medium, medium } from './medium.ts'
import { gathered, isWalked } from './stream.ts'

/** `text/html`: what `render` makes of the value. Markup has its texts escaped; a string is sent as it is. */
export function html<T>(render: (value: T) => string | Markup): Medium<T> {
  const rendered = (value: T): string => {
    const made = atOnce(render(value), 'The function of html()')
    return typeof made === 'string' ? made : made.html
  }
  // A page cannot begin before all of a list is there, so what is walked is gathered first.
  async function* page(items: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
    yield rendered((await gathered(items)) as T)
  }
  return medium<T>({
    types: ['text/html; charset=utf-8'],
    isWhole: true,
    writer: () => (value) => (isWalked(value) ? page(value) : rendered(value)),
  })
}
