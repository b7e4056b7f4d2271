/**
 * The requests that are sent to each app of this folder, and to ours.
 *
 * @typedef {object} MovingRequest
 * @property {string} title  as the guides name it
 * @property {string} method
 * @property {string} path
 * @property {Readonly<Record<string, string>>} [headers]
 * @property {string | FormData} [body]
 * @property {{ method: string, path: string, body?: string | FormData }} call  the same for tRPC: a procedure, and its input by superjson
 */

const ann = { Authorization: 'Bearer t-ann' }
const ben = { Authorization: 'Bearer t-ben' }
const json = { 'Content-Type': 'application/json' }
const ruby = { name: 'ruby', hardness: 9, cutAt: '2026-05-01T10:00:00.000Z' }

const query = (procedure, input) => ({
  method: 'GET',
  path: `/trpc/stones.${procedure}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`,
})
const mutation = (procedure, input, meta) => ({
  method: 'POST',
  path: `/trpc/stones.${procedure}`,
  body: JSON.stringify({ json: input, meta }),
})
const dated = { values: { cutAt: ['Date'] } }

const createForm = (members) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(members)) form.append(name, value)
  return form
}
const photo = () => new File(['a photo of a stone'], 'agate.png', { type: 'image/png' })

const read = (title, path, call) => ({ title, method: 'GET', path, call })
const add = (title, headers, body, call) => ({
  title,
  method: 'POST',
  path: '/stones',
  headers: { ...json, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
  call: call ?? mutation('add', body, dated),
})
const upload = (title, headers, id, members) => ({
  title,
  method: 'POST',
  path: `/stones/${id}/photo`,
  headers,
  body: createForm(members),
  call: { method: 'POST', path: '/trpc/stones.photo', body: createForm({ id: String(id), ...members }) },
})
const sale = (title, headers, id) => ({ title, method: 'POST', path: `/stones/${id}/sale`, headers, call: mutation('sell', { id }) })

/** In this order: what one of them adds or sells, the next ones find. @type {readonly MovingRequest[]} */
export const requests = [
  read('all stones', '/stones', query('all', {})),
  read('the hard stones', '/stones?minHardness=7', query('all', { minHardness: 7 })),
  read('a query that is no number', '/stones?minHardness=hard', query('all', { minHardness: 'hard' })),
  read('a query that is empty', '/stones?minHardness=', query('all', { minHardness: '' })),
  read('one stone', '/stones/1', query('one', { id: 1 })),
  read('a stone that is not there', '/stones/9', query('one', { id: 9 })),
  read('an id that is no number', '/stones/agate', query('one', { id: 'agate' })),
  read('an id in hexadecimal', '/stones/0x1', query('one', { id: '0x1' })),
  read('an unknown path', '/gems', query('none', {})),
  { title: 'an unknown method', method: 'DELETE', path: '/stones', call: query('add', {}) },
  add('a new stone, from nobody', {}, ruby),
  add('a new stone, with a wrong token', { Authorization: 'Bearer t-zoe' }, ruby),
  add('a new stone, from a reader', ben, ruby),
  add('a broken body, from a reader', ben, '{"name":', { method: 'POST', path: '/trpc/stones.add', body: '{"json":' }),
  add('a broken body', ann, '{"name":', { method: 'POST', path: '/trpc/stones.add', body: '{"json":' }),
  add('a stone that is too hard', ann, { ...ruby, hardness: 11 }),
  add('a stone without a date', ann, { name: 'ruby', hardness: 9 }, mutation('add', { name: 'ruby', hardness: 9 })),
  add('a date that is none', ann, { ...ruby, cutAt: 'yesterday' }),
  add('a new stone', ann, ruby),
  add('a stone as text', { ...ann, 'Content-Type': 'text/plain' }, ruby),
  read('the new stone', '/stones/3', query('one', { id: 3 })),
  upload('a photo', ben, 1, { photo: photo() }),
  upload('a photo from nobody', {}, 1, { photo: photo() }),
  upload('a form without the photo', ben, 1, { title: 'agate' }),
  sale('a sale', ann, 1),
  sale('a second sale', ann, 1),
  // At the end: where the text is taken for a number, it adds a stone.
  add('a text for a number', ann, { ...ruby, hardness: '9' }),
]
