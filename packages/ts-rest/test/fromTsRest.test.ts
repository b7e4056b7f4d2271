/** `fromTsRest`: what a contract becomes, what tools make of it, and what is refused. */
import { diff, manifest, mock } from '@lapidary/testing'
import { fromTsRest } from '@lapidary/ts-rest'
import { type AppRouter, initContract } from '@ts-rest/core'
import { type AnyEndpoint, operations } from 'lapidary'
import { client } from 'lapidary/client'
import { openapi } from 'lapidary/openapi'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { z as zod3 } from 'zod3'
import { contract } from './support/gallery.ts'
import { versions } from './support/versions.ts'

const c = initContract()

describe.each(versions)('$name', ({ gallery }) => {
  test('each route is an endpoint under the same name', () => {
    const all = operations(fromTsRest(gallery.contract))
    expect(all).toHaveLength(30)
    expect(all.slice(0, 3).map(({ name, operation }) => [name, (operation as AnyEndpoint).route])).toEqual([
      ['works.list', 'GET /works'],
      ['works.get', 'GET /works/:id'],
      ['works.create', 'POST /works'],
    ])
  })

  test('every version describes the same', () => {
    const changes = diff(manifest(fromTsRest(contract)), manifest(fromTsRest(gallery.contract)))
    // The uuid of zod 3 has any version.
    expect(changes.filter(({ endpoint }) => !endpoint.startsWith('visitors.'))).toEqual([])
  })

  test('it has an OpenAPI document', async () => {
    const { paths = {} } = await openapi(fromTsRest(gallery.contract), { title: 'Gallery', version: '1' })
    expect(Object.keys(paths)).toContain('/works/{id}')
  })
})

test('common responses, metadata, summaries and deprecations are those of the route', () => {
  const { works, admin } = fromTsRest(contract)
  expect(works.get.errors.map(({ status }) => status)).toEqual([403, 404])
  expect(works.list.meta).toEqual({ area: 'works', roles: ['guest'], cacheSeconds: 60 })
  expect(works.list.summary).toBe('All works')
  expect(admin.reset.deprecated).toBe(true)
  expect(admin.health.description).toBe('Whether it works.')
})

test('a client of the API has the types of the contract', async () => {
  const api = fromTsRest(contract)
  const call = client(api, 'http://gallery.test', { fetch: mock(api).fetch })
  const found = await call.works.get({ params: { id: 7 } })
  expectTypeOf(found.title).toEqualTypeOf<string>()
  expectTypeOf(found.kind).toEqualTypeOf<'painting' | 'print' | 'sculpture'>()
  expect(typeof found.title).toBe('string')
  const replaced = await call.works.replace({ params: { id: 7 }, body: { title: 'a', kind: 'print', year: null, tags: [] } })
  expectTypeOf(replaced.status).toEqualTypeOf<200 | 201>()
  expect([200, 201]).toContain(replaced.status)
  // @ts-expect-error: a work has no such kind
  await expect(call.works.create({ body: { title: 'a', kind: 'vase', year: null, tags: [] } })).rejects.toThrow()
})

test('a query reads what Lapidary writes, and dates are dates', async () => {
  const api = fromTsRest(contract)
  const call = client(api, 'http://gallery.test', { fetch: mock(api).fetch })
  const { visits } = await call.visitors.visits({ params: { id: 'x' }, query: { from: new Date(0) } })
  expectTypeOf(visits).toEqualTypeOf<{ at: Date; room: string }[]>()
  expect(visits.every(({ at }) => at instanceof Date)).toBe(true)
})

test('headers of ts-rest 3.53 are a record of schemas', () => {
  const headers = { 'x-a': z.coerce.number(), 'x-b': z.string(), 'x-c': null, 'x-d': z.coerce.string(), 'Content-Type': z.string() }
  const all = c.router({ one: { method: 'GET', path: '/one', headers, responses: { 200: z.string() } } })
  expect(Object.entries(fromTsRest(all).one.headers).map(([name, { required }]) => [name, required])).toEqual([
    ['x-a', true],
    ['x-b', true],
    ['x-d', true],
  ])
})

test('a schema of any library with a JSON Schema is taken', () => {
  const all = { one: { method: 'GET' as const, path: '/one', responses: { 200: v.string() } } }
  expect(() => fromTsRest(all)).toThrow('fromTsRest(): one.responses.200: the schema of valibot has no JSON Schema.')
})

const ok = { 200: z.string() }
const route = { method: 'GET' as const, path: '/one', responses: ok }

test.each<readonly [string, AppRouter, string]>([
  ['c.type() of a query', { one: { ...route, query: c.type<{ page: string }>() } }, 'one.query: c.type() says nothing at run time'],
  ['an optional capture', { one: { ...route, path: '/one/:id?' } }, 'one: the path /one/:id? has an optional capture. Write two routes'],
  [
    'a route without a success',
    { deep: { one: { ...route, responses: { 404: z.null() } } } },
    'deep.one: it declares no response of success.',
  ],
  [
    'a map',
    { one: { ...route, responses: { 200: z.map(z.string(), z.string()) } } },
    'fromTsRest(): one.responses.200: Map cannot be represented in JSON Schema',
  ],
  ['a status that is none', { one: { ...route, responses: { 200: z.string(), 99: z.string() } } }, 'fromTsRest(): one: '],
  [
    'a query of objects in lists',
    { one: { ...route, query: z.object({ a: z.array(z.object({ b: z.string() })) }) } },
    'fromTsRest(): one: ',
  ],
  ['a route without responses', { one: { method: 'GET', path: '/one' } as never }, 'one: it declares no response of success.'],
  ['a path that is no text', { one: { ...route, path: undefined as never } }, 'one: the path is undefined. Write a text'],
  ['a media type that is no text', { one: { ...route, responses: { 200: { contentType: 5, body: null } as never } } }, 'got an object.'],
  [
    'headers that are no schemas',
    { one: { ...route, headers: 'x-a' as never } },
    'one.headers: expected a schema, such as z.string(), and got a string.',
  ],
  ['a member that is no route', { one: 1 as never }, 'one: expected a route or a router, which is an object.'],
  [
    'headers that ts-rest could not merge',
    // As ts-rest merges them: it spreads the object.
    { one: { ...route, headers: { 'x-a': z.string(), ...z.object({ 'x-b': z.string() }) } as never } },
    'one.headers: ts-rest could not merge the headers',
  ],
])('%s is refused', (_name, all, message) => {
  expect(() => fromTsRest(all)).toThrow(message)
})

test('what is no contract is refused', () => {
  expect(() => fromTsRest(undefined as never)).toThrow('fromTsRest() takes a contract')
})

test('schemas that lead to each other in very many ways', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `n${index}`)
  const all: Record<string, zod3.ZodTypeAny> = {}
  for (const name of names)
    all[name] = zod3.object(Object.fromEntries(names.map((other) => [other, zod3.lazy(() => all[other] as zod3.ZodTypeAny).optional()])))
  const api = fromTsRest({ one: { ...route, responses: { 200: all['n0'] as zod3.ZodTypeAny } } })
  expect(JSON.stringify(manifest(api)).length).toBeLessThan(400_000)
})
