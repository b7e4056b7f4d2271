/** The captures of a prefix in the types of every endpoint below it. Read by the compiler alone. */
import { bytes, type Endpoint, endpoint, int, noContent, ok, optional, prefix, reply, text, uuid } from 'lapidary'
import { client } from 'lapidary/client'
import { link } from 'lapidary/links'
import { type HandlerInput, serve } from 'lapidary/server'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const parts = {
  none: endpoint('GET /none', { response: noContent }),
  own: endpoint('GET /own/:x', { params: { x: int }, response: noContent }),
  query: endpoint('GET /query', { query: { word: optional(text) }, response: noContent }),
  body: endpoint('PUT /body', { body: bytes, response: noContent, errors: [reply(404)] }),
  deep: prefix('/deep/:y', { y: int }, { text: endpoint('GET /', { response: ok(text), etag: true }) }),
}
const literal = prefix('/v1', parts)
yes<Same<typeof literal, typeof parts>>()

const api = prefix('/tenants/:tenant/:place', { tenant: uuid, place: int }, parts)
export const texts = prefix('/tenants/:tenant', parts)
export const none: Endpoint<{
  input: { readonly params: { readonly tenant: string } }
  call: { readonly params: { readonly tenant: string } }
  response: (typeof parts)['none'] extends Endpoint<infer T> ? T['response' & keyof T] : never
  errors: never
}> = texts.none

type InputOf<E extends keyof typeof api> = (typeof api)[E] extends infer One extends typeof api.none ? HandlerInput<One> : never
export type None = InputOf<'none'>

export const server = serve(api, {
  none: (input) => {
    yes<Same<keyof typeof input, 'params'>>()
    yes<Same<typeof input.params.place, number>>()
  },
  own: ({ params: { tenant, place, x } }) => void [tenant.length, place.toFixed(), x.toFixed()],
  query: ({ params, query }) => void [params.tenant.length, query.word?.length],
  body: ({ params, body, fail }) => (params.place > body.length ? fail(404) : undefined),
  deep: { text: ({ params }) => `${params.tenant} ${params.place + params.y}` },
})

const call = client(api, 'http://127.0.0.1:8081')
const tenant = 'a'
await call.none({ params: { tenant, place: 1 } })
await call.query({ params: { tenant, place: 1 } })
export const { body } = await call.deep.text({ params: { tenant, place: 1, y: 2 } })
export const target = link(api.deep.text, { params: { tenant, place: 1, y: 2 } })
