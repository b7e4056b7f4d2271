/** Who may do what. Guards run before the body of a request is read. */
import { type AnyEndpoint, errors } from 'lapidary'
import type { User } from './api.ts'
import type { Database } from './database.ts'
import type { Role } from './schemas.ts'
import { findOrg, selectMembers } from './store.ts'

export interface Member {
  readonly name: string
  readonly org: number
  readonly role: Role
}
/** What handlers of an organization get. */
export interface WithMember {
  readonly member: Member
}

/** To all others, the organization does not exist. */
export const requireMember =
  (database: Database) =>
  async ({ params, user }: { readonly params: { readonly org: string }; readonly user: User }) => {
    const org = await findOrg(database, params.org)
    const found = org && (await selectMembers(database, org.id).where('users.id', '=', user.id).executeTakeFirst())
    if (org === undefined || found === undefined) throw errors.notFound({ detail: `There is no organization ${params.org}.` })
    const member: Member = { name: found.name, role: found.role, org: org.id }
    return { member }
  }

export const requireRole = ({ member, endpoint }: WithMember & { readonly endpoint: AnyEndpoint }) => {
  if (endpoint.meta?.role === 'admin' && member.role !== 'admin')
    throw errors.forbidden({ detail: 'You are an agent; this takes an admin.' })
}
