/** Calls that get a given response, and an API with every part that a response can have. */
import { array, bytes, date, endpoint, int, ndjson, noContent, ok, optional, reply, text } from 'lapidary'
import { z } from 'zod'
import { getReasonPhrase } from '../../../src/http/status.ts'
import type { ClientKind } from './clients.ts'

const Point = z.object({ x: z.int(), 'a/b~c': z.array(z.string()).optional() })

export const api = {
  point: endpoint('GET /point', { response: ok(Point), errors: [reply(404), reply(409, Point), reply(409, text)] }),
  word: endpoint('GET /word', { response: ok(text) }),
  bytes: endpoint('GET /bytes', { response: ok(bytes) }),
  counted: endpoint('GET /counted', {
    response: ok(text, { headers: { 'X-Count': int, 'X-Sizes': array(int), 'X-Day': optional(date) } }),
  }),
  stream: endpoint('GET /stream', { response: ok(ndjson(Point)) }),
  nothing: endpoint('DELETE /nothing', { response: noContent }),
  odd: endpoint('GET /odd', { response: ok(text), errors: [reply(202, text)] }),
}

/** The names of the endpoints. */
export type Name = keyof typeof api

export const base = 'http://test.invalid'

/** Makes the call of an endpoint, which gets this answer. The light client has no table of reason phrases. */
export const createResponder =
  ({ createClient, isLight }: Pick<ClientKind, 'createClient' | 'isLight'>) =>
  (name: Name, response: Response): (() => Promise<unknown>) => {
    const statusText = response.statusText || getReasonPhrase(response.status)
    if (isLight) Object.defineProperty(response, 'statusText', { value: statusText })
    return createClient(api, base, { fetch: async () => response })[name]
  }

type Headers = Readonly<Record<string, string>>

/** An answer of this type; `''` is none. */
export const typed = (type: string, body: string | Uint8Array<ArrayBuffer>, status = 200, headers: Headers = {}): Response =>
  // A text would bring a type of its own.
  new Response(typeof body === 'string' ? new TextEncoder().encode(body) : body, {
    status,
    headers: { ...(type === '' ? {} : { 'Content-Type': type }), ...headers },
  })

export const jsonResponse = (body: unknown, status = 200): Response => typed('application/json', JSON.stringify(body), status)
