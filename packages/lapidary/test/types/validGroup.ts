/** Groups: what the endpoints have in common is in the types of their handlers, calls and errors. Read by the compiler alone. */
import {
  basic,
  bearer,
  collection,
  created,
  endpoint,
  errors,
  group,
  int,
  mount,
  noContent,
  ok,
  prefix,
  reply,
  text,
  withHeaders,
} from 'lapidary'
import { client, isDeclaredError } from 'lapidary/client'
import { type Handlers, serve } from 'lapidary/server'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

interface Person {
  readonly name: string
}
const people = bearer<Person>('people')
const staff = basic<number>('staff')
const Missing = z.object({ id: z.string() })

const api = {
  shop: group(
    { auth: people, errors: [reply(403), reply(404, Missing), reply(429, undefined, { headers: { 'Retry-After': int } })], tags: ['Shop'] },
    {
      plain: endpoint('GET /plain', { response: ok(text) }),
      own: endpoint('GET /own/:id', { auth: staff, params: { id: int }, response: ok(text), errors: [reply(404), reply(409)] }),
      below: prefix('/below/:shop', { shop: int }, { one: endpoint('POST /one', { body: text, response: created }) }),
      inner: group({ errors: [reply(403, text), reply(410)] }, { one: endpoint('GET /inner', { response: noContent, etag: true }) }),
      stones: collection(z.object({ name: z.string() })),
    },
  ),
  open: group({ responseHeaders: { 'X-Open': 'yes' } }, { files: mount('/files'), none: endpoint('GET /none', { response: noContent }) }),
  prefixed: prefix('/:tenant', group({ auth: people, errors: [reply(403)] }, { one: endpoint('GET /one', { response: ok(text) }) })),
}

const handlers: Handlers<Omit<typeof api, 'open'>> = {
  shop: {
    plain: ({ user, fail }) => {
      yes<Same<typeof user, Person>>()
      if (user.name === 'a') return fail(403)
      if (user.name === 'b') return fail(404, { body: { id: 'b' } })
      if (user.name === 'c') return fail(429, { headers: { 'Retry-After': 1 } })
      if (user.name === 'd') return errors.notFound({ body: { id: 'd' } })
      return user.name
    },
    own: ({ user, fail, params }) => {
      yes<Same<typeof user, number>>()
      yes<Same<typeof params, { readonly id: number }>>()
      return user > 1 ? fail(404) : user > 2 ? fail(409) : user > 3 ? fail(403) : errors.notFound()
    },
    below: {
      one: ({ body, params, user, fail }) => (body === '' ? fail(403) : withHeaders({ Location: `/${params.shop + 1}/${user.name}` })),
    },
    inner: { one: ({ fail, headers }) => (headers['If-None-Match'] === '' ? fail(403, { body: 'No.' }) : fail(410)) },
    stones: {
      list: ({ user }) => [user],
      create: ({ body }) => withHeaders({ Location: body.name }),
      item: ({ fail }) => fail(404),
      replace: () => {},
      remove: ({ fail }) => fail(403),
    },
  },
  prefixed: { one: ({ params, user, fail }) => (params.tenant === user.name ? 'one' : fail(403)) },
}
export const server = serve({ shop: api.shop, prefixed: api.prefixed }, handlers)

const call = client(api, 'http://127.0.0.1:8081')
try {
  const one = await call.shop.own({ params: { id: 1 } })
  yes<Same<typeof one, string>>()
  await call.open.none()
} catch (error) {
  if (isDeclaredError(api.shop.plain, error)) {
    yes<Same<typeof error.status, 403 | 404 | 429>>()
    if (error.status === 404) yes<Same<typeof error.body, { id: string }>>()
  }
  if (isDeclaredError(api.shop.own, error)) {
    yes<Same<typeof error.status, 403 | 404 | 409 | 429>>()
    if (error.status === 404) yes<Same<typeof error.body, undefined>>()
  }
}
