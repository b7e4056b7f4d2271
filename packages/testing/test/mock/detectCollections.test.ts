/** Collections of a mock: items are created, replaced and deleted. */
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { checkServer, mock } from '@lapidary/testing'
import * as fc from 'fast-check'
import { collection, created, endpoint, int, isHttpError, list, noContent, ok, oneOf, prefix, reply, text } from 'lapidary'
import { client } from 'lapidary/client'
import { link, match } from 'lapidary/links'
import { listen } from 'lapidary/node'
import { cursorPagination, pagePagination, paginate, rangePagination } from 'lapidary/pagination'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { main } from '../../../../service/src/api.ts'
import { api, Person } from '../../../lapidary/test/support/everything.ts'
import { samples } from '../../../lapidary/test/support/samples.ts'

const base = 'http://mock.test'
const idOf = ({ headers: { Location } }: { readonly headers: { readonly Location: string } }): number => Number(Location.split('/').at(-1))

const ann = { name: 'Ann', age: 36, born: '1988-02-29' }
const ben = { name: 'Ben', age: 7, born: '2017-07-01' }

test('schemas are the same in any order of their members', async () => {
  const one = z.object({ name: z.string(), age: z.int() })
  const other = z.object({ age: z.int(), name: z.string() })
  const stored = {
    read: endpoint('GET /user', { response: ok(one) }),
    write: endpoint('PUT /user', { body: other, response: noContent }),
    all: endpoint('GET /people', { response: ok(list(one)) }),
    item: endpoint('GET /people/:id', { params: { id: int }, response: ok(one) }),
    create: endpoint('POST /people', { body: other, response: created(other) }),
  }
  const call = client(stored, base, { fetch: mock(stored).fetch })
  const value = { age: 36, name: 'Ann' }
  await call.write({ body: value })
  expect(await call.read({})).toEqual(value)
  await call.create({ body: value })
  expect((await call.all({})).at(-1)).toEqual(value)
})

describe('a collection', () => {
  const people = () => client(api, base, { fetch: mock(api).fetch }).people

  test('begins with three items: 1, 2 and 3', async () => {
    const { list: all, item } = people()
    const items = await all({})
    expect(items).toHaveLength(3)
    for (const [index, one] of items.entries()) expect(await item({ params: { id: index + 1 } })).toEqual(one)
    await expect(item({ params: { id: 4 } })).rejects.toSatisfy((error) => isHttpError(error, 404))
  })

  test('can have a capture of any name', async () => {
    const named = prefix('/people', collection(Person, { param: 'personid', etag: 'required' }))
    expect([named.item, named.replace, named.remove].map(({ route }) => route)).toEqual([
      'GET /people/:personid',
      'PUT /people/:personid',
      'DELETE /people/:personid',
    ])
    expect(link(named.item, { params: { personid: 7 } })).toBe('/people/7')
    expect(match(named, '/people/7')).toMatchObject({ name: 'item', params: { personid: 7 } })
    const call = client(named, base, { fetch: mock(named).fetch })
    const { body, headers } = await call.item({ params: { personid: 1 } })
    await call.replace({ params: { personid: 1 }, body: { ...body, age: 1 }, headers: { 'If-Match': headers.ETag } })
    expect((await call.item({ params: { personid: 1 } })).body.age).toBe(1)
    await expect(call.item({ params: { personid: 4 } })).rejects.toSatisfy((error) => isHttpError(error, 404))
  })

  test('returns created items, each by itself and in the list', async () => {
    const { list: all, create, item, replace, remove } = people()
    const response = await create({ body: ann })
    expect(response.headers.Location).toBe('/people/4')
    const params = { id: 4 }
    expect(await item({ params })).toEqual(ann)
    expect((await all({})).at(-1)).toEqual(ann)
    await replace({ params, body: ben })
    expect(await item({ params })).toEqual(ben)
    await remove({ params })
    expect(await all({})).toHaveLength(3)
    for (const gone of [item({ params }), replace({ params, body: ann }), remove({ params })])
      await expect(gone).rejects.toSatisfy((error) => isHttpError(error, 404))
  })

  test('behaves as a map after any sequence of requests', async () => {
    const person = fc.record({ name: fc.string(), age: fc.integer(), born: fc.constant('2000-01-01') })
    const step = fc.oneof(
      fc.record({ what: fc.constant('create' as const), body: person }),
      fc.record({ what: fc.constant('replace' as const), id: fc.integer({ min: 1, max: 6 }), body: person }),
      fc.record({ what: fc.constant('remove' as const), id: fc.integer({ min: 1, max: 6 }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { list: all, create, item, replace, remove } = people()
        const model = new Map((await all({})).map((one, index): [number, unknown] => [index + 1, one]))
        for (const one of steps) {
          if (one.what === 'create') model.set(idOf(await create({ body: one.body })), one.body)
          else {
            const params = { id: one.id }
            const done = one.what === 'remove' ? remove({ params }) : replace({ params, body: one.body })
            if (!model.has(one.id)) await expect(done).rejects.toSatisfy((error) => isHttpError(error, 404))
            else await done
            if (one.what === 'remove') model.delete(one.id)
            else if (model.has(one.id)) model.set(one.id, one.body)
          }
        }
        expect(await all({})).toEqual([...model.values()])
        for (const [id, value] of model) expect(await item({ params: { id } })).toEqual(value)
      }),
      { numRuns: samples(30) },
    )
  })

  test('accepts one of two changes with the same tag', async () => {
    const { users } = client(main, base, { fetch: mock(main).fetch })
    const params = { userid: 1 }
    const { body, headers } = await users.item({ params })
    const change = (age: number): Promise<unknown> =>
      users.replace({ params, body: { ...body, age }, headers: { 'If-Match': headers.ETag } }).catch((error: unknown) => error)
    const ends = await Promise.all([change(1), change(2)])
    expect(ends).toEqual([undefined, expect.objectContaining({ status: 412 })])
    expect((await users.item({ params })).body.age).toBe(1)
    await expect(users.remove({ params: { userid: 9 }, headers: { 'If-Match': '*' } })).rejects.toSatisfy((error) =>
      isHttpError(error, 404),
    )
  })

  test('refuses an item whose body has the identifier of another', async () => {
    const { products } = client(main, base, { fetch: mock(main).fetch })
    await expect(products.create({ body: { productId: 2, name: 'opal' } })).rejects.toMatchObject({ status: 409 })
    expect(idOf(await products.create({ body: { productId: 77, name: 'onyx' } }))).toBe(77)
  })

  test('keeps an item whose body has the identifier of another, where no error says so', async () => {
    const Product = z.object({ id: z.int(), name: z.string() })
    const products = prefix('/products', collection(Product))
    const { create, item, list: listAll } = client(products, base, { fetch: mock(products).fetch })
    const [{ id: taken } = { id: 0 }] = await listAll({})
    const body = { id: taken, name: 'opal' }
    const id = idOf(await create({ body }))
    expect(await item({ params: { id } })).toEqual(body)
    expect(id).not.toBe(taken)
  })

  test('refuses a replacement whose body has another identifier than its path', async () => {
    const { products } = client(main, base, { fetch: mock(main).fetch })
    const [before] = [await products.list({})]
    const replacement = products.replace({ params: { productid: 2 }, body: { productId: 1, name: 'opal' } })
    await expect(replacement).rejects.toMatchObject({ status: 409 })
    expect(await products.list({})).toEqual(before)
  })

  test.each(['PUT', 'PATCH'] as const)('gives what %s sends the identifier of its path, where no error refuses another', async (method) => {
    const Product = z.object({ id: z.int(), name: z.string() })
    const api = prefix('/products', {
      ...collection(Product),
      change: endpoint('PATCH /:id', { params: { id: int }, body: Product, response: ok(Product) }),
    })
    const { replace, change, item, list: listAll } = client(api, base, { fetch: mock(api).fetch })
    const [one, other] = await listAll({})
    const params = { id: one?.id ?? 0 }
    await (method === 'PUT' ? replace : change)({ params, body: { id: other?.id ?? 0, name: 'opal' } })
    expect(await item({ params })).toEqual({ ...params, name: 'opal' })
    expect(new Set((await listAll({})).map(({ id }) => id)).size).toBe(3)
  })

  test('begins with the items of the examples', async () => {
    const { users } = client(main, base, { fetch: mock(main).fetch })
    const { body } = await users.list({})
    expect(body[0]?.name).toBe('Isaac Newton')
  })
})

describe('a collection is detected by its routes', () => {
  const Stone = z.object({ id: z.int(), name: z.string() })
  const byId = { params: { shop: text, id: int }, errors: [reply(404)] }
  const stones = {
    all: endpoint('GET /shops/:shop/stones', { response: ok(list(Stone)) }),
    add: endpoint('POST /shops/:shop/stones', {
      body: Stone.omit({ id: true }),
      response: created(Stone, { headers: { location: text } }),
    }),
    one: endpoint('GET /shops/:shop/stones/:id', { ...byId, response: ok(Stone) }),
    rename: endpoint('PATCH /shops/:shop/stones/:id', { ...byId, body: Stone.pick({ name: true }), response: ok(Stone) }),
    remove: endpoint('DELETE /shops/:shop/stones/:id', { ...byId, response: noContent }),
  }
  const call = client(stones, base, { fetch: mock(stones).fetch })

  test('with endpoints of any name, and one collection for each path', async () => {
    const params = { shop: 'north' }
    const { body, headers } = await call.add({ params, body: { name: 'opal' } })
    expect([body, headers.location]).toEqual([{ id: 4, name: 'opal' }, '/shops/north/stones/4'])
    expect((await call.all({ params })).map(({ id }) => id)).toEqual([1, 2, 3, 4])
    expect(await call.all({ params: { shop: 'south' } })).toHaveLength(3)
    expect(await call.rename({ params: { shop: 'north', id: 4 }, body: { name: 'fire opal' } })).toEqual({ id: 4, name: 'fire opal' })
    expect(await call.one({ params: { shop: 'north', id: 4 } })).toEqual({ id: 4, name: 'fire opal' })
  })

  test('a change after which an item would be invalid has no effect', async () => {
    const Span = z.object({ id: z.int(), low: z.int().min(0).max(9), high: z.int().min(0).max(9) })
    const spans = prefix('/spans', {
      add: endpoint('POST /', { body: Span.omit({ id: true }), response: created({ headers: { Location: text } }) }),
      one: endpoint('GET /:id', { params: { id: int }, response: ok(Span.refine(({ low, high }) => low <= high)) }),
      change: endpoint('PATCH /:id', { params: { id: int }, body: z.object({ low: z.int() }), response: noContent }),
    })
    const own = client(spans, base, { fetch: mock(spans).fetch })
    const id = idOf(await own.add({ body: { low: 2, high: 5 } }))
    await own.change({ params: { id }, body: { low: 4 } })
    await own.change({ params: { id }, body: { low: 6 } })
    expect(await own.one({ params: { id } })).toEqual({ id, low: 4, high: 5 })
  })

  test('other routes are no collections', async () => {
    const { order } = client(api, base, { fetch: mock(api).fetch })
    expect((await order({ body: { item: 'opal', tags: [] } })).headers.Location).toBe('/orders/blue')
  })

  test('its identifiers are values of their codec', async () => {
    const words = prefix('/words', {
      add: endpoint('POST /', { body: Person, response: created({ headers: { Location: text } }) }),
      one: endpoint('GET /:word', { params: { word: text }, response: ok(Person) }),
    })
    const own = client(words, base, { fetch: mock(words).fetch })
    const { headers } = await own.add({ body: ann })
    expect(await own.one({ params: { word: headers.Location.split('/').at(-1) ?? '' } })).toEqual(ann)
  })

  test('an identifier is a value that both the path and the items allow', async () => {
    const Ticket = z.object({ id: z.uuid(), title: z.string() })
    const tickets = prefix('/tickets', {
      add: endpoint('POST /', { body: Ticket.omit({ id: true }), response: created(Ticket, { headers: { Location: text } }) }),
      one: endpoint('GET /:ticket', { response: ok(Ticket) }),
    })
    const own = client(tickets, base, { fetch: mock(tickets).fetch })
    const { body, headers } = await own.add({ body: { title: 'opal' } })
    expect(headers.Location).toBe(`/tickets/${body.id}`)
    expect(await own.one({ params: { ticket: body.id } })).toEqual(body)
  })

  test('it has no more items than identifiers', async () => {
    const sizes = prefix('/sizes', {
      add: endpoint('POST /', { body: Person, response: created({ headers: { Location: text } }) }),
      one: endpoint('GET /:size', { params: { size: oneOf('small', 'large') }, response: ok(Person) }),
    })
    const own = client(sizes, base, { fetch: mock(sizes).fetch })
    await own.one({ params: { size: 'large' } })
    await expect(own.add({ body: ann })).rejects.toMatchObject({ status: 507 })
  })

  test('a custom handler replaces one endpoint, and gets the parsed body', async () => {
    const Trimmed = z.object({ name: z.string(), count: z.int().default(1) })
    const things = prefix('/things', collection(Trimmed))
    const seen: unknown[] = []
    const { fetch } = mock(things, { handlers: { replace: ({ body }) => void seen.push(body) } })
    await client(things, base, { fetch }).replace({ params: { id: 1 }, body: { name: 'opal' } })
    expect(seen).toEqual([{ name: 'opal', count: 1 }])
  })
})

describe('a path with a GET, and a PUT or a DELETE', () => {
  test('returns what was put there', async () => {
    const { notice } = client(api, base, { fetch: mock(api).fetch })
    const { ETag } = (await notice.read({})).headers
    await notice.write({ body: 'Open!', headers: { 'If-Match': ETag } })
    const { body, headers } = await notice.read({})
    expect(body).toBe('Open!')
    await expect(notice.clear({ headers: { 'If-Match': ETag } })).rejects.toMatchObject({ status: 412 })
    await notice.clear({ headers: { 'If-Match': headers.ETag } })
    expect((await notice.read({})).body).toBe('Closed on Mondays.')
  })

  test('is 404 after a DELETE, if the description declares 404', async () => {
    const { user } = client(main, base, { fetch: mock(main).fetch })
    const params = { userid: 1 }
    await user.remove({ params })
    for (const gone of [user.item({ params }), user.remove({ params })])
      await expect(gone).rejects.toSatisfy((error) => isHttpError(error, 404))
    expect((await user.item({ params: { userid: 2 } })).body.name).toBe('Isaac Newton')
  })

  test('keeps an object unchanged, and one for each path', async () => {
    const Setting = z.object({ colour: z.string(), size: z.int().default(1) })
    const settings = prefix('/settings', {
      read: endpoint('GET /:who', { response: ok(Setting, { headers: { 'X-Count': int } }) }),
      write: endpoint('PUT /:name', { body: Setting, response: noContent }),
    })
    const call = client(settings, base, { fetch: mock(settings).fetch })
    const before = await call.read({ params: { who: 'ben' } })
    await call.write({ params: { name: 'ann' }, body: { colour: 'red' } })
    expect((await call.read({ params: { who: 'ann' } })).body).toEqual({ colour: 'red', size: 1 })
    expect(await call.read({ params: { who: 'ben' } })).toEqual(before)
  })
})

describe('an endpoint with cursors or numbers', () => {
  const fields = { name: { codec: text, get: ({ name }: { name: string }) => name } }
  const options = { key: ({ name }: { name: string }) => name, default: 'name' } as const
  const pages = {
    cursors: endpoint('GET /cursors', { ...cursorPagination(Person, fields, options).declaration }),
    cursorsInBody: endpoint('GET /cursors-in-body', {
      ...cursorPagination(Person, fields, { ...options, body: { items: 'items', next: 'next' } }).declaration,
    }),
    numbers: endpoint('GET /numbers', { ...pagePagination(Person).declaration }),
    numbersInBody: endpoint('GET /numbers-in-body', {
      ...pagePagination(Person, { body: { items: 'items', total: 'total' } }).declaration,
    }),
  }

  test('returns pages that link from the first to the last', async () => {
    const call = client(pages, base, { fetch: mock(pages).fetch })
    const namesOf = async (walk: AsyncIterable<{ name: string }>): Promise<readonly string[]> => {
      const names: string[] = []
      for await (const { name } of walk) names.push(name)
      return names
    }
    const input = { query: { limit: 50 } }
    for (const walk of [paginate(call.cursors, { input }), paginate(call.cursorsInBody, { input })]) {
      const names = await namesOf(walk)
      expect(names.length).toBeGreaterThan(100)
      expect(new Set(names).size).toBe(names.length)
      expect(names).toEqual(names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))))
    }
    expect(await namesOf(paginate(call.numbers, { input }))).toHaveLength((await call.numbers()).headers['Total-Count'])
    expect(await namesOf(paginate(call.numbersInBody, { input }))).toHaveLength((await call.numbersInBody()).body.total)
  })

  test('keeps further query parameters in its links, and passes the check', async () => {
    const { declaration } = cursorPagination(Person, fields, options)
    const filtered = {
      ...pages,
      filtered: endpoint('GET /:shop/people', { params: { shop: int }, ...declaration, query: { ...declaration.query, job: text } }),
    }
    const mocked = mock(filtered)
    const { headers } = await client(filtered, base, { fetch: mocked.fetch }).filtered({ params: { shop: 7 }, query: { job: 'a&b' } })
    expect(headers.Link).toMatch(/^<\?cursor=[\w-]+&limit=100&sort=name&job=a%26b>; rel="next"$/)
    const { url, close } = await listen(mocked)
    onTestFinished(() => close({ drain: 0, grace: 0 }))
    const { failures } = await checkServer(filtered, url, { requests: 50, seconds: 30, seed: 1 })
    expect(failures).toEqual([])
  })

  test('returns pages of the items of its collection', async () => {
    const people = prefix('/people', {
      ...collection(Person),
      list: endpoint('GET /', { ...pagePagination(Person, { limit: 2, body: { items: 'people', total: 'total' } }).declaration }),
    })
    const call = client(people, base, { fetch: mock(people).fetch })
    await call.create({ body: ann })
    const names: string[] = []
    for await (const { name } of paginate(call.list)) names.push(name)
    expect(names).toContain('Ann')
    expect(names).toHaveLength(4)
    expect((await call.list()).body.total).toBe(4)
  })
})

describe('an endpoint with ranges', () => {
  const { page } = client(api, base, { fetch: mock(api).fetch })

  test('returns pages that link from the first to the last', async () => {
    const first = await page({ query: { range: 'name; limit 50; order asc' } })
    const total = first.headers['Total-Count']
    expect(total).toBeGreaterThan(100)
    const names: string[] = []
    for await (const { name } of paginate(page, { range: 'name; limit 50; order asc' })) names.push(name)
    expect(names).toHaveLength(total)
    expect(new Set(names).size).toBe(total)
    expect(first.body.map(({ name }) => name)).toEqual(names.slice(0, 50))
  })

  test('returns pages of the items of its collection', async () => {
    const { declaration } = rangePagination(
      Person,
      { name: { codec: text, get: ({ name }) => name } },
      { key: ({ name }) => name, default: 'name', options: { name: { order: 'asc', limit: 2 } } },
    )
    const people = prefix('/people', { ...collection(Person), list: endpoint('GET /', { ...declaration }) })
    const call = client(people, base, { fetch: mock(people).fetch })
    await call.create({ body: ann })
    const names: string[] = []
    for await (const { name } of paginate(call.list)) names.push(name)
    expect(names).toContain('Ann')
    expect(names).toHaveLength(4)
    expect((await call.list({})).headers['Total-Count']).toBe(4)
  })

  test('keeps the items of a limited number of paths', async () => {
    const seen: WeakRef<object>[] = []
    const { declaration } = rangePagination(
      Person,
      { name: { codec: text, get: ({ name }) => name } },
      {
        key: (person) => {
          seen.push(new WeakRef(person))
          return person.name
        },
        default: 'name',
      },
    )
    const shops = { people: endpoint('GET /:shop/people', { params: { shop: int }, ...declaration }) }
    const call = client(shops, base, { fetch: mock(shops).fetch })
    for (let shop = 0; shop < 64; shop += 1) await call.people({ params: { shop }, query: { range: 'name; limit 1' } })
    seen.length = 0
    await call.people({ params: { shop: 64 }, query: { range: 'name; limit 1' } })
    expect(seen.length).toBeGreaterThan(100)
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    for (let round = 0; round < 50 && seen.some((one) => one.deref() !== undefined); round += 1) {
      await setTimeout(10)
      collect()
    }
    expect(seen.filter((one) => one.deref() !== undefined).length).toBeLessThan(seen.length / 2)
  })

  test('returns the same page for the same range', async () => {
    const callPage = () => page({ query: { range: 'age; limit 3' } })
    expect(await callPage()).toEqual(await callPage())
  })
})

describe('the identifier of an item that was deleted', () => {
  const Product = z.object({ productId: z.int(), name: z.string() })
  const byProduct = { params: { productId: int }, errors: [reply(404)] }
  const products = prefix('/products', {
    create: endpoint('POST /', { body: Product, response: created({ headers: { Location: text } }) }),
    item: endpoint('GET /:productId', { ...byProduct, response: ok(Product) }),
    remove: endpoint('DELETE /:productId', { ...byProduct, response: noContent }),
  })
  const productsOf = () => client(products, base, { fetch: mock(products).fetch })

  test('is not given to another, even if it was the last', async () => {
    const { create, item, remove } = client(api, base, { fetch: mock(api).fetch }).people
    const first = idOf(await create({ body: ann }))
    await remove({ params: { id: first } })
    await remove({ params: { id: 1 } })
    const second = idOf(await create({ body: ben }))
    expect([first, second]).toEqual([4, 5])
    await expect(item({ params: { id: first } })).rejects.toSatisfy((error) => isHttpError(error, 404))
    await remove({ params: { id: second } })
    expect(idOf(await create({ body: ann }))).toBe(6)
  })

  test('is not given to another, even if a client chose it', async () => {
    const own = productsOf()
    for (const productId of [4, 5]) expect(idOf(await own.create({ body: { productId, name: 'opal' } }))).toBe(productId)
    await own.remove({ params: { productId: 4 } })
    // 2 belongs to another item, so the new one gets an identifier of its own.
    expect(idOf(await own.create({ body: { productId: 2, name: 'onyx' } }))).toBe(6)
  })

  test('can be used again by a client that names it', async () => {
    const own = productsOf()
    await own.create({ body: { productId: 77, name: 'opal' } })
    await own.remove({ params: { productId: 77 } })
    expect(idOf(await own.create({ body: { productId: 77, name: 'onyx' } }))).toBe(77)
    expect(await own.item({ params: { productId: 77 } })).toEqual({ productId: 77, name: 'onyx' })
  })

  test('is given again if there are only a few', async () => {
    const byId = { params: { size: oneOf('small', 'large') } }
    const sizes = prefix('/sizes', {
      add: endpoint('POST /', { body: Person, response: created({ headers: { Location: text } }) }),
      one: endpoint('GET /:size', { ...byId, response: ok(Person) }),
      remove: endpoint('DELETE /:size', { ...byId, response: noContent }),
    })
    const own = client(sizes, base, { fetch: mock(sizes).fetch })
    await expect(own.add({ body: ann })).rejects.toMatchObject({ status: 507 })
    await own.remove({ params: { size: 'large' } })
    expect((await own.add({ body: ann })).headers.Location).toBe('/sizes/large')
    expect(await own.one({ params: { size: 'large' } })).toEqual(ann)
    await expect(own.add({ body: ben })).rejects.toMatchObject({ status: 507 })
  })
})

describe('a collection whose items have members that only the server sets', () => {
  const Note = z.object({ id: z.int(), title: z.string(), done: z.boolean(), createdAt: z.iso.datetime() })
  const notes = {
    create: endpoint('POST /notes', {
      body: Note.pick({ title: true }),
      response: reply(201, Note.pick({ id: true, createdAt: true }), { headers: { Location: text } }),
    }),
    item: endpoint('GET /notes/:id', { params: { id: int }, response: ok(Note), errors: [reply(404)] }),
    all: endpoint('GET /notes', { response: ok(list(Note)) }),
    replace: endpoint('PUT /notes/:id', { params: { id: int }, body: Note.pick({ title: true, done: true }), response: ok(Note) }),
  }
  const createNotes = () => client(notes, base, { fetch: mock(notes).fetch })

  test('keeps what it is sent, and sets the others once', async () => {
    const { create, item, all } = createNotes()
    const { body, headers } = await create({ body: { title: 'Buy milk' } })
    expect(headers.Location).toBe(`/notes/${body.id}`)
    const kept = await item({ params: { id: body.id } })
    expect(kept).toMatchObject({ id: body.id, title: 'Buy milk', createdAt: body.createdAt })
    expect(await item({ params: { id: body.id } })).toEqual(kept)
    expect((await all({})).at(-1)).toEqual(kept)
    await expect(item({ params: { id: 99 } })).rejects.toSatisfy((error) => isHttpError(error, 404))
  })

  test('keeps them where an item is replaced', async () => {
    const { create, item, replace } = createNotes()
    const { body } = await create({ body: { title: 'Buy milk' } })
    const params = { id: body.id }
    const replaced = await replace({ params, body: { title: 'Buy tea', done: true } })
    expect(replaced).toEqual({ id: body.id, title: 'Buy tea', done: true, createdAt: body.createdAt })
    expect(await item({ params })).toEqual(replaced)
  })

  test('is none where a member of the body is none of the item', async () => {
    const odd = { ...notes, create: endpoint('POST /notes', { body: z.object({ count: z.int() }), response: created(text) }) }
    const { item } = client(odd, base, { fetch: mock(odd).fetch })
    expect((await item({ params: { id: 99 } })).id).toBe(99)
  })
})
