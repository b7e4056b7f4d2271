/** HTML as text, with every value escaped. */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

/** A piece of HTML that is complete in itself. */
export interface Markup {
  readonly html: string
}

/** A template of HTML: ``markup`<td>${name}</td>` ``. Texts are escaped, pieces of markup and lists of them are put in as they are. */
export function markup(parts: TemplateStringsArray, ...values: readonly (string | Markup | readonly Markup[])[]): Markup {
  const written = values.map((value) =>
    typeof value === 'string' ? escaped(value) : 'html' in value ? value.html : value.map(({ html }) => html).join(''),
  )
  return { html: parts.map((part, index) => part + (written[index] ?? '')).join('') }
}
