/** Bodies that a request can leave out. */
import { content, endpoint, form, json, noContent, ok, optional, text } from 'lapidary'
import { client } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { z } from 'zod'

const Note = z.object({ note: z.string(), count: z.int().default(1) })

const api = {
  note: endpoint('POST /note', { body: optional(content(Note, json, form)), response: noContent }),
  text: endpoint('POST /text', { query: { word: optional(text) }, body: optional(text), response: ok(text) }),
}

export const server = serve(api, {
  note: ({ body }) => {
    const count: number | undefined = body?.count
    // @ts-expect-error: it may be undefined
    body.count
    void count
  },
  text: ({ body, query }) => body ?? query.word ?? '',
})

export async function run(): Promise<void> {
  const call = client(api, 'http://localhost')
  await call.note()
  await call.note({})
  await call.note({ body: undefined })
  await call.note({ body: { note: 'a' } })
  await call.text({ query: { word: 'a' } })
  await call.text({ body: 'a' })
  // @ts-expect-error: a body that is there has its type
  await call.note({ body: { note: 1 } })
}
