/** The order of failures: of several faults in a request, the response names the one that is checked first. */
import fc from 'fast-check'
import { basic, endpoint, errors, int, noContent, ok, oneOf } from 'lapidary'
import { authenticate, guard, type HttpRequest, type Next, provide, serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'
import { samples } from '../support/samples.ts'

const people = basic<string>('people')
const Item = z.object({ name: z.string() })

const api = {
  item: endpoint('PUT /items/:id', {
    params: { id: int },
    query: { size: int },
    headers: { 'X-Unit': oneOf('cm', 'in') },
    cookies: { visits: int },
    auth: people,
    body: Item,
    response: ok(Item),
  }),
  remove: endpoint('DELETE /items/:id', { params: { id: int }, auth: people, response: noContent }),
}

/** What the code of the application rejects. It sees headers that no endpoint declares. */
const rejects = (request: HttpRequest, what: string): boolean => request.header('x-rejects')?.includes(what) === true
const closeShop = async (input: { readonly isMember: boolean }, next: Next, request: HttpRequest) => {
  if (rejects(request, 'provider')) throw errors.serviceUnavailable()
  return next({ isOpen: input.isMember })
}

const handlers = guard(
  api,
  async ({ user }, request) => {
    if (rejects(request, 'outer')) throw errors.forbidden()
    return { isMember: user === 'Ann' }
  },
  guard(
    api,
    (_input: { readonly isMember: boolean }, request) => {
      if (rejects(request, 'inner')) throw errors.tooManyRequests()
    },
    provide(api, closeShop, {
      item: ({ body, isOpen }) => {
        if (body.name === 'taken' || !isOpen) throw errors.conflict()
        return body
      },
      remove: () => {},
    }),
  ),
)

const server = serve(api, handlers, {
  auth: [authenticate(people, ({ password }) => (password === 'right' ? 'Ann' : undefined))],
  maxBodySize: 100,
})

interface Parts {
  readonly method: string
  readonly collection: string
  readonly id: string
  readonly password: string
  readonly outer: string
  readonly inner: string
  readonly provider: string
  readonly accept: string
  readonly type: string
  readonly size: string
  readonly unit: string
  readonly visits: string
  readonly padding: number
  readonly body: string
}

const right: Parts = {
  method: 'PUT',
  collection: 'items',
  id: '1',
  password: 'right',
  outer: '',
  inner: '',
  provider: '',
  accept: 'application/json',
  type: 'application/json',
  size: '3',
  unit: 'cm',
  visits: '1',
  padding: 0,
  body: '{"name":"spoon"}',
}

/** The faults in the order of their checks, each with a text that only its response has. */
const wrongs: readonly {
  readonly name: string
  readonly parts: Partial<Parts>
  readonly says: readonly [status: number, place?: string]
}[] = [
  { name: 'the path', parts: { collection: 'nothing' }, says: [404] },
  { name: 'a capture', parts: { id: 'one' }, says: [400, 'path'] },
  { name: 'the method', parts: { method: 'POST' }, says: [405] },
  { name: 'the credentials', parts: { password: 'wrong' }, says: [401] },
  { name: 'a guard', parts: { outer: 'outer' }, says: [403] },
  { name: 'a guard within it', parts: { inner: 'inner' }, says: [429] },
  { name: 'Accept', parts: { accept: 'image/png' }, says: [406] },
  { name: 'Content-Type', parts: { type: 'image/png' }, says: [415] },
  { name: 'the query', parts: { size: 'large' }, says: [400, 'query'] },
  { name: 'a header', parts: { unit: 'mile' }, says: [400, 'header'] },
  { name: 'a cookie', parts: { visits: 'many' }, says: [400, 'cookie'] },
  { name: 'the size of the body', parts: { padding: 200 }, says: [413] },
  { name: 'the body', parts: { body: '{"name":1}' }, says: [400, 'body'] },
  { name: 'a provider', parts: { provider: 'provider' }, says: [503] },
  { name: 'a rule of the handler', parts: { body: '{"name":"taken"}' }, says: [409] },
]
const pairs = wrongs
  .flatMap((first, index) => wrongs.slice(index + 1).map((second) => ({ first, second })))
  // A part of a request has one value.
  .filter(({ first, second }) => Object.keys(first.parts).every((part) => !Object.hasOwn(second.parts, part)))

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(server)
  })
  afterAll(() => adapter.close())

  /** The status of the answer, and which part of the request it complains of. */
  async function send(parts: Parts): Promise<readonly unknown[]> {
    const { method, collection, id, password, outer, inner, provider, accept, type, size, unit, visits, padding, body } = parts
    const response = await adapter.fetch(`/${collection}/${id}?size=${size}`, {
      method,
      headers: {
        Authorization: `Basic ${btoa(`Ann:${password}`)}`,
        Accept: accept,
        'Content-Type': type,
        'X-Unit': unit,
        'X-Rejects': `${outer} ${inner} ${provider}`,
        Cookie: `visits=${visits}`,
      },
      body: new TextEncoder().encode(body + ' '.repeat(padding)),
    })
    const { errors } = (await response.json()) as { errors?: readonly { in: string }[] }
    return errors === undefined ? [response.status] : [response.status, errors[0]?.in]
  }

  test('a valid request is answered', async () => {
    expect(await send(right)).toEqual([200])
  })

  test.each(wrongs)('only a fault in $name', async ({ parts, says }) => {
    expect(await send({ ...right, ...parts })).toEqual(says)
  })

  test.each(pairs)('faults in $first.name and $second.name: the response names the first', async ({ first, second }) => {
    expect(await send({ ...right, ...second.parts, ...first.parts })).toEqual(first.says)
  })

  test('of any faults, the response names the first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray([...wrongs], { minLength: 1 }), async (faults) => {
        const parts = Object.assign({}, right, ...faults.toReversed().map((fault) => fault.parts)) as Parts
        expect(await send(parts)).toEqual(faults[0]?.says)
      }),
      { numRuns: samples(300) },
    )
  })
})
