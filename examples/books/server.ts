/** What the library does: a function for each endpoint. */
import { errors, withHeaders } from 'lapidary'
import { kyselySource } from 'lapidary/kysely'
import { link } from 'lapidary/links'
import { type ApiServer, authenticate, fromFetch, serve } from 'lapidary/server'
import { api, bookRanges, librarians } from './api.ts'
import type { Database } from './database.ts'

/** @param password of the librarians */
export function createServer(database: Database, password: string): ApiServer {
  const books = () => database.selectFrom('books').selectAll()
  const catalogue = kyselySource(books(), {
    fields: { title: 'books.title', year: 'books.year' },
    key: 'books.id',
    nulls: { year: 'highest' },
  })

  return serve(
    api,
    {
      books: {
        all: async ({ query: { sort } }) => {
          const found = await books()
            .orderBy(sort ?? 'id')
            .execute()
          return withHeaders(found, { 'Book-Count': found.length })
        },
        one: async ({ params: { id } }) => {
          const book = await books().where('id', '=', id).executeTakeFirst()
          if (book === undefined) throw errors.notFound({ detail: `There is no book ${id}.` })
          return book
        },
        add: async ({ body: { title, year }, user }) => {
          const book = { title: `${title} (added by ${user.name})`, year }
          const { id } = await database.insertInto('books').values(book).returning('id').executeTakeFirstOrThrow()
          return withHeaders(undefined, { Location: link(api.books.one, { params: { id } }) })
        },
        remove: async ({ params: { id } }) => {
          await database.deleteFrom('books').where('id', '=', id).execute()
        },
      },
      catalogue: (input) => bookRanges.page(input, catalogue, { link: (range) => link(api.catalogue, { query: { range } }) }),
      feed: async function* (_, { signal, shutdown }) {
        for await (const book of books().orderBy('id').stream()) {
          if (signal.aborted || shutdown.aborted) return
          yield book
        }
      },
      legacy: fromFetch((request) => new Response(`Still here: ${new URL(request.url).pathname}`)),
    },
    { auth: [authenticate(librarians, (given) => (given.password === password ? { name: given.username } : undefined))] },
  )
}
