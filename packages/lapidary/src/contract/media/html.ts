/** HTML as a medium for answers. */

import { collectItems, isIterable } from '../../http/chunks.ts'
import { requireSync } from '../../http/promises.ts'
import { type MediaType, mediaType } from './mediaType.ts'

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

// HTML as text, with every value escaped.

const htmlEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => htmlEntities[sign] ?? sign)

/** A piece of HTML that is complete in itself. */
export interface Html {
  readonly html: string
}

/** A template of HTML: ``htmlTemplate`<td>${name}</td>` ``. Texts are escaped, pieces of markup and lists of them are put in as they are. */
export function htmlTemplate(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const written = values.map((value) =>
    typeof value === 'string' ? escapeHtml(value) : 'html' in value ? value.html : value.map(({ html }) => html).join(''),
  )
  return { html: parts.map((part, index) => part + (written[index] ?? '')).join('') }
}
