/** The script of the start page: reads the colours with the typed client, a page at a time. */
import './jitless.ts'
import { HttpError } from 'lapidary'
import { ConnectionError, client } from 'lapidary/client'
import { type Color, colors } from '../api/colors.ts'

/** The number of colours on a page. */
const pageSize = 24
/** The time limit of a call, in milliseconds. */
const callTimeout = 10_000

/** Returns the element with this id. Throws a TypeError if there is none, or one of another type. */
function elementById<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const element = document.getElementById(id)
  if (element instanceof type) return element
  throw new TypeError(`The page has no ${type.name} "${id}". Mend its markup, or its script.`)
}

const call = client({ colors }, location.origin, { timeout: callTimeout })

const orderForm = elementById('order', HTMLFormElement)
const fieldSelect = elementById('by', HTMLSelectElement)
const directionSelect = elementById('direction', HTMLSelectElement)
const sentRange = elementById('asked', HTMLElement)
const nextRange = elementById('answered', HTMLElement)
const statusLine = elementById('status', HTMLElement)
const colorList = elementById('colors', HTMLUListElement)
const failureBox = elementById('failure', HTMLElement)
const failureText = elementById('reason', HTMLElement)
const retryButton = elementById('again', HTMLButtonElement)
const moreButton = elementById('more', HTMLButtonElement)

/** The next range, or undefined when every colour is shown. */
let upcoming: string | undefined
/** Whether the list has an old order. Then the next page replaces it. */
let isStale = true
/** Cancels the running call. */
let controller = new AbortController()

const formatInteger = (number: number): string => number.toLocaleString('en')

/** A list item with the colour, its name and the value that orders it. */
function colorItem({ name, hex, rgb }: Color): HTMLLIElement {
  const item = document.createElement('li')
  item.style.setProperty('--color', hex)
  const title = document.createElement('span')
  title.textContent = name
  const value = document.createElement('code')
  value.textContent = fieldSelect.value === 'rgb' ? `${rgb.reduce((sum, component) => sum + component, 0)} = ${rgb.join('+')}` : hex
  item.append(title, ' ', value)
  return item
}

/** Why a call failed, for the user. */
function describeError(error: unknown): string {
  if (error instanceof ConnectionError) return 'The service does not answer.'
  if (error instanceof HttpError) return `The service answered ${error.status}. ${error.detail ?? error.reason}`
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'The service has not answered in time.'
  return String(error)
}

/** Loads the next page and appends it to the list. */
async function loadNext(): Promise<void> {
  if (upcoming === undefined) return
  controller.abort()
  controller = new AbortController()
  const { signal } = controller
  sentRange.textContent = upcoming
  try {
    const { body, headers } = await call.colors({ headers: { Range: upcoming } }, { signal })
    // The user has chosen another order since the response arrived.
    if (signal.aborted) return
    upcoming = headers['Next-Range']
    nextRange.textContent = upcoming ?? 'none, since this was the last page'
    showColors(body.map(colorItem), headers['Total-Count'])
  } catch (error) {
    if (!signal.aborted) showError(error)
  }
}

function showColors(items: readonly HTMLElement[], total: number): void {
  if (isStale) colorList.replaceChildren()
  isStale = false
  colorList.append(...items)
  const [field, sense] = [fieldSelect, directionSelect].map(({ selectedOptions: [option] }) => option?.text)
  statusLine.textContent = `${formatInteger(colorList.childElementCount)} of ${formatInteger(total)} colours, by ${field}, ${sense}`
  // The button stays at the end of the list. Otherwise keyboard users would lose their place.
  moreButton.textContent =
    upcoming === undefined ? 'That is all of them' : `Show ${formatInteger(Math.min(pageSize, total - colorList.childElementCount))} more`
  moreButton.ariaDisabled = String(upcoming === undefined)
  moreButton.hidden = false
  if (document.activeElement === retryButton) moreButton.focus()
  failureBox.hidden = true
}

function showError(error: unknown): void {
  if (isStale) {
    colorList.replaceChildren()
    statusLine.textContent = ''
    moreButton.hidden = true
  }
  nextRange.textContent = ''
  failureText.textContent = describeError(error)
  failureBox.hidden = false
}

/** Begins again with the first page of the chosen order. */
function restart(): void {
  isStale = true
  upcoming = `${fieldSelect.value}; limit ${pageSize}; order ${directionSelect.value}`
  void loadNext()
}

const parameters = new URLSearchParams(location.search)
for (const select of [fieldSelect, directionSelect]) {
  const value = parameters.get(select.name)
  if ([...select.options].some((option) => option.value === value)) select.value = String(value)
}
orderForm.addEventListener('change', () => {
  history.replaceState(null, '', `?by=${fieldSelect.value}&order=${directionSelect.value}`)
  restart()
})
moreButton.addEventListener('click', loadNext)
retryButton.addEventListener('click', loadNext)
restart()
