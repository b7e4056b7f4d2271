/** What Swagger UI lacks for the users of a screen reader or a keyboard: names of controls, and of the parts of the page. */

type Component = (properties: { readonly text: string }) => unknown

interface SwaggerUiSystem {
  readonly React: { readonly createElement: (tag: string, properties: object | null, ...children: readonly unknown[]) => unknown }
}

/** Names of operations and tags are links inside buttons, which cannot be reached. A button alone does the same. */
export const plainNames = ({ React }: SwaggerUiSystem): { readonly components: Readonly<Record<string, Component>> } => ({
  components: { DeepLink: ({ text }) => React.createElement('span', null, text) },
})

/** The name of a control, by the row or the part of the page that it is in. */
function findName(control: Element): string {
  const row = control.closest('[data-param-name], [data-property-name]')
  const name = row?.getAttribute('data-param-name') ?? row?.getAttribute('data-property-name')
  if (name) return control.classList.contains('examples-select-element') ? `Example of ${name}` : name
  if (control.classList.contains('examples-select-element')) return 'Example'
  if (control.closest('.servers') !== null) return control.closest('.server-variables') === null ? 'Server' : 'Variable of the server'
  if (control.closest('.body-param, .opblock-section-request-body') !== null)
    return control instanceof HTMLSelectElement ? 'Media type' : 'Body'
  return control.closest('.wrapper, .scopes')?.querySelector('label, h4, h2')?.textContent?.trim() || 'Value'
}

/** A label around a control has the text of the control in its own. */
const isNamed = (control: HTMLInputElement): boolean =>
  control.hasAttribute('aria-label') ||
  [...(control.labels ?? [])].some(({ childNodes }) =>
    [...childNodes].some((node) => !node.contains(control) && node.textContent?.trim() !== ''),
  )

/** Parts of the page that Swagger UI gives no role. */
const regions: readonly (readonly [selector: string, label: string])[] = [
  ['.information-container:not([role])', 'About this API'],
  ['.scheme-container:not([role])', 'Servers and authorization'],
]

/** The heading of a scheme is its name, and its kind in brackets. */
const findSchemeName = (button: Element): string =>
  button.closest('.auth-container')?.querySelector('h4')?.textContent?.split(/[\s(]/, 1)[0] ?? ''

/** Buttons with a name that does not contain their text, or with none. */
const buttons: readonly (readonly [selector: string, findLabel: (button: Element) => string])[] = [
  ['.close-modal:not([aria-label])', () => 'Close'],
  [
    '.json-schema-2020-12-accordion:not(:has(.json-schema-2020-12__title)):not([aria-label])',
    (button) => button.textContent?.trim() || 'Schema',
  ],
  ['.auth-btn-wrapper button.authorize', (button) => `${button.textContent} ${findSchemeName(button)}`],
]

/** Names what is there now, and what Swagger UI adds later. */
export function nameParts(container: Element): void {
  const nameAll = (): void => {
    for (const control of container.querySelectorAll<HTMLInputElement>('input, select, textarea'))
      if (!isNamed(control)) control.setAttribute('aria-label', findName(control))
    for (const [selector, label] of regions)
      for (const part of container.querySelectorAll(selector)) {
        part.setAttribute('role', 'region')
        part.setAttribute('aria-label', label)
      }
    for (const [selector, findLabel] of buttons)
      for (const button of container.querySelectorAll(selector)) button.setAttribute('aria-label', findLabel(button))
  }
  new MutationObserver(nameAll).observe(container, { childList: true, subtree: true })
  nameAll()
}
