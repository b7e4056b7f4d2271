/** The API of each word of the language, with its handlers. */
import { fileURLToPath } from 'node:url'
import { applyMergePatch, errors, respond, withHeaders } from 'lapidary'
import { link } from 'lapidary/links'
import { rateLimit } from 'lapidary/middleware'
import { fromNodeListener } from 'lapidary/node'
import {
  type ApiServer,
  type Authenticator,
  authenticate,
  fromFetch,
  type Handlers,
  type Next,
  provide,
  type ServeOptions,
  serve,
} from 'lapidary/server'
import { sendFile } from 'lapidary/static'
import {
  api,
  counters,
  Mixture,
  machines,
  members,
  partners,
  peopleCursors,
  peopleNumbers,
  peopleRanges,
  robots,
  visits,
} from './everythingApi.ts'

// The command line takes exported schemas for components of the OpenAPI document: these are all but one.
export {
  api,
  Colour,
  counters,
  csv,
  hex,
  Job,
  machines,
  members,
  Order,
  Person,
  Point,
  partners,
  peopleCursors,
  peopleNumbers,
  peopleRanges,
  Receipt,
  robots,
  visits,
} from './everythingApi.ts'

/** Where files are kept. */
const reports = fileURLToPath(new URL('reports', import.meta.url))

export const ann = { name: 'Ann', age: 36, born: '1988-02-29' }
export const ben = { name: 'Ben', age: 7, born: '2017-07-01' }

/** The text that is always sent. */
export const notice = 'Closed on Mondays.'

/** What the handlers of people share. */
const shelf = async (_input: unknown, next: Next) => next({ persons: new Map([[1, ann]]) })

export const handlers: Handlers<typeof api> = {
  point: ({ params }) => params,
  colour: ({ params }) => {
    if (params.hex === '000000') throw errors.notFound({ detail: 'There is no black here.' })
    return { hex: params.hex }
  },
  newest: () => ({ hex: '663399', name: 'rebeccapurple' }),
  paint: () => {},
  mix: ({ body }) => applyMergePatch(Mixture, { red: 1, blue: 200, name: 'night' }, body),
  greeting: ({ params }) => `Hello, ${params.name}!`,
  welcome: () => 'Welcome!',
  file: ({ params }) => params.path,
  day: ({ params }) => params.day,
  tally: () => '7',
  search: ({ query }) => query,
  almanac: ({ params, query, headers }) => ({ ...params, ...query, ...headers }),
  ledger: ({ params, query, headers }) =>
    withHeaders({ ...params, ...query, ...headers }, { 'X-Total': '19.90', 'X-Until': query.since, 'X-Pages': 1 }),
  survey: ({ body: { x, y }, fail }) => (x === 0 ? fail(404) : [{ x: y, y: x }]),
  halls: { seat: ({ params }) => params },
  depth: ({ headers }) => headers,
  basket: ({ cookies }) => withHeaders(cookies, { 'Set-Cookie': { visits: cookies.visits ?? 1, theme: null } }),
  visitors: () => withHeaders([ann, ben], { 'X-Count': 2, 'X-Names': ['Ann', 'Ben'], 'X-Day': undefined }),
  people: provide(api.people, shelf, {
    list: async function* () {
      yield ann
      yield ben
    },
    create: ({ body }) => withHeaders(undefined, { Location: `/people/${body.age}` }),
    item: ({ params, persons }) => {
      const person = persons.get(params.id)
      return person ?? errors.notFound({ detail: `There is no person ${params.id}.` })
    },
    replace: async () => {},
    remove: ({ params, persons }) => {
      if (!persons.has(params.id)) throw errors.notFound()
    },
  }),
  stream: function* () {
    yield ann
    yield ben
  },
  changes: async function* ({ headers: { 'Last-Event-ID': last = 0 } }) {
    yield { event: 'joined', data: ann, id: `${last + 1}`, retry: 2_000 }
    yield { event: 'painted', data: { hex: 'ff8800' }, id: `${last + 2}` }
  },
  part: ({ headers }) => withHeaders([ann], { 'Content-Range': headers.Range ?? 'name Ann..Ann' }),
  page: (input) => peopleRanges.page(input, [ann, ben], { link: (range) => link(api.page, { query: { range } }) }),
  cursorPage: (input) => peopleCursors.page(input, [ann, ben]),
  numberedPage: (input) => peopleNumbers.page(input, [ann, ben]),
  order: async ({ body }) => {
    if (body.item === 'nothing') throw errors.conflict({ body: { item: body.item, again: null, secret: 'never sent' } })
    return withHeaders({ item: body.item, count: body.count }, { Location: `/orders/${body.tags.join('-')}` })
  },
  checkout: async ({ body: { item, count, tags }, fail }) => {
    if (item === 'unknown') return fail(404, { detail: `There is no ${item}.` })
    if (item === 'nothing') return errors.conflict({ body: { item, again: null } })
    if (count > 99) return respond(202, { ticket: count })
    const headers = { Location: `/orders/${tags.join('-')}` }
    return tags.includes('again') ? respond(303, withHeaders(headers)) : withHeaders({ item, count }, headers)
  },
  payment: ({ body, fail }) =>
    body.amount > 99
      ? fail(402, { body: { type: '/problems/over-limit', limit: 99 } })
      : withHeaders(body, { Location: `/payments/${body.amount}` }),
  job: ({ body }) => ({ ticket: body.urgent === true ? 1 : 2 }),
  account: ({ user }) => user,
  partner: ({ user }) => user.id,
  photo: ({ body }) => withHeaders({ 'X-Size': body.length }),
  scan: ({ body }) => body,
  report: async ({ params: { name }, fail }) => (await sendFile(`${name}.txt`, { root: reports, name: `${name} ☀.txt` })) ?? fail(404),
  picture: async ({ params: { name }, fail }) =>
    (await sendFile(`${name}.txt`, { root: reports, name: `${name}.svg`, type: 'image/svg+xml' })) ?? fail(404),
  gallery: async ({ body: { title, photo } }) => `${title}: ${photo?.size ?? 0} bytes`,
  film: async ({ body }) => {
    let title = ''
    let size = 0
    for await (const part of body) {
      if (part.name === 'film') for await (const chunk of part.file) size += chunk.length
      else if (part.name === 'title') title = part.value
    }
    return `${title}: ${size} bytes`
  },
  remind: ({ body }) => body?.note ?? 'Nothing to note.',
  census: async ({ body }) => {
    let count = 0
    for await (const _ of body) count += 1
    return `${count} people`
  },
  machine: ({ user }) => user.machine,
  stock: {
    read: ({ user }) => (user === undefined ? null : 'visitor' in user ? user.visitor : user.robot),
    look: ({ user, fail }) => (user?.visitor === 'late' ? fail(410) : (user?.visitor ?? null)),
    count: ({ user: [{ counter }, { robot }] }) => [counter, robot],
  },
  notice: {
    read: () => notice,
    write: ({ precondition }) => precondition?.(notice),
    clear: ({ precondition }) => precondition(notice),
  },
  echo: {
    json: ({ body }) => body,
    text: ({ body }) => body,
    form: ({ body }) => body,
    bytes: ({ body }) => body,
  },
  raw: {
    kernel: ({ method, target }) => ({ status: 200, headers: ['Content-Type', 'text/plain'], body: `${method} ${target}` }),
    web: fromFetch(async (request) => {
      const { pathname, search } = new URL(request.url)
      return new Response(`${request.method} ${pathname}${search} ${await request.text()}`, { headers: { 'X-Web': 'yes' } })
    }),
    node: fromNodeListener((request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'X-Node': 'yes' })
      response.end(`${request.method} ${request.url}`)
    }),
  },
  empty: {},
}

const robotsByToken: Readonly<Record<string, { readonly robot: number; readonly scopes: readonly string[] }>> = {
  r2: { robot: 2, scopes: ['stock:read', 'stock:write'] },
  r1: { robot: 1, scopes: ['stock:clean'] },
}

export const checks: readonly Authenticator[] = [
  authenticate(members, async ({ username, password }) => (password === `${username}'s word` ? { name: username } : undefined)),
  authenticate(partners, (token) => (token === 'seventy-seven' ? { id: 77 } : undefined)),
  authenticate(machines, (key) => (key === 'lathe' ? { machine: key } : undefined)),
  authenticate(visits, (visitor) => (visitor === 'first' || visitor === 'late' ? { visitor } : undefined)),
  authenticate(robots, (token) => robotsByToken[token], { scopes: ({ scopes }) => scopes }),
  authenticate(counters, async (counter) => (counter === 'key' ? { counter } : undefined)),
]

/** The largest request body that `everything` takes, in bytes. */
export const maxBodySize = 2_000

/** The API, served. */
export const everything = (options: ServeOptions = {}): ApiServer =>
  serve(api, handlers, { auth: checks, maxBodySize, middleware: [rateLimit()], ...options })
