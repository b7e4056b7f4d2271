/** HTML as a medium for answers. */
import { collectItems, isIterable } from '../../http/chunks.js'
import { requireSync } from '../../http/promises.js'
import { mediaType } from './mediaType.js'
/** `text/html`: what `render` makes of the value. Markup has its texts escaped; a string is sent as it is. */
export function html(render) {
  const rendered = (value) => {
    const made = requireSync(render(value), 'The function of html()')
    return typeof made === 'string' ? made : made.html
  }
  // A page cannot begin before all of a list is there, so what is walked is gathered first.
  async function* page(items) {
    yield rendered(await collectItems(items))
  }
  return mediaType({
    types: ['text/html; charset=utf-8'],
    isAtomic: true,
    writer: () => (value) => (isIterable(value) ? page(value) : rendered(value)),
  })
}
// HTML as text, with every value escaped.
const htmlEntities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text) => text.replace(/[&<>"']/g, (sign) => htmlEntities[sign] ?? sign)
/** A template of HTML: ``htmlTemplate`<td>${name}</td>` ``. Texts are escaped, pieces of markup and lists of them are put in as they are. */
export function htmlTemplate(parts, ...values) {
  const written = values.map((value) =>
    typeof value === 'string' ? escapeHtml(value) : 'html' in value ? value.html : value.map(({ html }) => html).join(''),
  )
  return { html: parts.map((part, index) => part + (written[index] ?? '')).join('') }
}
