import { kyselySource } from 'lapidary/kysely'
import type { Handlers } from 'lapidary/server'
import { type api, memberPages } from '../api.ts'
import type { WithMember } from '../guards.ts'
import { countOpenTickets, findOrg, type Store, selectMembers } from '../store.ts'

export const createOrgHandlers = ({ database, write }: Store): Handlers<typeof api.orgs> => ({
  add: ({ body, user, fail }) =>
    write(async (tx) => {
      const insert = tx.insertInto('orgs').values(body)
      const org = await insert
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst()
      if (org === undefined) return fail(409, { detail: `The name ${body.slug} is taken.` })
      await tx.insertInto('members').values({ org: org.id, user: user.id, role: 'admin' }).execute()
      return org
    }),
  status: async ({ params, user, fail }) => {
    const org = (await findOrg(database, params.org)) ?? fail(404)
    return { title: org.title, openTickets: await countOpenTickets(database, org.id), viewer: user?.name ?? null }
  },
})

export const createMemberHandlers = ({ database }: Store): Handlers<typeof api.org.members, WithMember> => ({
  list: (input) => memberPages.page(input, kyselySource(selectMembers(database, input.member.org).orderBy('name'))),
  put: async ({ params: { name }, body: { role }, member, fail }) => {
    const user = await database.selectFrom('users').select('id').where('name', '=', name).executeTakeFirst()
    if (user === undefined) return fail(404, { detail: `There is no account ${name}.` })
    const insert = database.insertInto('members').values({ org: member.org, user: user.id, role })
    await insert.onConflict((conflict) => conflict.columns(['org', 'user']).doUpdateSet({ role })).execute()
  },
})
