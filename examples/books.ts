/** A small library of books: every word of the tour in the README. */
import {
  basic,
  content,
  created,
  endpoint,
  errors,
  form,
  type Html,
  html,
  htmlTemplate,
  int,
  json,
  list,
  mount,
  ndjson,
  noContent,
  ok,
  oneOf,
  optional,
  prefix,
  reply,
  withHeaders,
} from 'lapidary'
import { client, credentials, isDeclaredError } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { link, match } from 'lapidary/links'
import { openapi } from 'lapidary/openapi'
import { authenticate, fromFetch, serve } from 'lapidary/server'
import { z } from 'zod'

const Book = z.object({ title: z.string(), year: z.int() })
type Book = z.infer<typeof Book>

const page = (books: readonly Book[]): Html => htmlTemplate`<ul>${books.map(({ title }) => htmlTemplate`<li>${title}</li>`)}</ul>`
const librarians = basic<{ readonly name: string }>('librarians')

export const api = {
  books: prefix('/books', {
    all: endpoint('GET /', {
      query: { sort: optional(oneOf('title', 'year'), { description: 'what to order by' }) },
      response: ok(content(list(Book), json, html(page)), { headers: { 'Book-Count': int } }),
    }),
    one: endpoint('GET /:id', { params: { id: int }, response: ok(Book), errors: [reply(404)] }),
    add: endpoint('POST /', { auth: librarians, body: content(Book, json, form), response: created }),
    remove: endpoint('DELETE /:id', { auth: librarians, params: { id: int }, response: noContent }),
  }),
  feed: endpoint('GET /feed', { response: ok(ndjson(Book)) }),
  legacy: mount('/legacy'),
}

const shelf = new Map<number, Book>([
  [1, { title: 'Principia', year: 1687 }],
  [2, { title: 'Opticks', year: 1704 }],
])

export const server = serve(
  api,
  {
    books: {
      all: ({ query: { sort } }) => {
        const books = [...shelf.values()]
        if (sort !== undefined) books.sort((one, other) => (one[sort] < other[sort] ? -1 : 1))
        return withHeaders(books, { 'Book-Count': books.length })
      },
      one: ({ params: { id } }) => {
        const book = shelf.get(id)
        if (book === undefined) throw errors.notFound({ detail: `There is no book ${id}.` })
        return book
      },
      add: ({ body, user }) => {
        const id = shelf.size + 1
        shelf.set(id, { ...body, title: `${body.title} (added by ${user.name})` })
        return withHeaders(undefined, { Location: link(api.books.one, { params: { id } }) })
      },
      remove: ({ params: { id } }) => {
        shelf.delete(id)
      },
    },
    feed: async function* (_, { signal, shutdown }) {
      for (const book of shelf.values()) {
        if (signal.aborted || shutdown.aborted) return
        yield book
      }
    },
    legacy: fromFetch((request) => new Response(`Still here: ${new URL(request.url).pathname}`)),
  },
  { auth: [authenticate(librarians, ({ username, password }) => (password === 'shh' ? { name: username } : undefined))] },
)

const ann = credentials(librarians, { username: 'ann', password: 'shh' })
const call = client(api, 'http://books.example', { fetch: server.fetch, auth: [ann] })

const { headers } = await call.books.add({ body: { title: 'Micrographia', year: 1665 } })
export const location: string = headers.Location

async function titleOf(id: number): Promise<string> {
  try {
    return (await call.books.one({ params: { id } })).title
  } catch (error) {
    if (isDeclaredError(api.books.one, error)) return `no book: ${error.detail}`
    throw error
  }
}

const found = match(api, location)
export const titles: readonly string[] = [...(found?.name === 'books.one' ? [await titleOf(found.params.id)] : []), await titleOf(99)]

export const fed: string[] = []
for await (const { title } of await call.feed()) fed.push(title)

export const documentation: string = markdown(await outline(api))
export const document: object = await openapi(api, { title: 'Books', version: '1.0.0', schemas: { Book } })
