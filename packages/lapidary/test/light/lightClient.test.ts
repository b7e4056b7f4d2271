/** What is particular to the light client: what it refuses to send, redirects as browsers follow them, and its auth schemes. Over sockets. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  apiKey,
  authScheme,
  basic,
  bearer,
  both,
  download,
  type Endpoint,
  endpoint,
  isHttpError,
  json,
  list,
  ok,
  reply,
  text,
} from 'lapidary'
import { credentials } from 'lapidary/client'
import * as light from 'lapidary/light'
import { listen } from 'lapidary/node'
import { authenticate, serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clients, loadRoutes } from '../support/client/clients.ts'

const people = basic<string>('people')
const partners = bearer<string>('partners')
const counters = apiKey<string>({ in: 'query', name: 'counter' })
const keys = authScheme<string, string>({
  name: 'keys',
  challenge: 'Key',
  credentials: (header) => header('x-key'),
  headers: (key) => ({ 'X-Key': key }),
  openapi: {},
})
const api = {
  item: endpoint('GET /items/:id', { response: ok(text) }),
  file: endpoint('GET /files/*path', { response: ok(text) }),
  person: endpoint('GET /person', { auth: people, response: ok(text) }),
  partner: endpoint('GET /partner', { auth: both(partners, counters), response: ok(text) }),
  keyed: endpoint('GET /keyed', { auth: keys, response: ok(text) }),
}
const { routes: loaded, auth } = loadRoutes(api)
const routes = loaded as light.Routes<typeof api>
const server = serve(
  api,
  {
    item: ({ params }) => params.id,
    file: ({ params }) => params.path,
    person: ({ user }) => user,
    partner: ({ user }) => user.join(' '),
    keyed: ({ user }) => user,
  },
  {
    auth: [
      authenticate(people, ({ username, password }) => `${username} ${password}`),
      authenticate(partners, (token) => token),
      authenticate(counters, (key) => key),
      authenticate(keys, (key) => key),
    ],
  },
)
let running: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  running = await listen(server)
})
afterAll(() => running.close({ drain: 0, grace: 0 }))

test('captures are encoded, and the slashes of a rest stay', async () => {
  const call = light.client<typeof api>(routes, running.url)
  expect(await call.item({ params: { id: 'a/b c?é💎' } })).toBe('a/b c?é💎')
  expect(await call.file({ params: { path: 'a b/c?d' } })).toBe('a b/c?d')
})

test.each(['', '.', '..'])('no path can contain %j as a capture, and nothing is sent', async (id) => {
  const call = light.client<typeof api>(routes, 'http://light.test', { fetch: () => expect.unreachable() })
  await expect(call.item({ params: { id } })).rejects.toThrow(
    new TypeError('GET /items/:id: the capture :id is missing, empty, "." or "..", or has such a segment. Give it another value.'),
  )
  await expect(call.file({ params: { path: `a/${id}/b` } })).rejects.toThrow(TypeError)
})

test('the schemes of the module of routes write the credentials', async () => {
  const { members: _members, ...schemes } = auth as unknown as Readonly<Record<string, light.Credentials['scheme']>>
  const credentials = [
    light.credentials(schemes['people'] as never, { username: 'Åsa', password: 'a:b' } as never),
    light.credentials(schemes['partners'] as never, (() => 'abc') as never),
    light.credentials(schemes['counter'] as never, 'k&k' as never),
    light.credentials(schemes['keys'] as never, { headers: { 'X-Key': 'own' } } as never),
  ]
  const call = light.client<typeof api>(routes, running.url, { auth: credentials })
  expect([await call.person(), await call.partner(), await call.keyed()]).toEqual(['Åsa a:b', 'abc k&k', 'own'])
})

describe('a redirect to another origin', () => {
  let url: string
  let elsewhere: string
  const seen: (string | undefined)[] = []
  const servers = [
    createServer((_request, response) => response.writeHead(307, { Location: `${elsewhere}/there` }).end()),
    createServer((request, response) => {
      seen.push(request.headers['x-secret'] as string | undefined)
      response.setHeader('Content-Type', 'text/plain').end('there')
    }),
  ] as const
  beforeAll(async () => {
    for (const one of servers) await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
    const [here, there] = servers.map((one) => `http://127.0.0.1:${(one.address() as AddressInfo).port}`)
    url = here as string
    elsewhere = there as string
  })
  afterAll(() => Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve)))))

  test('is followed by a request that any origin may get', async () => {
    expect(await light.client<typeof api>(routes, url).item({ params: { id: '1' } })).toBe('there')
  })

  test('a request with a header of its own is not redirected', async () => {
    seen.length = 0
    const call = light.client<typeof api>(routes, url, { headers: { 'X-Secret': 's' } })
    await expect(call.item({ params: { id: '1' } })).rejects.toSatisfy((error) => isHttpError(error, 307))
    expect(seen).toEqual([])
  })
})

test('the routes have each endpoint of the type, and the calls have its types', () => {
  type Item = (typeof api)['item']
  const check = (): void => {
    // @ts-expect-error: the routes lack an endpoint.
    light.client<{ item: Item; other: Item }>({ item: routes.item }, '')
    const call = light.client<{ item: Item }>({ item: routes.item }, '')
    // @ts-expect-error: the capture is missing.
    call.item()
    const result: Promise<string> = call.item({ params: { id: '1' } })
    // @ts-expect-error: it is no number.
    const wrong: Promise<number> = result
    return void wrong
  }
  expect(check).toBeTypeOf('function')
  expect({} satisfies light.Routes<Record<never, Endpoint<never>>>).toEqual({})
})

describe.each(clients)('$kind', ({ createClient }) => {
  const base = 'http://light.test'
  const sessions = apiKey<string>({ in: 'cookie', name: 'session' })
  const things = {
    page: endpoint('GET /page', {
      auth: sessions,
      query: z.object({ rank: z.int().nullable() }),
      cookies: { theme: text },
      response: ok(json),
    }),
    add: endpoint('POST /things', { idempotent: 'required', body: list(z.int()), response: ok(json) }),
    file: endpoint('GET /file', { response: [ok(download('text/csv')), reply(202, json)] }),
  }
  const show = async ({ url, headers }: Request) => Response.json([url.slice(base.length), headers.get('cookie')])

  test('null is a value, and cookies of all sources are sent, those of the call first', async () => {
    const call = createClient(things, base, {
      fetch: show,
      auth: [credentials(sessions, 'xyz')],
    })
    expect(await call.page({ query: { rank: null }, cookies: { theme: 'dark' } })).toEqual(['/page?rank=null', 'theme=dark; session=xyz'])
    const visited = createClient(things, base, { fetch: show, headers: { cookie: 'visit=1' } })
    expect(await visited.page({ query: { rank: 1 }, cookies: { theme: 'dark' } })).toEqual(['/page?rank=1', 'theme=dark; visit=1'])
  })

  test('an option of a call that is undefined is that of the client', async () => {
    const call = createClient(things, base, { fetch: () => new Promise(() => {}), timeout: 1 })
    // What a call without exactOptionalPropertyTypes can give.
    const none = { fetch: undefined, timeout: undefined } as object
    await expect(call.page({ query: { rank: 1 } }, none)).rejects.toThrow('was not answered within 1 ms')
  })

  test('a list that a generator makes is sent again by a repeated call', async () => {
    const bodies: string[] = []
    const call = createClient(things, base, {
      fetch: async (request) => {
        bodies.push(await request.text())
        return bodies.length === 1 ? new Response(null, { status: 503 }) : Response.json('done')
      },
    })
    const numbers = async function* () {
      yield 1
      yield 2
    }
    expect(await call.add({ body: numbers() as never })).toBe('done')
    expect(bodies).toEqual(['[1,2]', '[1,2]'])
  })

  test('a part of a download has the declared status', async () => {
    const call = createClient(things, base, {
      fetch: async () => new Response('part', { status: 206, headers: { 'Content-Type': 'text/csv' } }),
    })
    expect((await call.file()).status).toBe(200)
  })

  test('a response without a type is none of the type that a call accepts', async () => {
    const call = createClient(things, base, { fetch: async () => new Response(new Uint8Array([65])) })
    await expect(call.file({}, { accept: 'text/csv' })).rejects.toThrow('expected the Content-Type')
  })
})
