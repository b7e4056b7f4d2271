/** HTML as text, with every value escaped. */

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
