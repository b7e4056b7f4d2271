/** HTML as a medium for answers. */
import { type Medium, medium } from './medium.ts'
import { gathered, isWalked } from './stream.ts'

/** `text/html`: what `render` makes of the value. Escaping is the renderer's business. */
export function html<T>(render: (value: T) => string): Medium<T> {
  // A page cannot begin before all of a list is there, so what is walked is gathered first.
  async function* page(items: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
    yield render((await gathered(items)) as T)
  }
  return medium<T>({
    types: ['text/html; charset=utf-8'],
    writer: () => (value) => (isWalked(value) ? page(value) : render(value)),
  })
}
