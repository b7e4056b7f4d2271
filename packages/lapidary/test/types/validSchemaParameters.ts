/** Parameters by schemas: what a handler gets, and what a call takes. Read by the compiler alone. */
import { endpoint, int, json, ok, optional, text } from 'lapidary'
import { client } from 'lapidary/client'
import { link } from 'lapidary/links'
import { serve } from 'lapidary/server'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const api = {
  mixed: endpoint('GET /stones/:id/:page', {
    params: { id: z.uuid() },
    query: {
      word: text,
      size: optional(int),
      page: z.int().default(1),
      owner: z.uuid().optional(),
      day: z.iso.date().transform((day) => new Date(day)),
      tags: z.array(z.string()),
    },
    headers: { 'X-Level': z.int() },
    response: ok(json),
  }),
  whole: endpoint('GET /whole', {
    query: z.object({ page: z.int().default(1), filter: z.object({ owner: z.uuid() }).optional() }),
    response: ok(json),
  }),
  point: endpoint('GET /points/:x/:y', { params: z.object({ x: z.int(), y: z.int().transform(String) }), response: ok(json) }),
  tagged: endpoint('GET /tagged', { headers: z.object({ 'X-One': z.int() }), response: ok(json), etag: true }),
}

export const server = serve(api, {
  mixed: ({ params, query, headers }) => {
    yes<Same<typeof params, { readonly id: string; readonly page: string }>>()
    yes<Same<(typeof query)['word'], string>>()
    yes<Same<(typeof query)['size'], number | undefined>>()
    yes<Same<(typeof query)['page'], number>>()
    yes<Same<(typeof query)['owner'], string | undefined>>()
    yes<Same<(typeof query)['day'], Date>>()
    yes<Same<(typeof query)['tags'], string[]>>()
    yes<Same<typeof headers, { readonly 'X-Level': number }>>()
    return null
  },
  whole: ({ query }) => {
    yes<Same<typeof query, { page: number; filter?: { owner: string } | undefined }>>()
    return null
  },
  point: ({ params }) => {
    yes<Same<typeof params, { x: number; y: string }>>()
    return null
  },
  tagged: ({ headers }) => headers['X-One'].toFixed() + (headers['If-None-Match'] ?? ''),
})

const call = client(api, 'http://127.0.0.1')
await call.mixed({ params: { id: 'a', page: '1' }, query: { word: 'w', day: '2024-02-29', tags: [] }, headers: { 'X-Level': 1 } })
await call.whole()
await call.whole({ query: { page: 2, filter: { owner: 'a' } } })
await call.point({ params: { x: 1, y: 2 } })
await call.tagged({ headers: { 'X-One': 1, 'If-None-Match': '"a"' } })
link(api.whole, { query: { filter: { owner: 'a' } } })
// @ts-expect-error: the owner is missing
link(api.whole, { query: { filter: {} } })
// @ts-expect-error: the day is text, before it is transformed
await call.mixed({ params: { id: 'a', page: '1' }, query: { word: 'w', day: new Date(), tags: [] }, headers: { 'X-Level': 1 } })
