/** What other people's readers of an OpenAPI document are tried with, besides the example `bookmarks`: what that one lacks. */
import {
  apiKey,
  array,
  bearer,
  content,
  cookie,
  created,
  either,
  endpoint,
  file,
  form,
  int,
  json,
  list,
  multipart,
  ok,
  oneOf,
  optional,
  reply,
  seeOther,
  setCookie,
  text,
} from 'lapidary'
import { z } from 'zod'

const Name = z.string().min(1).max(40)
const NewStone = z.object({ name: Name, weight: z.number().min(0).optional(), tags: z.array(Name) })
export const Stone = NewStone.extend({ id: z.int() })
export const Job = z.object({ job: z.int(), name: Name })
const Picture = z.object({ title: z.string(), tags: z.array(z.string()), bytes: z.int(), others: z.array(z.int()) })
const Search = z.object({
  tags: z.array(Name),
  page: z.int().min(1).default(1),
  filter: z.object({ owner: Name, sizes: z.array(z.int()) }).optional(),
  order: z.object({ by: z.enum(['name', 'weight']).optional() }).optional(),
})
const Found = z.object({
  tags: z.array(z.string()),
  page: z.int(),
  owner: z.string().optional(),
  sizes: z.array(z.int()),
  by: z.string().optional(),
})

export const session = apiKey<{ readonly name: string }>({ in: 'cookie', name: 'session' })
export const token = bearer<{ readonly name: string }>('token')
export const machine = apiKey<{ readonly machine: string }>({ in: 'header', name: 'X-Machine' })

const theme = oneOf('light', 'dark')

export const api = {
  search: endpoint('GET /stones', { query: Search, response: ok(Found) }),
  add: endpoint('POST /stones', {
    auth: either(session, token),
    body: content(NewStone, json, form),
    response: [created(Stone), reply(202, Job), seeOther],
    errors: [reply(409)],
  }),
  picture: endpoint('PUT /stones/:id/picture', {
    auth: machine,
    params: { id: int },
    body: multipart({ title: text, tags: array(text), picture: file({ types: ['image/png'] }), others: array(file()) }),
    response: ok(Picture),
  }),
  theme: endpoint('GET /theme', {
    cookies: { theme, visits: optional(int) },
    response: ok(list(z.string()), { headers: { 'Set-Cookie': setCookie({ theme: cookie(theme) }) } }),
  }),
  tags: endpoint('GET /tags', { response: ok(text, { headers: { 'X-Tags': array(text) } }) }),
}
