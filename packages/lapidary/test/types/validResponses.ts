/** Several responses, and declared errors: what a handler may return, and what a call resolves to. Read by the compiler alone. */
import { created, endpoint, errors, type HttpError, int, ok, reply, respond, seeOther, text, withHeaders } from 'lapidary'
import { client } from 'lapidary/client'
import { type Handlers, serve } from 'lapidary/server'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const Order = z.object({ stone: z.string(), count: z.int().default(1), day: z.string().transform((day) => new Date(day)) })
const Job = z.object({ progress: z.number() })
const SoldOut = z.object({ left: z.int() })

const api = {
  order: endpoint('POST /orders', {
    body: Order,
    response: [created(Order), reply(202, Job), seeOther, reply(204)],
    errors: [reply(404), reply(409, SoldOut)],
  }),
  one: endpoint('GET /orders/:id', { response: ok(Order), errors: [reply(404)] }),
  tagged: endpoint('GET /tagged', { response: [ok(Job), reply(202, text)], etag: true }),
  single: endpoint('GET /single', { response: [ok(Job)] }),
  user: endpoint('POST /users', { body: text, response: created }),
  queued: endpoint('POST /queue', { body: text, response: created(Job, { headers: { 'Queue-Length': int } }) }),
  placed: endpoint('POST /places', { body: text, response: created({ headers: { location: text } }) }),
}

const handlers: Handlers<typeof api> = {
  order: async ({ body, fail }) => {
    const { stone, count, day } = body
    yes<Same<typeof day, Date>>()
    const found = new Map([[stone, stone]]).get('opal') ?? fail(404, { detail: 'There is none.' })
    yes<Same<typeof found, string>>()
    if (count > 9) return errors.conflict({ body: { left: 9 } })
    if (count > 8) return fail(409, { body: { left: 8 } })
    if (count > 7) return errors.notFound()
    if (count > 6) return respond(202, { progress: 0 })
    if (count > 5) return respond(303, withHeaders({ Location: '/orders/1' }))
    if (count > 4) return respond(204)
    if (count > 3) return respond(201, withHeaders({ stone, day: '2026-11-22' }, { Location: '/orders/2' }))
    return withHeaders({ stone, day: '2026-11-22' }, { Location: '/orders/2' })
  },
  one: ({ fail }) => fail(404),
  tagged: () => (Date.now() > 0 ? { progress: 1 } : respond(202, 'later')),
  single: () => ({ progress: 1 }),
  user: ({ body }) => withHeaders({ Location: `/users/${body}` }),
  queued: () => withHeaders({ progress: 0 }, { Location: '/queue/1', 'Queue-Length': 1 }),
  placed: () => withHeaders({ location: '/places/1' }),
}

export const server = serve(api, handlers)

const call = client(api, 'http://127.0.0.1:8081')
type Order = { stone: string; count: number; day: Date }
interface Located {
  readonly Location: string
}

const response = await call.order({ body: { stone: 'opal', day: '2026-11-22' } })
yes<Same<(typeof response)['status'], 201 | 202 | 204 | 303>>()
if (response.status === 201) yes<Same<typeof response.body, Order>>()
if (response.status === 202) yes<Same<typeof response.body, { progress: number }>>()
if (response.status === 204) yes<Same<typeof response.body, undefined>>()
if (response.status === 201 || response.status === 303) yes<Same<(typeof response.headers)['Location'], string>>()

const one = await call.one({ params: { id: '1' } })
yes<Same<typeof one, Order>>()

const tagged = await call.tagged()
if (tagged.status === 200)
  yes<Same<typeof tagged, { readonly status: 200; readonly body: { progress: number }; readonly headers: { readonly ETag: string } }>>()
else yes<Same<typeof tagged, { readonly status: 202; readonly body: string }>>()

const single = await call.single()
yes<Same<typeof single, { progress: number }>>()

const user = await call.user({ body: 'Ann' })
yes<Same<typeof user.headers, Located>>()

export const notFound: HttpError<404, undefined> = errors.notFound({ detail: 'There is none.' })

// The order of the union in these messages is not fixed, so that only the mistake itself is tested.
export const wrong: Pick<Handlers<typeof api>, 'order' | 'tagged'> = {
  // @ts-expect-error 200 is not declared
  order: () => respond(200),
  // @ts-expect-error the body of 202 is a text
  tagged: () => respond(202, 7),
}
