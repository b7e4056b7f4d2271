/** The page: it lists the stones, adds and removes them. The light client has the types of the API, and none of its schemas. */
import { client, isHttpError } from 'lapidary/light'
import type { api } from '../src/api.ts'
import { routes } from './routes.ts'

const { stones } = client<typeof api>(routes, location.origin)

const find = <E extends Element>(selector: string): E => {
  const element = document.querySelector<E>(selector)
  if (element === null) throw new Error(`The page has no ${selector}.`)
  return element
}
const form = find<HTMLFormElement>('#add')
const list = find<HTMLUListElement>('#stones')
const message = find<HTMLElement>('#message')

/** Runs a change, shows what is wrong with it, and lists the stones again. */
async function run(change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
    message.textContent = ''
  } catch (error) {
    if (!isHttpError(error)) throw error
    message.textContent = error.errors?.map(({ pointer, detail }) => `${pointer}: ${detail}`).join(', ') ?? error.detail ?? error.message
  }
  await show()
}

async function show(): Promise<void> {
  const { body } = await stones.all({ query: { sort: '-hardness', limit: 100 } })
  list.replaceChildren(
    ...body.map(({ id, name, hardness }) => {
      const item = document.createElement('li')
      const title = document.createElement('span')
      title.textContent = name
      const scale = document.createElement('meter')
      Object.assign(scale, { min: 0, max: 10, value: hardness, ariaLabel: `hardness ${hardness} of 10` })
      const remove = document.createElement('button')
      Object.assign(remove, {
        textContent: 'Remove',
        ariaLabel: `Remove ${name}`,
        onclick: () => run(() => stones.remove({ params: { id } })),
      })
      item.append(title, scale, remove)
      return item
    }),
  )
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const fields = new FormData(form)
  const body = { name: String(fields.get('name')), hardness: Number(fields.get('hardness')) }
  void run(async () => {
    await stones.add({ body })
    form.reset()
  })
})

await show()
