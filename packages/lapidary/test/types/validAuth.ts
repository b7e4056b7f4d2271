/** What `auth` gives a handler, and what `authenticate` asks of a scheme with scopes. */
import { apiKey, basic, bearer, both, either, endpoint, noContent, oauth2, ok, openIdConnect, optional, text, type UserOf } from 'lapidary'
import { type Authenticator, authenticate, serve } from 'lapidary/server'

interface Account {
  readonly id: string
  readonly name: string
}
interface Robot {
  readonly key: string
  readonly scopes: readonly string[]
}

const session = apiKey<Account>({ in: 'cookie', name: 'session' })
const token = bearer<Robot, 'stones:read' | 'stones:write'>('market')
const staff = basic<Account>('staff')
const flows = { clientCredentials: { tokenUrl: '/token', scopes: { 'stones:read': 'Reads.' } } } as const
const machines = oauth2<Robot, 'stones:read'>('machines', { flows })
const people = openIdConnect<Account>('people', { url: '/.well-known/openid-configuration' })

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never
const nested = optional(either(session, token.scopes('stones:write')))
export const users: readonly true[] = [true satisfies Same<UserOf<typeof nested>, Account | Robot | undefined>]

const api = {
  any: endpoint('GET /any', { auth: either(session, token, staff), response: ok(text) }),
  all: endpoint('GET /all', { auth: both(session, token.scopes('stones:read', 'stones:write')), response: ok(text) }),
  maybe: endpoint('GET /maybe', { auth: optional(people, { invalid: 'ignore' }), response: ok(text) }),
  machine: endpoint('POST /machine', { auth: machines.scopes('stones:read'), response: noContent }),
}

const auth: readonly Authenticator[] = [
  authenticate(session, (key) => ({ id: key, name: 'Ann' })),
  authenticate(token, (key) => ({ key, scopes: ['stones:read'] }), { scopes: ({ scopes }) => scopes }),
  authenticate(staff, async ({ username, password }) => (password === 'shh' ? { id: '1', name: username } : undefined)),
  authenticate(machines, (key) => ({ key, scopes: [] }), { scopes: (robot) => robot.scopes }),
  authenticate(people, (key) => ({ id: key, name: key })),
]

export const server = serve(
  api,
  {
    any: ({ user }) => ('key' in user ? user.key : user.name),
    all: ({ user: [account, robot] }) => account.name + robot.key,
    maybe: ({ user }) => user?.name ?? 'a stranger',
    machine: ({ user: { key } }) => void key,
  },
  { auth },
)

/** A function over any scheme. */
export const withLog = ({ scheme, verify }: Authenticator): Authenticator =>
  authenticate(scheme, (credentials, request) => verify(credentials, request))
