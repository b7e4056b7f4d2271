/** A prefix with captures adds them to every endpoint below it, in the server, the client, links and documents. */
import fc from 'fast-check'
import { collection, created, endpoint, int, noContent, ok, prefix, reply, text, uuid, withHeaders } from 'lapidary'
import { client } from 'lapidary/client'
import { outline } from 'lapidary/docs'
import { link, match } from 'lapidary/links'
import { openapi } from 'lapidary/openapi'
import { guard, type Next, provide, serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeEachAdapter, testRows } from '../support/matrix/eachAdapter.ts'
import { get, json, refuses, respondsWith } from '../support/matrix/row.ts'

const item = endpoint('GET /items/:item', { params: { item: int }, response: ok(z.object({ tenant: z.int(), item: z.int() })) })
const api = {
  tenants: prefix(
    '/tenants/:tenant',
    { tenant: int },
    {
      item,
      name: endpoint('GET /', { response: ok(text) }),
      file: endpoint('GET /files/*path', { response: ok(text) }),
      rooms: prefix('/rooms/:room', { text: endpoint('GET /text', { response: ok(text) }) }),
      stones: prefix('/stones', collection(z.object({ name: z.string() }))),
    },
  ),
}

/** The item `constructor` must not get a codec from the prototype of a record. */
const inherited = { one: endpoint('GET /:constructor', { response: ok(text) }) }

const title = async ({ params }: { readonly params: { readonly tenant: number } }, next: Next) => next({ title: `Tenant ${params.tenant}` })

const server = serve(
  { ...api, inherited: prefix('/inherited', inherited) },
  {
    tenants: provide(api.tenants, title, {
      item: ({ params }) => params,
      name: ({ title }) => title,
      file: ({ params }) => `${params.tenant}:${params.path}`,
      rooms: { text: ({ params, title }) => `${title}, ${params.room}` },
      stones: {
        list: () => [],
        create: ({ params }) => withHeaders({ Location: `/tenants/${params.tenant}/stones/1` }),
        item: ({ params }) => ({ name: `${params.tenant}/${params.id}` }),
        replace: () => {},
        remove: () => {},
      },
    }),
    inherited: { one: ({ params }) => params.constructor as unknown as string },
  },
)

describeEachAdapter(server, (running) => {
  testRows(running, [
    ['a handler gets the captures of the prefix and its own', get('/tenants/7/items/2'), json({ tenant: 7, item: 2 })],
    ['a provider gets them, too', get('/tenants/7'), respondsWith(200, { text: 'Tenant 7' })],
    ['a capture without a codec is text', get('/tenants/7/rooms/a%20b/text'), respondsWith(200, { text: 'Tenant 7, a b' })],
    ['an encoded slash stays in its capture', get('/tenants/7/rooms/a%2Fb/text'), respondsWith(200, { text: 'Tenant 7, a/b' })],
    ['an encoded slash is no separator', get('/tenants%2F7'), respondsWith(404)],
    [
      'an encoded slash in an integer is refused',
      get('/tenants/7%2Fitems/items/2'),
      refuses(400, expect.objectContaining({ in: 'path', name: 'tenant' })),
    ],
    [
      'errors of both are reported at once',
      get('/tenants/x/items/y'),
      refuses(400, expect.objectContaining({ name: 'tenant' }), expect.objectContaining({ name: 'item' })),
    ],
    ['a name of a prototype is a capture like any other', get('/inherited/a'), respondsWith(200, { text: 'a' })],
    [
      'a text of a prototype is a text like any other',
      get('/tenants/1/rooms/__proto__/text'),
      respondsWith(200, { text: 'Tenant 1, __proto__' }),
    ],
    ['a rest below a capture keeps its slashes', get('/tenants/7/files/a/b'), respondsWith(200, { text: '7:a/b' })],
    [
      'a long capture is refused like any text that is no integer',
      get(`/tenants/${'9'.repeat(8_000)}`),
      refuses(400, expect.objectContaining({ name: 'tenant' })),
    ],
  ])
})

const call = client(api, 'http://test.invalid', { fetch: server.fetch })

test('a call and a link write any captures of the prefix, and match reads them', async () => {
  const names = fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => name !== '.' && name !== '..')
  await fc.assert(
    fc.asyncProperty(fc.maxSafeInteger(), names, async (tenant, room) => {
      const params = { tenant: tenant + 0, room }
      expect(await call.tenants.rooms.text({ params })).toBe(`Tenant ${params.tenant}, ${room}`)
      const url = link(api.tenants.rooms.text, { params })
      expect(match(api, url)).toMatchObject({ name: 'tenants.rooms.text', params })
    }),
  )
})

test('a collection below a prefix has the captures of both', async () => {
  expect(await call.tenants.stones.item({ params: { tenant: 1, id: 2 } })).toEqual({ name: '1/2' })
  expect((await call.tenants.stones.create({ params: { tenant: 1 }, body: { name: 'opal' } })).headers.Location).toBe('/tenants/1/stones/1')
})

test('each operation of a collection has the declared errors, and those of an item a 404', () => {
  const { list, create, item, replace, remove } = collection(z.object({ name: z.string() }), { errors: [reply(503), reply(403)] })
  const statusesOf = [list, create, item, replace, remove].map(({ errors }) => errors.map(({ status }) => status))
  expect(statusesOf).toEqual([
    [503, 403],
    [503, 403],
    [404, 503, 403],
    [404, 503, 403],
    [404, 503, 403],
  ])
})

test('a collection says what each operation does, of which item, and shows a path', () => {
  const named = (options: object) => {
    const { list, create, item, replace, remove } = collection(z.object({ name: z.string() }), options)
    return {
      summaries: [list, create, item, replace, remove].map(({ summary }) => summary),
      id: Object.entries(item.params).map(([name, { description, examples }]) => [name, description, examples]),
      location: create.response.headers['Location'],
      missing: item.errors.map(({ description }) => description),
    }
  }
  expect(named({})).toMatchObject({
    summaries: ['All items.', 'Adds a item.', 'One item.', 'Replaces a item.', 'Removes a item.'],
    id: [['id', 'The identifier of the item.', ['1']]],
    location: { description: 'The path of the new item.', examples: ['/items/1'] },
    missing: ['There is no such item.'],
  })
  expect(named({ one: 'gem', all: 'fine gems', param: 'gem' })).toMatchObject({
    summaries: ['All fine gems.', 'Adds a gem.', 'One gem.', 'Replaces a gem.', 'Removes a gem.'],
    id: [['gem', 'The identifier of the gem.', ['1']]],
    location: { description: 'The path of the new gem.', examples: ['/fine%20gems/1'] },
    missing: ['There is no such gem.'],
  })
})

test('a guard around a group gets the captures of its prefix', async () => {
  const seen: unknown[] = []
  const guarded = prefix('/a/:one', { one: uuid }, { remove: endpoint('DELETE /b', { response: noContent }) })
  const { fetch } = serve(
    guarded,
    guard(guarded, ({ params }) => void seen.push(params), { remove: () => {} }),
  )
  const one = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'
  expect((await fetch(new Request(`http://test.invalid/a/${one}/b`, { method: 'DELETE' }))).status).toBe(204)
  expect(seen).toEqual([{ one }])
})

test('documents describe the captures of the prefix first', async () => {
  const { sections } = await outline(api)
  expect(sections.find(({ name }) => name === 'tenants.item')).toMatchObject({
    path: '/tenants/:tenant/items/:item',
    captures: [
      { name: 'tenant', type: 'integer' },
      { name: 'item', type: 'integer' },
    ],
  })
  const { paths } = await openapi(api, { title: 'Tenants', version: '1' })
  expect(paths['/tenants/{tenant}/items/{item}']?.get?.parameters).toMatchObject([{ name: 'tenant' }, { name: 'item' }])
})

describe('a literal prefix', () => {
  test('changes nothing but the path', () => {
    const moved = prefix('/moved', { item }).item
    expect({ ...moved, segments: item.segments, route: item.route }).toEqual(item)
  })
  test('may have captures before and behind it', () => {
    expect(prefix('/v1', prefix('/a/:a', { c: prefix('/b', { d: created.status === 201 ? item : item }) })).c.d.route).toBe(
      'GET /v1/a/:a/b/items/:item',
    )
  })
})
