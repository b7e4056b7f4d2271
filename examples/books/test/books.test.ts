/** The library as its clients see it. `server.fetch` needs no socket. */
import { client, credentials, isDeclaredError } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { match } from 'lapidary/links'
import { openapi } from 'lapidary/openapi'
import { paginate } from 'lapidary/pagination'
import { expect, onTestFinished, test } from 'vitest'
import { api, Book, bookRanges, librarians } from '../api.ts'
import { openDatabase } from '../database.ts'
import { createServer } from '../server.ts'

const base = 'http://books.example'

/** A library of its own for each test. */
function start() {
  const database = openDatabase(':memory:')
  onTestFinished(() => database.destroy())
  const { fetch } = createServer(database, 'shh')
  const ann = credentials(librarians, { username: 'ann', password: 'shh' })
  return { fetch, call: client(api, base, { fetch, auth: [ann] }) }
}

test('a librarian adds a book, which is found at its location', async () => {
  const { call } = start()
  const { headers } = await call.books.add({ body: { title: 'Micrographia', year: 1665 } })
  const found = match(api, headers.Location)
  expect(found).toMatchObject({ name: 'books.one', params: { id: 4 } })
  expect(await call.books.one({ params: { id: 4 } })).toEqual({ id: 4, title: 'Micrographia (added by ann)', year: 1665 })
  const { headers: count } = await call.books.all({ query: { sort: 'year' } })
  expect(count['Book-Count']).toBe(4)

  const fed: string[] = []
  for await (const { title } of await call.feed()) fed.push(title)
  expect(fed).toEqual(['Principia', 'Opticks', 'Poems', 'Micrographia (added by ann)'])
})

test('a book that is not there is a declared error', async () => {
  const { call } = start()
  const error = await call.books.one({ params: { id: 99 } }).catch((thrown: unknown) => thrown)
  expect(isDeclaredError(api.books.one, error) && error.detail).toBe('There is no book 99.')
})

test('a reader adds nothing', async () => {
  const { fetch } = start()
  const body = new URLSearchParams({ title: 'Mine', year: '1700' })
  const response = await fetch(new Request(`${base}/books`, { method: 'POST', body }))
  expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, expect.stringMatching(/^Basic realm="librarians"/)])
})

test('a browser sends a form, and gets a page', async () => {
  const { fetch } = start()
  const headers = { Authorization: `Basic ${btoa('ann:shh')}` }
  const body = new URLSearchParams({ title: 'Sylva', year: '1664' })
  expect((await fetch(new Request(`${base}/books`, { method: 'POST', headers, body }))).status).toBe(201)
  const response = await fetch(new Request(`${base}/books`, { headers: { Accept: 'text/html' } }))
  expect(await response.text()).toContain('<li>Sylva (added by ann)</li>')
})

test('the catalogue comes in pages, from the database as from an array', async () => {
  const { call, fetch } = start()
  const { body: shelf } = await call.books.all()
  const input = { range: 'year; limit 2' }
  const ofArray: string[] = []
  for await (const { title } of paginate((range) => bookRanges.page(range, shelf), input)) ofArray.push(title)
  expect(ofArray).toEqual(['Principia', 'Opticks', 'Poems'])

  const first = await fetch(new Request(`${base}/catalogue`, { headers: { Range: 'year; limit 2' } }))
  expect([first.status, first.headers.get('Total-Count')]).toEqual([206, '3'])
  expect(await first.json()).toMatchObject([{ title: 'Principia' }, { title: 'Opticks' }])
  const [, next = ''] = /<(.*)>; rel="next"/.exec(first.headers.get('Link') ?? '') ?? []
  const second = await fetch(new Request(base + next))
  expect(await second.json()).toEqual([{ id: 3, title: 'Poems', year: null }])
})

test('the old application is still there', async () => {
  const response = await start().fetch(new Request(`${base}/legacy/page`))
  expect(await response.text()).toBe('Still here: /page')
})

test('the documents are made of the same description', async () => {
  expect(markdown(await outline(api))).toContain('## GET /books/:id')
  expect(await openapi(api, { title: 'Books', version: '1.0.0', schemas: { Book } })).toMatchObject({ info: { title: 'Books' } })
})
