/** The start page: the colours, a page at a time, asked for by the typed client. */
import './withoutEval.ts'
import { client } from 'lapidary/client'
import { colors } from '../api/colors.ts'
import { part } from './part.ts'
import { reason } from './reason.ts'
import { stone } from './stone.ts'

/** How many colours a page has. */
const limit = 24
/** For how long to wait for one, in milliseconds. */
const timeout = 10_000

const call = client({ colors }, location.origin, { timeout })

const order = part('order', HTMLFormElement)
const by = part('by', HTMLSelectElement)
const direction = part('direction', HTMLSelectElement)
const asked = part('asked', HTMLElement)
const answered = part('answered', HTMLElement)
const status = part('status', HTMLElement)
const list = part('colors', HTMLUListElement)
const failure = part('failure', HTMLElement)
const why = part('reason', HTMLElement)
const again = part('again', HTMLButtonElement)
const more = part('more', HTMLButtonElement)

/** The range to ask for next; undefined when every colour is shown. */
let next: string | undefined
/** Whether the list is in another order than the next page, which then takes its place. */
let stale = true
/** Ends the call that is under way, when another takes its place. */
let current = new AbortController()

const count = (number: number): string => number.toLocaleString('en')

/** Asks for a page, and shows it behind the others. */
async function show(range: string): Promise<void> {
  current.abort()
  current = new AbortController()
  const { signal } = current
  asked.textContent = range
  try {
    const { body, headers } = await call.colors({ headers: { Range: range } }, { signal })
    next = headers['Next-Range']
    answered.textContent = next ?? 'none, since this was the last page'
    shown(
      body.map((color) => stone(color, by.value)),
      headers['Total-Count'],
    )
  } catch (error) {
    if (!signal.aborted) failed(error)
  }
}

function shown(stones: readonly HTMLElement[], total: number): void {
  if (stale) list.replaceChildren()
  stale = false
  list.append(...stones)
  const [field, sense] = [by, direction].map(({ selectedOptions: [option] }) => option?.text)
  status.textContent = `${count(list.childElementCount)} of ${count(total)} colours, by ${field}, ${sense}`
  // It stays when nothing is left to show: whoever came to it by the keyboard would be lost.
  more.textContent = next === undefined ? 'That is all of them' : `Show ${count(Math.min(limit, total - list.childElementCount))} more`
  more.ariaDisabled = String(next === undefined)
  more.hidden = false
  if (document.activeElement === again) more.focus()
  failure.hidden = true
}

function failed(error: unknown): void {
  if (stale) {
    list.replaceChildren()
    status.textContent = ''
    more.hidden = true
  }
  answered.textContent = ''
  why.textContent = reason(error)
  failure.hidden = false
}

/** Begins at the first page of the order that is chosen. */
function begin(): void {
  stale = true
  next = `${by.value}; limit ${limit}; order ${direction.value}`
  proceed()
}

function proceed(): void {
  if (next !== undefined) void show(next)
}

const wanted = new URLSearchParams(location.search)
for (const choice of [by, direction]) {
  const value = wanted.get(choice.name)
  if ([...choice.options].some((option) => option.value === value)) choice.value = String(value)
}
order.addEventListener('change', () => {
  history.replaceState(null, '', `?by=${by.value}&order=${direction.value}`)
  begin()
})
more.addEventListener('click', proceed)
again.addEventListener('click', proceed)
begin()
