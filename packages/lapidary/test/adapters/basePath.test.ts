/** A base path is known once, by `prefix`: the same API at `/` and at `/api` gives the same responses up to the prefix, on each adapter. */
import { cookie, endpoint, int, noContent, ok, prefix, seeOther, setCookie, text, withHeaders } from 'lapidary'
import { client } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { link, match } from 'lapidary/links'
import { openapi } from 'lapidary/openapi'
import { pagePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checks, everything, handlers, maxBodySize } from '../support/everything.ts'
import { api } from '../support/everythingApi.ts'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'
import { perConnection, table } from '../support/matrix/table.ts'

/** A response as text, without what belongs to the connection, and without the prefix. */
async function print({ status, statusText, headers, body }: Response): Promise<string> {
  // A body that quotes the route of its endpoint is longer below a prefix.
  const named = [...headers].filter(([name]) => !perConnection.has(name) && name !== 'content-length')
  return JSON.stringify([status, statusText, named, await new Response(body).text()]).replaceAll('/api/', '/')
}

describe.each(adapters)('$name', ({ startAdapter }) => {
  let atRoot: RunningAdapter
  let below: RunningAdapter
  beforeAll(async () => {
    atRoot = await startAdapter(everything())
    below = await startAdapter(serve(prefix('/api', api), handlers, { auth: checks, maxBodySize }))
  })
  afterAll(() => Promise.all([atRoot.close(), below.close()]))

  test.each(Object.entries(table))('%s: each response is the same below /api', async (_topic, rows) => {
    for (const [sentence, { target, init }] of rows) {
      if (!target.startsWith('/')) continue
      const [one, other] = [await atRoot.fetch(target, init), await below.fetch(`/api${target}`, init)]
      expect([sentence, await print(other)]).toEqual([sentence, await print(one)])
    }
  })

  test.each(['/', '/api', '/other', '/apis/points/1/2', '/ap%69x'])('%s is not below /api', async (target) => {
    const response = await below.fetch(target)
    expect(response.status).toBe(404)
    await response.arrayBuffer()
  })

  test('an encoded spelling of the prefix is the prefix', async () => {
    const [one, other] = [await below.fetch('/api/points/1/2'), await below.fetch('/%61pi/points/1/2')]
    expect(await print(other)).toBe(await print(one))
  })
})

const at = (target: string): Request => new Request(`http://shop.test${target}`)

const Stone = z.object({ name: z.string() })
const pages = pagePagination(Stone)
const session = cookie(text, { secure: false })
const stones = {
  list: endpoint('GET /stones', { ...pages.declaration }),
  one: endpoint('GET /stones/:id', { params: { id: int }, response: ok(Stone) }),
  latest: endpoint('GET /latest', { response: seeOther }),
  login: endpoint('POST /login', { response: noContent({ headers: { 'Set-Cookie': setCookie({ session }) } }) }),
}

describe('what is derived follows the prefix', () => {
  const below = prefix('/api', stones)
  const server = serve(below, {
    list: (input) => pages.page(input, [{ name: 'opal' }, { name: 'ruby' }]),
    one: ({ params }) => ({ name: `stone ${params.id}` }),
    latest: () => withHeaders({ Location: link(below.one, { params: { id: 2 } }) }),
    login: () => withHeaders({ 'Set-Cookie': { session: 'opal' } }),
  })

  test('a link, its inverse, a client, and the Location that it follows', async () => {
    expect(link(below.one, { params: { id: 7 } })).toBe('/api/stones/7')
    expect(match(below, '/api/stones/7')?.name).toBe('one')
    expect(match(below, '/stones/7')).toBeUndefined()
    const call = client(below, 'http://shop.test', { fetch: server.fetch })
    expect(await call.one({ params: { id: 1 } })).toEqual({ name: 'stone 1' })
    expect((await server.fetch(at('/api/latest'))).headers.get('Location')).toBe('/api/stones/2')
  })

  test('the Link of a page is a URL of the same collection', async () => {
    const first = await server.fetch(at('/api/stones?limit=1'))
    const [, target = ''] = /<([^>]*)>; rel="next"/.exec(first.headers.get('Link') ?? '') ?? []
    const next = new URL(target, 'http://shop.test/api/stones?limit=1')
    expect(next.pathname).toBe('/api/stones')
    expect(await (await server.fetch(new Request(next))).json()).toEqual([{ name: 'ruby' }])
  })

  test('the Path of a cookie includes the prefix', async () => {
    const { headers } = await server.fetch(new Request('http://shop.test/api/login', { method: 'POST' }))
    expect(headers.getSetCookie()).toEqual([expect.stringContaining('; Path=/;')])
  })

  test('OpenAPI and the Markdown have the whole paths, so that a server is the origin alone', async () => {
    const { paths, servers } = await openapi(below, { title: 'Stones', version: '1' })
    expect(Object.keys(paths ?? {})).toEqual(['/api/stones', '/api/stones/{id}', '/api/latest', '/api/login'])
    expect(servers).toBeUndefined()
    expect(markdown(await outline(below))).toContain('/api/stones/')
  })
})

describe('hasPath()', () => {
  const { hasPath } = serve(prefix('/api', api), handlers, { auth: checks })

  test.each(['/api/points/1/2', '/api/points/1/2?x=1', '/api/points/1/2/', '/%61pi/points/1/2'])('%s belongs to the API', (target) => {
    expect(hasPath(target)).toBe(true)
  })

  test.each(['/', '/api', '/points/1/2', '/api/nothing', '/%zz', '*', ''])('%s does not', (target) => {
    expect(hasPath(target)).toBe(false)
  })

  test('a method, credentials and a capture have no part in it: the server answers them', async () => {
    const { one, login } = stones
    const { hasPath: has, fetch } = serve({ one, login }, { one: () => ({ name: '' }), login: () => withHeaders({ 'Set-Cookie': {} }) })
    expect([has('/stones/opal'), has('/stones/%zz'), has('/login')]).toEqual([true, true, true])
    expect([(await fetch(at('/stones/opal'))).status, (await fetch(at('/login'))).status]).toEqual([400, 405])
  })

  test('everything below a mount belongs to it, and with a fallback every path', () => {
    expect([hasPath('/api/raw/kernel/x/y'), hasPath('/raw/kernel/x/y')]).toEqual([true, false])
    const server = serve({}, {}, { fallback: () => ({ status: 200, headers: [], body: null }) })
    expect([server.hasPath('/anything'), serve({}, {}).hasPath('/anything')]).toEqual([true, false])
  })
})
