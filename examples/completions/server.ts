/** The server: the API, its handlers, and the page. */
import { fileURLToPath } from 'node:url'
import { errors, mount, respond, withHeaders } from 'lapidary'
import { link } from 'lapidary/links'
import { securityHeaders } from 'lapidary/middleware'
import { serve } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import { api } from './api.ts'
import type { Completions } from './completions.ts'

const page = serveStatic(fileURLToPath(new URL('public', import.meta.url)), {
  headers: { 'Content-Security-Policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'" },
})

const createNotFound = (id: string) => errors.notFound({ detail: `There is no completion ${id}, or it has ended long ago.` })

export const createServer = (completions: Completions) =>
  serve(
    { ...api, page: mount('/') },
    {
      completions: {
        start: ({ body }) => {
          const started = completions.start(body)
          return withHeaders(started, { Location: link(api.completions.one, { params: { id: started.id } }) })
        },
        one: ({ params: { id } }) => completions.find(id) ?? createNotFound(id),
        events: ({ params: { id }, headers: { 'Last-Event-ID': last = 0 } }, { signal }) => {
          if (completions.find(id) === undefined) throw createNotFound(id)
          return completions.hasMore(id, last) ? respond(200, completions.read(id, last, signal)) : respond(204)
        },
        cancel: ({ params: { id } }) => {
          if (!completions.cancel(id)) throw createNotFound(id)
        },
        lines: async function* ({ body }, { signal }) {
          for await (const { data } of completions.complete(body, signal)) yield data
        },
      },
      page,
    },
    { middleware: [securityHeaders()] },
  )
