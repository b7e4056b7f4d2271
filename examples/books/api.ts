/** What the library is: a description, which the server, the client and the documents are made of. */
import {
  basic,
  content,
  created,
  endpoint,
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
  text,
} from 'lapidary'
import { rangePagination } from 'lapidary/pagination'
import { z } from 'zod'

const NewBook = z.object({ title: z.string(), year: z.int() })
export const Book = z.object({ id: z.int(), title: z.string(), year: z.int().nullable() })
export type Book = z.infer<typeof Book>

const page = (books: readonly Book[]): Html => htmlTemplate`<ul>${books.map(({ title }) => htmlTemplate`<li>${title}</li>`)}</ul>`

export const librarians = basic<{ readonly name: string }>('librarians')

/** The pages of the catalogue: by title, or by year. A client asks for one with `Range: year; limit 2`. */
export const bookRanges = rangePagination(
  Book,
  {
    title: { codec: text, get: (book) => book.title },
    year: { codec: int, get: (book) => book.year, nulls: 'highest' },
  },
  { key: { codec: int, get: (book) => book.id }, default: 'title', options: { year: { limit: 5, order: 'asc' } } },
)

export const api = {
  books: prefix('/books', {
    all: endpoint('GET /', {
      query: { sort: optional(oneOf('title', 'year'), { description: 'what to order by' }) },
      response: ok(content(list(Book), json, html(page)), { headers: { 'Book-Count': int } }),
    }),
    one: endpoint('GET /:id', { params: { id: int }, response: ok(Book), errors: [reply(404)] }),
    add: endpoint('POST /', { auth: librarians, body: content(NewBook, json, form), response: created }),
    remove: endpoint('DELETE /:id', { auth: librarians, params: { id: int }, response: noContent }),
  }),
  catalogue: endpoint('GET /catalogue', { summary: 'Books, a page at a time.', ...bookRanges.declaration }),
  feed: endpoint('GET /feed', { response: ok(ndjson(Book)) }),
  legacy: mount('/legacy'),
}
