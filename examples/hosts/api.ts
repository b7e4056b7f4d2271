/** The API that each of the hosts has. The base path stands here, and nowhere else. */
import {
  array,
  cookie,
  created,
  download,
  endpoint,
  events,
  file,
  int,
  json,
  list,
  multipart,
  ndjson,
  noContent,
  ok,
  optional,
  prefix,
  reply,
  seeOther,
  setCookie,
  text,
} from 'lapidary'
import { z } from 'zod'

export const NewStone = z.object({ name: z.string(), carat: z.number() })
export const Stone = NewStone.extend({ id: z.int() })

const session = cookie(text, { maxAge: 3600 })
const theme = cookie(text, { httpOnly: false })

export const api = prefix('/api', {
  stones: prefix('/stones', {
    list: endpoint('GET /', { query: { name: array(text), above: optional(int) }, response: ok(list(Stone)) }),
    one: endpoint('GET /:id', { params: { id: int }, response: ok(Stone), errors: [reply(404)], etag: true }),
    create: endpoint('POST /', { body: NewStone, response: created(Stone) }),
    replace: endpoint('PUT /:id', { params: { id: int }, body: NewStone, response: noContent, errors: [reply(404)], etag: 'required' }),
    sell: endpoint('POST /:id/sale', { params: { id: int }, response: noContent, errors: [reply(409)] }),
  }),
  latest: endpoint('GET /latest', { response: seeOther }),
  notes: endpoint('GET /notes/:text', { query: { word: array(text) }, response: ok(json) }),
  login: endpoint('POST /login', { response: noContent({ headers: { 'Set-Cookie': setCookie({ session, theme }) } }) }),
  me: endpoint('GET /me', { cookies: { session, theme: optional(text) }, response: ok(json) }),
  photo: endpoint('POST /photos', { body: multipart({ title: text, photo: file({ maxSize: '1 MB' }) }), response: ok(json) }),
  certificate: endpoint('GET /certificate', { response: ok(download('text/plain')) }),
  lines: endpoint('GET /lines', { response: ok(ndjson(z.object({ line: z.int() }))) }),
  changes: endpoint('GET /changes', { response: ok(events(z.object({ change: z.int() }))) }),
  pay: endpoint('POST /payments', { body: z.object({ amount: z.int() }), response: created(json), idempotent: 'required' }),
  wait: endpoint('GET /wait', { response: noContent }),
  break: endpoint('GET /break', { response: ok(text) }),
  /** What the handlers have seen, which a client cannot see. */
  seen: endpoint('GET /seen', { response: ok(json) }),
})
