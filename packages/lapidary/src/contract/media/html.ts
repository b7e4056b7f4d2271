/** `html`: HTML responses, and templates that escape their values. */
import { requireSync } from '../../http/promises.ts'
import { collectItems, isIterable } from './itemStreams.ts'
import { type MediaType, mediaType } from './mediaType.ts'

/**
 * `text/html`, for responses.
 *
 * @param render Returns the page of a value. A string is sent unchanged.
 * @example
 * ```ts
 * import { endpoint, html, htmlTemplate, ok } from 'lapidary'
 *
 * const page = html((name: string) => htmlTemplate`<h1>Hello ${name}</h1>`)
 * const hello = endpoint('GET /hello', { response: ok(page) })
 * ```
 */
export function html<T>(render: (value: T) => string | Html): MediaType<T> {
  const renderPage = (value: T): string => {
    const page = requireSync(render(value), 'The function of html()')
    return typeof page === 'string' ? page : page.html
  }
  // `render` takes a whole list, so the items are collected first.
  async function* renderItems(items: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<string> {
    yield renderPage((await collectItems(items)) as T)
  }
  return mediaType<T>({
    types: ['text/html; charset=utf-8'],
    isAtomic: true,
    writer: () => (value) => (isIterable(value) ? renderItems(value) : renderPage(value)),
  })
}

const htmlEntities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => htmlEntities[character] ?? character)

/** A piece of HTML that is complete in itself. */
export interface Html {
  readonly html: string
}

/**
 * A template of HTML. It escapes texts, and inserts pieces of HTML and lists of them unchanged.
 *
 * @example
 * ```ts
 * import { htmlTemplate } from 'lapidary'
 *
 * const rows = ['opal', 'topaz'].map((name) => htmlTemplate`<li>${name}</li>`)
 * const page = htmlTemplate`<ul>${rows}</ul>`
 * ```
 */
export function htmlTemplate(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const texts = values.map((value) =>
    typeof value === 'string' ? escapeHtml(value) : 'html' in value ? value.html : value.map(({ html }) => html).join(''),
  )
  return { html: parts.map((part, index) => part + (texts[index] ?? '')).join('') }
}
