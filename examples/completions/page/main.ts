/** The page: it starts a completion, and shows its tokens as they come. A reload, or a network that comes back, continues where it was. */
import { client, isHttpError, resume } from 'lapidary/light'
import type { api } from '../api.ts'
import { routes } from './routes.ts'

const { completions } = client<typeof api>(routes, location.origin)

const find = <E extends Element>(selector: string): E => {
  const element = document.querySelector<E>(selector)
  if (element === null) throw new Error(`The page has no ${selector}.`)
  return element
}
const form = find<HTMLFormElement>('form')
const stop = find<HTMLButtonElement>('#stop')
const output = find<HTMLElement>('output')
const status = find<HTMLElement>('#status')

function show(text: string, isRunning: boolean): void {
  status.textContent = text
  stop.hidden = !isRunning
}

/** Shows a completion from its beginning to its end. */
async function follow(id: string): Promise<void> {
  const params = { id }
  output.textContent = ''
  show('The model writes …', true)
  stop.onclick = () => completions.cancel({ params })
  const events = resume(async (options) => {
    const response = await completions.events({ params }, options)
    return response.status === 200 ? response.body : undefined
  })
  for await (const { event, data } of events) {
    if (event === 'token') output.append(data.text)
    else show(data.detail ?? `${data.state}, ${data.tokens} tokens`, false)
  }
}

async function run(start: () => Promise<void>): Promise<void> {
  try {
    await start()
  } catch (error) {
    show(isHttpError(error) ? (error.detail ?? error.message) : `The connection is lost: ${String(error)}`, false)
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void run(async () => {
    const { body } = await completions.start({ body: { prompt: String(new FormData(form).get('prompt')) } })
    history.replaceState(null, '', `#${body.id}`)
    await follow(body.id)
  })
})

const { hash } = location
if (hash !== '') await run(() => follow(hash.slice(1)))
