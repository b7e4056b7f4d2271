/** Serves the notes: from a database, in pages that its index finds. */
import { Kysely } from 'kysely'
import { errors, withHeaders } from 'lapidary'
import { kyselySource } from 'lapidary/kysely'
import { link } from 'lapidary/links'
import type { Middleware } from 'lapidary/middleware'
import { type ApiServer, authenticate, serve } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import { api, type Note, noteRanges, writers } from './api.js'
import { sqliteDialect } from './sqliteDialect.js'

const database = new Kysely<{ notes: Note }>({ dialect: sqliteDialect(':memory:') })
await database.schema.createTable('notes').addColumn('id', 'integer').addColumn('title', 'text').execute()

const notes = database.selectFrom('notes').selectAll()
const stored = kyselySource(notes, { fields: { title: 'notes.title' }, key: 'notes.id' })

/** `folder` holds the attachments. */
export const server = (folder: string, middleware: readonly Middleware[] = []): ApiServer =>
  serve(
    api,
    {
      notes: {
        page: (input) => noteRanges.page(input, stored, { link: (range) => link(api.notes.page, { query: { range } }) }),
        one: async ({ params: { id } }) => {
          const note = await notes.where('id', '=', id).executeTakeFirst()
          if (note === undefined) throw errors.notFound({ detail: `There is no note ${id}.` })
          return note
        },
        add: async ({ body, user }) => {
          await database
            .insertInto('notes')
            .values({ ...body, title: `${body.title} (${user.name})` })
            .execute()
          return withHeaders(undefined, { Location: link(api.notes.one, { params: { id: body.id } }) })
        },
      },
      found: ({ query: { word } }) => notes.where('title', 'like', `%${word}%`).execute(),
      feed: () => notes.stream(),
      attachments: serveStatic(folder),
    },
    {
      auth: [authenticate(writers, ({ username, password }) => (password === 'ink' ? { name: username } : undefined))],
      middleware,
    },
  )
