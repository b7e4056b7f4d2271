/** What must compile of pages, and what their types then say: read by the compiler alone. */
import { endpoint, int, optional, text } from 'lapidary'
import { client } from 'lapidary/client'
import { link } from 'lapidary/links'
import { cursorPagination, type KeysetSource, type OffsetSource, pagePagination, paginate } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const Stone = z.object({ name: z.string(), hardness: z.int() })
type Stone = z.infer<typeof Stone>
const fields = {
  name: { codec: text, get: ({ name }: Stone) => name },
  hardness: { codec: int, get: ({ hardness }: Stone) => hardness },
}
const options = { key: ({ name }: Stone) => name, default: '-hardness' } as const
const cursors = cursorPagination(Stone, fields, options)
const cursorsInBody = cursorPagination(Stone, fields, { ...options, body: { items: 'data', next: 'nextCursor' } })
const numbers = pagePagination(Stone)
const numbersInBody = pagePagination(Stone, { limit: 20, body: { items: 'stones', total: 'count' } })

const api = {
  cursors: endpoint('GET /cursors', { ...cursors.declaration, query: { ...cursors.declaration.query, color: optional(text) } }),
  cursorsInBody: endpoint('GET /cursors-in-body', { ...cursorsInBody.declaration }),
  ofMine: endpoint('GET /mines/:mine', { params: { mine: int }, ...cursorsInBody.declaration }),
  numbers: endpoint('GET /numbers', { ...numbers.declaration }),
  numbersInBody: endpoint('GET /numbers-in-body', { ...numbersInBody.declaration }),
}

declare const keysetSource: KeysetSource<Stone, 'name' | 'hardness'>
declare const offsetSource: OffsetSource<Stone>

serve(api, {
  cursors: (input) => {
    yes<Same<typeof input.query.sort, 'name' | 'hardness' | '-name' | '-hardness'>>()
    yes<Same<typeof input.query.limit, number>>()
    return cursors.page(input, keysetSource, { link: (query) => link(api.cursors, { query: { ...input.query, ...query } }) })
  },
  cursorsInBody: (input) => cursorsInBody.page(input, []),
  ofMine: (input) => cursorsInBody.page(input, keysetSource, { maxBytes: 1_000 }),
  numbers: (input) => numbers.page(input, offsetSource),
  numbersInBody: async (input) => {
    const page = await numbersInBody.page(input, [])
    yes<Same<typeof page.body, { readonly stones: readonly Stone[]; readonly count: number }>>()
    return page
  },
})

const call = client(api, 'http://127.0.0.1:8081')

export async function walk(): Promise<void> {
  const page = await call.cursorsInBody({ query: { sort: '-name', limit: 5 } })
  yes<Same<typeof page.body, { readonly data: Stone[]; readonly nextCursor?: string }>>()
  yes<Same<typeof page.headers.Link, string | undefined>>()
  const { headers } = await call.numbers({ query: { page: 2 } })
  yes<Same<keyof typeof headers, 'Total-Count' | 'Link'>>()
  const inBody = await call.numbersInBody()
  yes<Same<keyof typeof inBody.headers, 'Link'>>()

  for await (const stone of paginate(call.cursors, { input: { query: { color: 'red', sort: 'name' } } })) yes<Same<typeof stone, Stone>>()
  for await (const stone of paginate(call.cursorsInBody)) yes<Same<typeof stone, Stone>>()
  for await (const stone of paginate(call.ofMine, { input: { params: { mine: 7 } } })) yes<Same<typeof stone, Stone>>()
  for await (const stone of paginate(call.numbers)) yes<Same<typeof stone, Stone>>()
  for await (const stone of paginate(call.numbersInBody, { input: { query: { page: 2 } } })) yes<Same<typeof stone, Stone>>()
  const names = paginate(call.cursorsInBody, {
    items: ({ body }) => body.data.map(({ name }) => name),
    next: ({ body: { nextCursor: cursor } }) => (cursor === undefined ? undefined : { query: { cursor } }),
  })
  for await (const name of names) yes<Same<typeof name, string>>()
}
