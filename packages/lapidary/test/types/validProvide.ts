/** Providers and guards: what handlers get, and what providers may use. Read by the compiler alone. */
import { bearer, endpoint, errors, int, noContent, ok, reply, text } from 'lapidary'
import { chain, guard, type Handlers, type Next, type Provider, provide, serve } from 'lapidary/server'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const Stone = z.object({ name: z.string() })
const api = {
  stones: {
    one: endpoint('GET /:tenant/stones/:id', { params: { id: int }, response: ok(Stone), errors: [reply(404)] }),
    add: endpoint('POST /:tenant/stones', { body: Stone, response: noContent }),
    deep: { list: endpoint('GET /:tenant/stones', { query: { page: int }, response: ok(text) }) },
  },
  ping: endpoint('GET /ping', { response: ok(text) }),
}

interface Transaction {
  readonly find: (id: number) => z.infer<typeof Stone> | undefined
}
declare const database: { transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> }
declare const findTenant: (id: string) => Promise<{ readonly title: string } | undefined>

const transaction = (_input: unknown, next: Next) => database.transaction((tx) => next({ tx }))
const tenant = async ({ params }: { readonly params: { readonly tenant: string } }, next: Next) => {
  const found = await findTenant(params.tenant)
  if (found === undefined) throw errors.notFound()
  return next({ tenant: found })
}
const shop = async ({ tenant: { title } }: { readonly tenant: { readonly title: string } }, next: Next) => next({ shop: title })
export const named: Provider<unknown, { readonly tx: Transaction }> = transaction

export const server = serve(api, {
  stones: guard(
    api.stones,
    ({ params: { tenant: id } }, request) => {
      yes<Same<typeof id, string>>()
      if (request.signal.aborted) throw errors.serviceUnavailable()
    },
    provide(api.stones, chain(chain(tenant, shop), transaction), {
      one: ({ params, tx, tenant: { title }, shop: name, fail }) => {
        yes<Same<typeof params, { readonly tenant: string; readonly id: number }>>()
        yes<Same<typeof title, string>>()
        yes<Same<typeof name, string>>()
        yes<Same<typeof tx, Transaction>>()
        return tx.find(params.id) ?? fail(404)
      },
      add: ({ body, tx }) => {
        yes<Same<typeof body, { name: string }>>()
        yes<Same<typeof tx, Transaction>>()
      },
      deep: { list: ({ query, tenant: { title } }) => title + query.page },
    }),
  ),
  // What a provider adds is known in its own group alone.
  ping: (input) => {
    yes<Same<keyof typeof input, never>>()
    return 'pong'
  },
})

export const inline = provide(api.stones, async ({ params: { tenant: id } }, next) => next({ id }), {
  one: ({ id }) => ({ name: id }),
  add: ({ id }) => void yes<Same<typeof id, string>>(),
  deep: { list: ({ id }) => id },
})

interface User {
  readonly id: string
}
interface Member {
  readonly role: 'admin' | 'member'
}
declare const findMember: (tenant: string, user: User) => Promise<Member | undefined>
const session = bearer<User>('session')
const secured = {
  shops: {
    name: endpoint('GET /:shop', { auth: session, response: ok(text), errors: [reply(404)] }),
    gems: {
      list: endpoint('GET /:shop/gems/:gem', { params: { gem: int }, auth: session, response: ok(text), errors: [reply(404)] }),
      add: endpoint('PUT /:shop/gems/:gem', { params: { gem: int }, auth: session, body: Stone, response: noContent }),
    },
  },
}

/** What each of them gets and adds, where all stand in one place. */
export const nested: Handlers<typeof secured> = {
  shops: guard(
    secured.shops,
    async (input) => {
      yes<Same<keyof typeof input, 'params' | 'user' | 'endpoint'>>()
      yes<Same<typeof input.user, User>>()
      yes<Same<typeof input.params.shop, string>>()
      const member = await findMember(input.params.shop, input.user)
      if (member === undefined) return errors.notFound()
      return { member }
    },
    {
      name: ({ member, user }) => {
        yes<Same<typeof member, Member>>()
        return user.id
      },
      gems: guard(
        secured.shops.gems,
        ({ params: { gem }, member }: { readonly params: { readonly gem: number }; readonly member: Member }) => {
          if (member.role !== 'admin') throw errors.forbidden()
          return { size: gem }
        },
        provide(
          secured.shops.gems,
          async ({ member, size }: { readonly member: Member; readonly size: number }, next) => next({ tx: { member, size } }),
          {
            list: (input) => {
              yes<Same<keyof typeof input, 'params' | 'user' | 'fail' | 'member' | 'size' | 'tx'>>()
              yes<Same<typeof input.params, { readonly shop: string; readonly gem: number }>>()
              yes<Same<typeof input.tx, { member: Member; size: number }>>()
              return input.tx.member.role
            },
            add: ({ body, size }) => {
              yes<Same<typeof body, { name: string }>>()
              yes<Same<typeof size, number>>()
            },
          },
        ),
      ),
    },
  ),
}

/** The same, as functions and handlers of other modules. */
const requireMember = async ({ params, user }: { readonly params: { readonly shop: string }; readonly user: User }) => {
  const member = await findMember(params.shop, user)
  if (member === undefined) throw errors.notFound()
  return { member }
}
const requireAdmin = ({ member }: { readonly member: Member }) => {
  if (member.role !== 'admin') throw errors.forbidden()
}
const gems: Handlers<typeof secured.shops.gems, { readonly member: Member }> = {
  list: ({ member }) => member.role,
  add: ({ member, body }) => void (member.role + body.name),
}
export const apart: Handlers<typeof secured> = {
  shops: guard(secured.shops, requireMember, {
    name: ({ member }) => member.role,
    gems: guard(secured.shops.gems, requireAdmin, gems),
  }),
}

/** A guard that returns nothing adds nothing. */
export const plain: Handlers<typeof secured> = {
  shops: guard(secured.shops, async ({ user }) => void user.id, {
    name: (input) => {
      yes<Same<keyof typeof input, 'params' | 'user' | 'fail'>>()
      return 'name'
    },
    gems: { list: () => 'gems', add: () => {} },
  }),
}
