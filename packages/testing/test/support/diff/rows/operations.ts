/** Changes of whole endpoints: where they are, what they are called, who may call them, their tags and their ranges. */
import {
  type Api,
  apiKey,
  authScheme,
  basic,
  bearer,
  both,
  bytes,
  type Codec,
  collection,
  type Deprecation,
  either,
  endpoint,
  type Idempotent,
  int,
  list,
  mount,
  noContent,
  oauth2,
  ok,
  optional,
  prefix,
  text,
} from 'lapidary'
import { cursorPagination, pagePagination, rangePagination } from 'lapidary/pagination'
import { z } from 'zod'
import { one, type Row, row } from './row.ts'

const people = basic<{ readonly name: string }>('people')
const members = basic<{ readonly name: string }>('members')
const partners = bearer<{ readonly name: string }>('partners')
const session = apiKey<{ readonly name: string }>({ in: 'cookie', name: 'session' })
const robots = bearer<{ readonly name: string }, 'read' | 'write'>('robots')
const machines = oauth2<{ readonly name: string }>('robots', { flows: { clientCredentials: { tokenUrl: '/token', scopes: {} } } })
const lathe = (header: string) =>
  authScheme<{ readonly name: string }, string>({
    name: 'machines',
    challenge: 'Lathe',
    credentials: (read) => read(header),
    headers: (value) => ({ [header]: value }),
    example: 'one',
    openapi: { type: 'apiKey', in: 'header', name: header },
  })

const withAuth = (old: unknown, now: unknown): readonly [Api, Api] => [
  one('GET /a', old === undefined ? {} : { auth: old as never }),
  one('GET /a', now === undefined ? {} : { auth: now as never }),
]

const timed = (timeout?: number): Api => one('GET /a', timeout === undefined ? {} : { timeout })

const Item = z.object({ name: z.string() })
const kept = { params: { id: int } }
const put = (tag: 'optional' | 'required' | undefined): Api => ({
  get: endpoint('GET /a/:id', { ...kept, response: ok(Item), etag: true }),
  put: endpoint('PUT /a/:id', { ...kept, body: Item, response: noContent, etag: tag }),
})
const got = (isTagged: boolean): Api => ({
  get: isTagged
    ? endpoint('GET /a/:id', { ...kept, response: ok(Item), etag: true })
    : endpoint('GET /a/:id', { ...kept, response: ok(Item) }),
})

const field = <T extends string | number>(codec: Codec<T>, get: (item: z.infer<typeof Color>) => T) => ({ codec, get })
const Color = z.object({ name: z.string(), hex: z.string() })
const byName = { name: field(text, ({ name }) => name) }
const byBoth = { ...byName, hex: field(text, ({ hex }) => hex) }
const paged = (fields: object): Api => {
  const { declaration } = rangePagination(Color, fields as typeof byBoth, { key: ({ name }) => name, default: 'name' })
  return { colors: endpoint('GET /colors', { ...declaration }) }
}
const cursors = (options: object = {}, fields: object = byName): Api => {
  const { declaration } = cursorPagination(Color, fields as typeof byName, { key: ({ name }) => name, default: 'name', ...options })
  return { colors: endpoint('GET /colors', { ...declaration }) }
}
const numbers = (options: object = {}): Api => ({ colors: endpoint('GET /colors', { ...pagePagination(Color, options).declaration }) })
const whole: Api = { colors: endpoint('GET /colors', { response: ok(list(Color)) }) }

const keyed = (idempotent?: Idempotent): Api => one('POST /a', { body: text, ...(idempotent && { idempotent }) })

const [sunset, later] = [new Date('2027-01-01'), new Date('2028-01-01')]
const deprecating = (deprecated: true | Deprecation): Api => one('GET /a', { deprecated })

const users = prefix('/users', collection(Item))
const { list: _, ...withoutList } = users
const declared = 'The description has 416 among its errors already, and what answers here has no ranges.'

/** Whole endpoints. */
export const operations: readonly Row[] = [
  row(
    'nothing is different but the order',
    [
      { a: users.list, b: users.item },
      { b: users.item, a: users.list },
    ],
    ['safe', 'safe'],
    ['', 'changed'],
  ),
  row('an endpoint is gone', [users, withoutList], ['breaking', 'safe'], ['', 'removed']),
  row('a deprecated endpoint is gone', [deprecating({ sunset }), {}], ['breaking', 'safe'], ['', 'removed']),
  row('an endpoint is deprecated', [one('GET /a'), deprecating(true)], ['safe', 'safe'], ['deprecated', 'added']),
  row(
    'an endpoint is deprecated by dates',
    [one('GET /a'), deprecating({ sunset, link: '/news' })],
    ['safe', 'safe'],
    ['deprecated', 'added'],
  ),
  row(
    'a deprecated endpoint responds longer',
    [deprecating({ sunset }), deprecating({ sunset: later })],
    ['safe', 'safe'],
    ['deprecated', 'changed'],
  ),
  row('an endpoint responds sooner', [timed(5_000), timed(1_000)], ['unknown', 'safe'], ['timeout', 'changed']),
  row('an endpoint declares how soon it responds', [timed(), timed(1_000)], ['unknown', 'unknown'], ['timeout', 'added']),
  row('an endpoint is no longer deprecated', [deprecating({ sunset }), one('GET /a')], ['safe', 'safe'], ['deprecated', 'removed']),
  row('an endpoint is new', [withoutList, users], ['safe', 'breaking'], ['', 'added']),
  row('an endpoint stands at another path', [one('GET /a'), one('GET /b')], ['breaking', 'breaking'], ['route', 'moved']),
  row('a slash stands at the end of a path', [one('GET /a'), one('GET /a/')], ['unknown', 'unknown'], ['route', 'changed']),
  row('an endpoint has another method', [one('POST /a'), one('PUT /a')], ['breaking', 'breaking'], ['route', 'moved']),
  row('only the name of an endpoint is another', [{ all: users.list }, { everybody: users.list }], ['safe', 'safe'], ['name', 'renamed']),
  row('only the name of a capture is another', [one('GET /a/:id'), one('GET /a/:key')], ['safe', 'safe'], ['', 'changed']),
  row(
    'a capture that was a text is a word of the path now',
    [one('GET /a/:id'), one('GET /a/b')],
    ['breaking', 'breaking'],
    ['route', 'moved'],
    {
      servers: 'The old server takes the word for a capture.',
    },
  ),
  row(
    'a new path stands where a capture could',
    [
      { user: endpoint('GET /users/:id', { response: ok(text) }) },
      { user: endpoint('GET /users/:id', { response: ok(text) }), me: endpoint('GET /users/me', { response: ok(bytes) }) },
    ],
    ['unknown', 'breaking'],
    ['path', 'changed'],
  ),
  row(
    'a new path stands beside a capture of integers',
    [
      { user: endpoint('GET /users/:id', { ...kept, response: ok(text) }) },
      { user: endpoint('GET /users/:id', { ...kept, response: ok(text) }), me: endpoint('GET /users/me', { response: ok(text) }) },
    ],
    ['safe', 'breaking'],
    ['', 'added'],
  ),
  row('only the name of a rest is another', [one('GET /a/*path'), one('GET /a/*file')], ['safe', 'safe'], ['', 'changed']),
  row(
    'a capture was of one segment and is a rest',
    [one('GET /a/:id'), one('GET /a/*path')],
    ['unknown', 'breaking'],
    ['route', 'changed'],
  ),
  row('a rest is a capture of one segment', [one('GET /a/*path'), one('GET /a/:id')], ['breaking', 'unknown'], ['route', 'changed']),
  row(
    'a capture of integers is a rest',
    [one('GET /a/:id', { params: { id: int } } as never), one('GET /a/*path')],
    ['safe', 'breaking'],
    ['route', 'changed'],
  ),
  row(
    'a new path stands where a rest could',
    [
      { file: endpoint('GET /files/*path', { response: ok(text) }) },
      { file: endpoint('GET /files/*path', { response: ok(text) }), old: endpoint('GET /files/old/:id', { response: ok(bytes) }) },
    ],
    ['unknown', 'breaking'],
    ['path', 'changed'],
  ),
  row('a mount is gone', [{ files: mount('/files') }, {}], ['breaking', 'safe'], ['', 'removed']),
  row('a mount is new', [{}, { files: mount('/files') }], ['safe', 'breaking'], ['', 'added']),
  row('credentials are needed', withAuth(undefined, people), ['breaking', 'safe'], ['auth', 'added']),
  row('credentials are no longer needed', withAuth(people, undefined), ['safe', 'breaking'], ['auth', 'removed']),
  row('credentials are a token that were a password', withAuth(people, partners), ['breaking', 'breaking'], ['auth', 'changed']),
  row('credentials are those of another realm', withAuth(people, members), ['unknown', 'unknown'], ['auth', 'changed']),
  row('an alternative is added', withAuth(people, either(people, partners)), ['safe', 'breaking'], ['auth', 'changed']),
  row('an alternative is removed', withAuth(either(partners, session), session), ['breaking', 'safe'], ['auth', 'changed']),
  row(
    'alternatives change their order',
    withAuth(either(partners, session), either(session, partners)),
    ['safe', 'safe'],
    ['auth', 'changed'],
  ),
  row(
    'one of the alternatives is that of another realm',
    withAuth(either(people, partners), either(members, partners)),
    ['unknown', 'unknown'],
    ['auth', 'changed'],
  ),
  row('further credentials are needed', withAuth(partners, both(partners, session)), ['breaking', 'safe'], ['auth', 'changed']),
  row('credentials become optional', withAuth(partners, optional(partners)), ['safe', 'breaking'], ['auth', 'changed']),
  row('one scheme of both becomes optional', withAuth(both(people, session), optional(people)), ['safe', 'breaking'], ['auth', 'changed']),
  row('optional credentials are others, elsewhere', withAuth(optional(session), optional(partners)), ['safe', 'safe'], ['auth', 'changed']),
  row(
    'optional credentials have another form',
    withAuth(optional(people), optional(partners)),
    ['breaking', 'breaking'],
    ['auth', 'changed'],
  ),
  row('optional credentials appear', withAuth(undefined, optional(partners)), ['safe', 'safe'], ['auth', 'added']),
  row(
    'wrong credentials count as none',
    withAuth(optional(session), optional(session, { invalid: 'ignore' })),
    ['safe', 'unknown'],
    ['invalid credentials', 'changed'],
  ),
  row(
    'credentials that count as none appear',
    withAuth(undefined, optional(session, { invalid: 'ignore' })),
    ['safe', 'safe'],
    ['auth', 'added'],
  ),
  row('a scope is needed', withAuth(robots, robots.scopes('read')), ['breaking', 'safe'], ['auth', 'changed']),
  row(
    'a further scope is needed',
    withAuth(robots.scopes('read'), robots.scopes('read', 'write')),
    ['breaking', 'safe'],
    ['auth', 'changed'],
  ),
  row(
    'a scope of an alternative is needed',
    withAuth(either(session, robots), either(session, robots.scopes('read'))),
    ['breaking', 'safe'],
    ['auth', 'changed'],
  ),
  row('a token has a documented flow', withAuth(robots, machines), ['unknown', 'unknown'], ['auth', 'changed']),
  row(
    'a cookie has another name',
    withAuth(session, apiKey({ in: 'cookie', name: 'visit' })),
    ['breaking', 'breaking'],
    ['auth', 'changed'],
  ),
  row(
    'a key moves from a header to the query',
    withAuth(apiKey({ in: 'header', name: 'key' }), apiKey({ in: 'query', name: 'key' })),
    ['breaking', 'breaking'],
    ['auth', 'changed'],
  ),
  row('credentials stand in another header', withAuth(lathe('x-lathe'), lathe('x-machine')), ['breaking', 'breaking'], ['auth', 'changed']),
  row('an answer carries a tag', [got(false), got(true)], ['safe', 'breaking'], ['etag', 'added']),
  row('an answer carries no tag any more', [got(true), got(false)], ['breaking', 'safe'], ['etag', 'removed']),
  row('a change may have a condition', [put(undefined), put('optional')], ['safe', 'breaking'], ['etag', 'added']),
  row('a change must have a condition that could have one', [put('optional'), put('required')], ['breaking', 'safe'], ['etag', 'changed']),
  row('a change must have a condition that had none', [put(undefined), put('required')], ['breaking', 'breaking'], ['etag', 'added']),
  row('a request may have a key', [keyed(), keyed('optional')], ['safe', 'breaking'], ['idempotent', 'added']),
  row('a request must have a key', [keyed(), keyed('required')], ['breaking', 'breaking'], ['idempotent', 'added']),
  row('a request must have a key that could', [keyed('optional'), keyed('required')], ['breaking', 'safe'], ['idempotent', 'changed']),
  row('a list has ranges by another field', [paged(byName), paged(byBoth)], ['safe', 'breaking'], ['ranges', 'changed'], {
    servers: declared,
  }),
  row('a list has lost the ranges by a field', [paged(byBoth), paged(byName)], ['breaking', 'safe'], ['ranges', 'changed'], {
    clients: declared,
  }),
  row('a list comes in pages that came whole', [whole, paged(byName)], ['breaking', 'breaking'], ['response status', 'changed']),
  row('pages by cursor have one more order', [cursors(), cursors({}, byBoth)], ['safe', 'breaking'], ['query sort', 'changed']),
  row('pages by cursor are smaller at most', [cursors(), cursors({ maxLimit: 500 })], ['breaking', 'safe'], ['query limit', 'changed']),
  row(
    'the items of numbered pages are in an object',
    [numbers(), numbers({ body: { items: 'items', total: 'total' } })],
    ['breaking', 'breaking'],
    ['response 200 body', 'changed'],
  ),
]
