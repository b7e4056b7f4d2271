const [login, add, list, problem, progress] = ['#login', '#add', '#list', '#problem', 'progress'].map((name) =>
  document.querySelector(name),
)

/** Whether the server does what it is asked. The page says why it does not. */
async function send(url, body) {
  const response = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
  const { detail = '', errors = [] } = response.ok ? {} : await response.json()
  problem.textContent = [detail, ...errors.map((error) => error.detail)].join(' ')
  return response.ok
}

function show({ id, url, title, tags, isDead, thumbnail }) {
  const item = document.getElementById(`bookmark-${id}`) ?? Object.assign(document.createElement('li'), { id: `bookmark-${id}` })
  const picture = thumbnail === undefined ? [] : [Object.assign(new Image(32, 32), { src: thumbnail, alt: '' })]
  const link = Object.assign(document.createElement('a'), { href: url, textContent: title })
  item.replaceChildren(...picture, link, ` ${tags.join(' ')}${isDead ? ' (dead)' : ''}`)
  if (!item.isConnected) list.prepend(item)
}

async function open() {
  const changes = new EventSource('/changes')
  const listen = (event, listener) => changes.addEventListener(event, ({ data }) => listener(JSON.parse(data)))
  for (const event of ['added', 'changed']) listen(event, show)
  listen('removed', ({ id }) => document.getElementById(`bookmark-${id}`)?.remove())
  listen('check', ({ total, done }) => Object.assign(progress, { max: total, value: done, hidden: done === total }))
  for (const bookmark of (await (await fetch('/bookmarks?limit=100')).json()).reverse()) show(bookmark)
  login.hidden = true
  add.hidden = false
}

login.addEventListener('submit', async (event) => {
  event.preventDefault()
  if (await send(event.submitter.value, Object.fromEntries(new FormData(login)))) open()
})
add.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { tags, ...bookmark } = Object.fromEntries(new FormData(add))
  if (await send('/bookmarks', { ...bookmark, tags: tags.split(' ').filter((tag) => tag !== '') })) add.reset()
})
document.querySelector('#check').addEventListener('click', () => fetch('/checks', { method: 'POST', redirect: 'manual' }))
if ((await fetch('/account')).ok) open()
