/** `html`: HTML responses, and templates that escape their values. */
import { requireSync } from '../../http/promises.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
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
    return typeof page === 'string' ? page : requireHtml(page, 'A page of html()').html
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

/** The markup of every copy of this package has it. A symbol: JSON of a client could have any text for a member, and would not be escaped. */
const htmlBrand: unique symbol = Symbol.for('lapidary.Html')

/** A piece of HTML that is complete in itself. Only `htmlTemplate` makes one. */
export interface Html {
  readonly [htmlBrand]: true
  readonly html: string
}

/** @throws TypeError for what `htmlTemplate` has not made. */
function requireHtml(value: unknown, place: string): Html {
  if (typeof value === 'object' && value !== null && htmlBrand in value) return value as Html
  throw new TypeError(developerErrors.invalidMarkup(place, value))
}

const requireTemplateValue = (value: unknown): Html => requireHtml(value, 'htmlTemplate')

/**
 * A template of HTML. It escapes texts, and inserts pieces of HTML and lists of them unchanged.
 *
 * @throws TypeError for any other value, which plain JavaScript can give.
 * @example
 * ```ts
 * import { htmlTemplate } from 'lapidary'
 *
 * const rows = ['opal', 'topaz'].map((name) => htmlTemplate`<li>${name}</li>`)
 * const page = htmlTemplate`<ul>${rows}</ul>`
 * ```
 */
export function htmlTemplate(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const texts = values.map((value) => {
    if (typeof value === 'string') return escapeHtml(value)
    return (Array.isArray(value) ? value : [value]).map((piece) => requireTemplateValue(piece).html).join('')
  })
  return { [htmlBrand]: true, html: parts.map((part, index) => part + (texts[index] ?? '')).join('') }
}
