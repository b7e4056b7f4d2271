/** A client that records its requests instead of sending them, and an API with every part that a request can have. */
import {
  array,
  authScheme,
  basic,
  bearer,
  content,
  date,
  endpoint,
  form,
  html,
  int,
  json,
  list,
  noContent,
  ok,
  oneOf,
  optional,
  text,
} from 'lapidary'
import { type ClientOptions, client } from 'lapidary/client'
import { z } from 'zod'

export const base = 'http://test.invalid'
export const people = basic<string>('people')
export const partners = bearer<string>('partners')
export const keys = authScheme<string, { readonly key: string }>({
  name: 'keys',
  challenge: 'Key',
  credentials: (header) => ({ key: header('x-key') ?? '' }),
  headers: ({ key }) => ({ 'X-Key': key }),
  openapi: {},
})
const Order = z.object({ item: z.string(), count: z.int().optional(), note: z.string().nullable().optional() })

export const api = {
  hello: endpoint('GET /hello', { response: ok(text) }),
  day: endpoint('GET /days/:day/:name', { params: { day: date }, response: noContent }),
  search: endpoint('GET /search', {
    query: { limit: optional(int), sort: optional(oneOf('age')), word: optional(text) },
    response: noContent,
  }),
  noted: endpoint('GET /noted', { headers: { 'X-Note': optional(text), 'X-Tags': array(text) }, response: noContent }),
  order: endpoint('POST /orders', { body: content(Order, json, form), response: ok(text) }),
  numbers: endpoint('POST /numbers', { body: list(z.int()), response: noContent }),
  word: endpoint('POST /words', { body: text, response: noContent }),
  page: endpoint('GET /page', {
    response: ok(
      content(
        z.string(),
        html((word) => word),
      ),
    ),
  }),
  account: endpoint('GET /account', { auth: people, response: noContent }),
  partner: endpoint('GET /partner', { auth: partners, response: noContent }),
  locked: endpoint('GET /locked', { auth: keys, response: noContent }),
}

/** A client whose requests are kept, and each of them answered as its endpoint wants it. */
export function createRecordingClient(options: ClientOptions = {}, at: string | URL = base, createClient = client) {
  const sent: Request[] = []
  const calls = createClient(api, at, {
    ...options,
    fetch: async (request) => {
      sent.push(request)
      const isText = request.headers.get('accept') !== null
      return isText ? new Response('hello', { headers: { 'Content-Type': 'text/plain' } }) : new Response(null, { status: 204 })
    },
  })
  const last = (): Request => {
    const request = sent.at(-1)
    if (request === undefined) throw new Error('Nothing was sent.')
    return request
  }
  return { calls, sent, last, header: (name: string) => last().headers.get(name) }
}
