/** An API with what a page needs, its server, and a client of each kind for it. */
import { setTimeout } from 'node:timers/promises'
import { array, created, date, endpoint, events, int, ndjson, noContent, ok, optional, prefix, problem, reply, text } from 'lapidary'
import type { Client, ClientOptions, client } from 'lapidary/client'
import { cursorPagination, pagePagination, rangePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { z } from 'zod'
import { clients } from '../../../lapidary/test/support/client/clients.ts'

export const Stone = z.object({ name: z.string(), carat: z.int() })
export type Stone = z.infer<typeof Stone>

const fields = { name: { codec: text, get: ({ name }: Stone) => name } }
const options = { key: ({ name }: Stone) => name, default: 'name' } as const
const byCursor = cursorPagination(Stone, fields, options)
const byRange = rangePagination(Stone, fields, options)
const byNumber = pagePagination(Stone)

export const api = {
  stones: prefix('/stones', {
    list: endpoint('GET /', { query: { color: array(text), since: optional(date) }, response: ok(z.array(Stone)) }),
    one: endpoint('GET /:name', { response: ok(Stone), etag: true, errors: [reply(404, z.object({ nearest: z.string() }))] }),
    replace: endpoint('PUT /:name', { body: Stone, response: noContent, etag: 'required' }),
    remove: endpoint('DELETE /:name', { response: noContent, errors: [problem(409, '/set-in-gold')] }),
    add: endpoint('POST /', { body: Stone, response: created(Stone) }),
    reviews: endpoint('GET /:name/reviews/:number', { params: { number: int }, response: ok(text) }),
    search: endpoint('POST /search', { body: z.object({ text: z.string() }), response: ok(z.array(Stone)) }),
  }),
  grouped: endpoint('GET /grouped', { query: z.object({ from: z.string(), to: z.string().optional() }), response: ok(text) }),
  file: endpoint('GET /files/*path', { response: ok(text) }),
  greet: endpoint('GET /greet', { headers: { 'Accept-Language': optional(text) }, response: ok(text) }),
  nothing: endpoint('GET /nothing', { response: noContent }),
  cursors: endpoint('GET /cursors', { ...byCursor.declaration }),
  ranges: endpoint('GET /ranges', { ...byRange.declaration }),
  numbers: endpoint('GET /numbers', { ...byNumber.declaration }),
  ticks: endpoint('GET /ticks', { headers: { 'Last-Event-ID': optional(int) }, response: ok(events(z.int())) }),
  lines: endpoint('GET /lines', { response: ok(ndjson(z.object({ line: z.int() }))) }),
} as const

export const shelf: readonly Stone[] = ['agate', 'beryl', 'calcite', 'diamond', 'emerald'].map((name, carat) => ({ name, carat }))

/** Makes a server with a shelf of its own. */
export function createStoneServer() {
  const stones = new Map(shelf.map((stone) => [stone.name, stone]))
  /** What the server has seen: how many requests, and how many that were cancelled. */
  const seen = { requests: 0, cancelled: 0 }
  const server = serve(api, {
    stones: {
      list: ({ query: { color } }) => {
        seen.requests += 1
        return [...stones.values()].filter(({ name }) => color.length === 0 || color.includes(name))
      },
      one: ({ params, fail }) => {
        seen.requests += 1
        return stones.get(params.name) ?? fail(404, { body: { nearest: 'opal' } })
      },
      replace: ({ params, body, precondition }) => {
        precondition(stones.get(params.name))
        stones.set(params.name, body)
      },
      remove: ({ params, fail }) => {
        if (params.name === 'diamond') fail(409, { body: { type: '/set-in-gold' } })
        stones.delete(params.name)
      },
      add: ({ body }) => {
        stones.set(body.name, body)
        return { body, headers: { Location: `/stones/${body.name}` } }
      },
      reviews: ({ params }) => `${params.name} ${params.number}`,
      search: ({ body }) => shelf.filter(({ name }) => name.includes(body.text)),
    },
    grouped: ({ query }) => `${query.from} ${query.to}`,
    file: ({ params }) => params.path,
    greet: ({ headers }) => (headers['Accept-Language'] === 'fr' ? 'bonjour' : 'hello'),
    nothing: () => {},
    cursors: (input) => byCursor.page(input, shelf),
    ranges: (input) => byRange.page(input, shelf),
    numbers: (input) => byNumber.page(input, shelf),
    ticks: async function* ({ headers }) {
      try {
        for (let id = (headers['Last-Event-ID'] ?? 0) + 1; ; id += 1) {
          yield { id: String(id), data: id }
          await setTimeout(50)
        }
      } finally {
        seen.cancelled += 1
      }
    },
    lines: async function* () {
      for (const line of [1, 2, 3]) yield { line }
    },
  })
  return { server, seen, stones }
}

/** A client of each kind. */
export const stoneClients: readonly (readonly [kind: string, create: (base: string, options?: ClientOptions) => Client<typeof api>])[] =
  clients.map(({ kind, createClient }) => [kind, (base, options) => (createClient as typeof client)(api, base, options)])
