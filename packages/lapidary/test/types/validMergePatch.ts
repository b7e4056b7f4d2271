/** Merge patches: members that can be absent, and null for those that can be removed. Read by the compiler alone. */
import { applyMergePatch, endpoint, type MergePatch, mergePatch, noContent } from 'lapidary'
import { client } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { z } from 'zod'

const Stone = z.object({
  name: z.string(),
  note: z.string().nullable(),
  color: z.string().optional(),
  count: z.int().default(1),
  cut: z.string().transform((day) => new Date(day)),
  tags: z.array(z.object({ text: z.string() })),
  place: z.object({ room: z.string(), shelf: z.int().optional() }),
  prices: z.record(z.string(), z.int()),
})
const api = { change: endpoint('PATCH /stone', { body: mergePatch(Stone), response: noContent }) }
const opal = { name: 'opal', note: null, cut: '2026-11-22', tags: [], place: { room: 'x' }, prices: {} }

export const server = serve(api, {
  change: ({ body }) => {
    const name: string | undefined = body.name
    const color: string | null | undefined = body.color
    const shelf: number | null | undefined = body.place?.shelf
    const next = applyMergePatch(Stone, opal, body)
    void [name, color, shelf, next.cut.getTime(), next.count.toFixed()]
  },
})
const { change } = client(api, 'http://127.0.0.1:8081')
await change({ body: {} })
await change({ body: { color: null, count: null, place: { shelf: null }, prices: { eur: null }, tags: [{ text: 'a' }] } })
export const patch: MergePatch<{ readonly a: number; readonly b?: { readonly c: string } }> = { b: { c: 'x' } }
