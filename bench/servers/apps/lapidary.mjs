/** The API, described with Lapidary, for node:http and for Bun. */
import { endpoint, int, list, ndjson, ok, optional, text } from 'lapidary'
import { link } from 'lapidary/links'
import { rangePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { z } from 'zod'
import { email, greeting, hundred, many, thousand } from '../data.mjs'

const Hello = z.object({ msg: z.string() })
const Position = z.object({ xCoord: z.int(), yCoord: z.int() })
const ClientInfo = z.object({
  clientName: z.string(),
  clientEmail: z.string(),
  clientAge: z.int(),
  clientInterestedIn: z.array(z.string()),
})
const Email = z.object({ from: z.string(), to: z.string(), subject: z.string(), body: z.string() })
const User = z.object({ name: z.string(), age: z.int(), email: z.string(), registration_date: z.iso.date() })
const Color = z.object({ name: z.string(), rgb: z.array(z.int()), hex: z.string() })

const colorRanges = rangePagination(Color, { name: { codec: text, get: ({ name }) => name } }, { key: ({ name }) => name, default: 'name' })

const api = {
  hello: endpoint('GET /hello', { query: { name: optional(text) }, response: ok(Hello) }),
  position: endpoint('GET /position/:x/:y', { params: { x: int, y: int }, response: ok(Position) }),
  marketing: endpoint('POST /marketing', { body: ClientInfo, response: ok(Email) }),
  hundred: endpoint('GET /hundred', { response: ok(list(User)) }),
  thousand: endpoint('GET /thousand', { response: ok(list(User)) }),
  stored: endpoint('GET /stored', { response: ok(list(User)) }),
  tagged: endpoint('GET /tagged', { response: ok(list(User)), etag: true }),
  colors: endpoint('GET /colors', { ...colorRanges.declaration }),
  stream: endpoint('GET /stream', { response: ok(ndjson(User)) }),
}

/**
 * Pages after a name; the benchmark asks for no others.
 * @param {import('../data.mjs').Store} rows
 */
const colors = ({ count, page }) => ({
  count,
  page: ({ after, limit }) => page(after?.value ?? '', limit),
})

/** @param {import('../data.mjs').Store} rows */
export function app(rows) {
  const source = colors(rows)
  return serve(api, {
    hello: ({ query }) => greeting(query.name),
    position: ({ params }) => ({ xCoord: params.x, yCoord: params.y }),
    marketing: ({ body }) => email(body),
    hundred: () => hundred,
    thousand: () => thousand,
    stored: () => rows.users(),
    tagged: () => hundred,
    colors: (input) => colorRanges.page(input, source, { link: (range) => link(api.colors, { query: { range } }) }),
    stream: many,
  })
}
