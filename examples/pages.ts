/** Pages: declared once, served from an array or from a database by its index, and walked to the end. */
import { Kysely } from 'kysely'
import { endpoint, int, text } from 'lapidary'
import { kyselySource } from 'lapidary/kysely'
import { link } from 'lapidary/links'
import { paginate, rangePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { z } from 'zod'
import { sqliteDialect } from './sqliteDialect.ts'

const Book = z.object({ id: z.int(), title: z.string(), year: z.int().nullable() })
type Book = z.infer<typeof Book>

export const bookRanges = rangePagination(
  Book,
  {
    title: { codec: text, get: (book) => book.title },
    year: { codec: int, get: (book) => book.year, nulls: 'highest' },
  },
  { key: { codec: int, get: (book) => book.id }, default: 'title', options: { year: { limit: 5, order: 'asc' } } },
)

export const api = {
  books: endpoint('GET /books', { summary: 'Books, a page at a time.', ...bookRanges.declaration }),
}

const shelf: readonly Book[] = [
  { id: 1, title: 'Principia', year: 1687 },
  { id: 2, title: 'Opticks', year: 1704 },
  { id: 3, title: 'Poems', year: null },
]

export const server = serve(api, {
  books: (input) => bookRanges.page(input, shelf, { link: (range) => link(api.books, { query: { range } }) }),
})

export async function titles(): Promise<readonly string[]> {
  const found: string[] = []
  for await (const book of paginate((input) => bookRanges.page(input, shelf), { range: 'year; limit 2' })) found.push(book.title)
  return found
}

const database = new Kysely<{ books: Book }>({ dialect: sqliteDialect(':memory:') })

const stored = kyselySource(database.selectFrom('books').selectAll(), {
  fields: { title: 'books.title', year: 'books.year' },
  key: 'books.id',
  nulls: { year: 'highest' },
})

export const storing = serve(api, { books: (input) => bookRanges.page(input, stored) })
