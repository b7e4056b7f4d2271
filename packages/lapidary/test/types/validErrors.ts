/** Declared errors with headers and bodies: what `fail` takes, and what a handler returns. Read by the compiler alone. */
import { bool, created, type ErrorHeaders, endpoint, errors, HttpError, int, noContent, optional, reply, text, withHeaders } from 'lapidary'
import { client, isDeclaredError } from 'lapidary/client'
import { type Handlers, serve } from 'lapidary/server'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const SoldOut = z.object({ left: z.int() })
const retryAfter = { 'Retry-After': int, 'X-Exact': optional(bool) }

const api = {
  order: endpoint('POST /orders', {
    body: text,
    response: created,
    errors: [reply(404), reply(409, SoldOut), reply(429, undefined, { headers: retryAfter }), reply(503, text, { headers: retryAfter })],
  }),
  hint: endpoint('GET /hint', { response: noContent, errors: [reply(404, undefined, { headers: { 'X-Exact': optional(bool) } })] }),
  wait: endpoint('GET /wait', { response: noContent, errors: [reply(429, undefined, { headers: retryAfter })] }),
  either: endpoint('GET /either', { response: noContent, errors: [reply(409), reply(409, SoldOut)] }),
}

const handlers: Handlers<typeof api> = {
  order: async ({ body, fail }) => {
    if (body === 'a') return fail(404)
    if (body === 'b') return fail(404, { headers: { 'Cache-Control': 'no-store', Via: ['a', 'b'] } })
    if (body === 'c') return fail(409, { body: { left: 1 } })
    if (body === 'd') return fail(429, { headers: { 'Retry-After': 60 } })
    if (body === 'e') return fail(429, { headers: { 'Retry-After': 60, 'X-Exact': true }, detail: 'Later.' })
    if (body === 'f') return fail(503, { body: 'Sorry.', headers: { 'Retry-After': 1 } })
    if (body === 'g') return errors.tooManyRequests({ headers: { 'Retry-After': 60 } })
    if (body === 'h') return errors.serviceUnavailable({ body: 'Sorry.', headers: { 'Retry-After': 1, 'X-Other': 'a' } })
    if (body === 'i') return errors.notFound({ headers: { 'Cache-Control': 'no-store' } })
    if (body === 'k') return errors.conflict({ body: { left: 1 }, headers: { 'Cache-Control': 'no-store' } })
    return withHeaders({ Location: '/orders/1' })
  },
  hint: ({ fail }) => (Date.now() > 0 ? fail(404) : Date.now() < 0 ? new HttpError(404) : errors.notFound()),
  wait: () => new HttpError(429, { headers: { 'Retry-After': 1 } }),
  either: ({ fail }) => (Date.now() > 0 ? fail(409) : fail(409, { body: { left: 1 } })),
}
export const server = serve(api, handlers)

const wait = (): never => {
  throw errors.tooManyRequests({ headers: { 'Retry-After': '60' } })
}
export const waiting = wait

const call = client(api, 'http://127.0.0.1:8081')
try {
  await call.order({ body: 'a' })
} catch (error) {
  if (isDeclaredError(api.order, error)) {
    if (error.status === 409) yes<Same<typeof error.body, { left: number }>>()
    if (error.status === 429) {
      yes<typeof error.headers extends Readonly<Record<string, string | readonly string[]>> ? true : false>()
      const retryAfter = error.headers['Retry-After']
      yes<Same<typeof retryAfter, number>>()
      const isExact = error.headers['X-Exact']
      yes<Same<typeof isExact, boolean | undefined>>()
      const raw = error.headers['retry-after']
      yes<Same<NonNullable<typeof raw>, string | readonly string[]>>()
    }
    if (error.status === 404) yes<Same<typeof error.headers, ErrorHeaders>>()
  }
}
