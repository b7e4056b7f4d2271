/** What a check creates on the server is deleted at the end, and nothing else. */
import { checkServer, formatReport, rules } from '@lapidary/testing'
import { bearer, created, endpoint, errors, int, noContent, ok, prefix, reply, text, withHeaders } from 'lapidary'
import { listen } from 'lapidary/node'
import { authenticate, serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const keepers = bearer<true>('keepers')
const NewStone = z.object({ name: z.string().max(20) })
const Stone = z.object({ id: z.int(), name: z.string() })
const one = { params: { id: int }, errors: [reply(404)] }

const api = prefix('/stones', {
  create: endpoint('POST /', { body: NewStone, response: created(Stone, { headers: { Location: text } }), auth: keepers }),
  item: endpoint('GET /:id', { ...one, response: ok(Stone), etag: true }),
  remove: endpoint('DELETE /:id', { ...one, response: noContent, auth: keepers, etag: 'required' }),
})
const tags = prefix('/tags', {
  create: endpoint('POST /', { body: NewStone, response: created(Stone, { headers: { Location: text } }) }),
  item: endpoint('GET /:id', { ...one, response: ok(Stone) }),
})

const first = { id: 1, name: 'Agate' }

/** A server with a stone that is there already. */
async function start(brittle = false) {
  const stones = new Map([[1, first]])
  const found = (id: number) => {
    const stone = stones.get(id)
    if (stone === undefined) throw errors.notFound()
    if (brittle && id > 3) throw new Error('planted')
    return stone
  }
  let last = 1
  const add = (path: string, name: string) => {
    last += 1
    stones.set(last, { id: last, name })
    return withHeaders({ id: last, name }, { Location: `${path}/${last}` })
  }
  const server = serve(
    { stones: api, tags },
    {
      stones: {
        create: ({ body }) => add('/stones', body.name),
        item: ({ params }) => found(params.id),
        remove: ({ params, precondition }) => {
          precondition(found(params.id))
          stones.delete(params.id)
        },
      },
      tags: { create: ({ body }) => add('/tags', body.name), item: ({ params }) => found(params.id) },
    },
    { auth: [authenticate(keepers, (token) => (token === 'a-token' ? true : undefined))], onError: () => {} },
  )
  const { url, close } = await listen(server)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return { url, stones }
}

const options = { write: true, requests: 400, seconds: 120, seed: 1, credentials: { keepers: 'a-token' } }

test('what was created is deleted, with credentials and If-Match, and what was there stays', async () => {
  const { url, stones } = await start()
  const report = await checkServer({ stones: api }, url, { ...options, rules: rules.filter(({ name }) => name !== 'delete') })
  expect(report.failures).toEqual([])
  expect([...stones.values()]).toEqual([first])
  expect(report.leftBehind).toEqual([])
})

test('what has no DELETE is named, and so is all of it with the option keep', async () => {
  const { url, stones } = await start()
  const report = await checkServer({ tags }, url, options)
  const items = [...stones.keys()].filter((id) => id > 1).map((id) => `/tags/${id}`)
  expect(report.leftBehind).toEqual([{ collection: '/tags', items: items.toReversed(), reason: 'the description has no DELETE for it' }])
  expect(formatReport(report)).toMatch(/\nLeft behind: \d+ items of \/tags: \/tags\/\d+, .* \(the description has no DELETE for it\)\n/)
  const kept = await start()
  await checkServer({ stones: api }, kept.url, { ...options, keep: true })
  expect(kept.stones.size).toBeGreaterThan(5)
})

test('a resource that a reported request is about stays, so that the request can be repeated', async () => {
  const { url, stones } = await start(true)
  const { failures, leftBehind } = await checkServer({ stones: api }, url, options)
  const ids = failures.flatMap(({ curl }) => /\/stones\/(\d+)'$/.exec(curl ?? '')?.[1] ?? [])
  const reported = ids.filter((id) => Number(id) > 3 && stones.has(Number(id)))
  expect(reported.length).toBeGreaterThan(0)
  expect(leftBehind).toContainEqual({
    collection: '/stones',
    items: expect.arrayContaining([`/stones/${reported[0]}`]),
    reason: 'a reported request is about it',
  })
})

test('an item of a response without 201 is not deleted: it may have been there before', async () => {
  const stones = new Map([[7, { id: 7, name: 'Opal' }]])
  const same = prefix('/stones', {
    create: endpoint('POST /', { body: NewStone, response: ok(Stone) }),
    item: endpoint('GET /:id', { ...one, response: ok(Stone) }),
    remove: endpoint('DELETE /:id', { ...one, response: noContent }),
  })
  const server = serve(same, {
    create: () => ({ id: 7, name: 'Opal' }),
    item: ({ params, fail }) => stones.get(params.id) ?? fail(404),
    remove: ({ params, fail }) => (stones.delete(params.id) ? undefined : fail(404)),
  })
  const { url, close } = await listen(server)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { leftBehind } = await checkServer(same, url, { ...options, credentials: {}, except: ['remove'] })
  expect(stones.size).toBe(1)
  const reason = expect.stringMatching(/^\d+ requests succeeded without a 201 that says what is new$/)
  expect(leftBehind).toEqual([{ collection: 'POST /stones', items: [], reason }])
})

test.each([
  ['its parent', '/stones/1', false],
  ['the root', '/', false],
  ['an item of another collection', '/metals/1', true],
  ['its own collection', '/stones/1/notes/', false],
  ['a path that leads to its collection', '/stones/1/notes/..', false],
  ['a part of a new item', '/stones/1/notes/5/parts/1', true],
])('what a POST says it has created is not deleted where it is %s', async (_, location, isNew) => {
  const deleted: string[] = []
  const remove = (path: `/${string}`) => endpoint(`DELETE ${path}/:id`, { ...one, response: noContent })
  const described = {
    create: endpoint('POST /stones/1/notes', { body: NewStone, response: created(Stone, { headers: { Location: text } }) }),
    removeStone: remove('/stones'),
    removeMetal: remove('/metals'),
    removeNote: remove('/stones/1/notes'),
  }
  const { url, close } = await listen(({ method, target }) => {
    if (method === 'DELETE') deleted.push(target)
    const headers = ['Content-Type', 'application/json', 'Location', location]
    return method === 'POST' ? { status: 201, headers, body: JSON.stringify(first) } : { status: 204, headers: [], body: null }
  })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { leftBehind } = await checkServer(described, url, { ...options, credentials: {}, only: ['create'] })
  expect(deleted).toEqual([])
  const unclear = expect.stringMatching(/^\d\d+ requests succeeded without a 201 that says what is new$/)
  expect(leftBehind).toMatchObject([{ reason: isNew ? 'it is not below the path of its POST' : unclear }])
})

test.each(['notes/', './notes/', '../1/notes/'])('a Location is relative to its request: %s', async (start) => {
  const notes = new Set<string>()
  let last = 0
  const described = {
    create: endpoint('POST /stones/1/notes', { body: NewStone, response: created(Stone, { headers: { Location: text } }) }),
    item: endpoint('GET /stones/1/notes/:id', { ...one, response: ok(Stone) }),
    remove: endpoint('DELETE /stones/1/notes/:id', { ...one, response: noContent }),
  }
  const { url, close } = await listen(({ method, target }) => {
    const headers = ['Content-Type', 'application/json']
    if (method === 'DELETE') return { status: notes.delete(target) ? 204 : 404, headers: [], body: null }
    if (method === 'GET') return { status: notes.has(target) ? 200 : 404, headers, body: JSON.stringify(first) }
    if (method !== 'POST' || target !== '/stones/1/notes') return { status: 404, headers, body: '{}' }
    last += 1
    notes.add(`/stones/1/notes/${last}`)
    return { status: 201, headers: [...headers, 'Location', `${start}${last}`], body: JSON.stringify(first) }
  })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { leftBehind } = await checkServer(described, url, { ...options, credentials: {}, only: ['create'] })
  expect(last).toBeGreaterThan(5)
  expect([...notes]).toEqual([])
  expect(leftBehind).toEqual([])
})

test('other spellings of a path that was there before are that path', async () => {
  const deleted: string[] = []
  const described = {
    create: endpoint('POST /stones', { body: NewStone, response: created(Stone, { headers: { Location: text } }) }),
    item: endpoint('GET /stones/:id', { params: { id: text }, response: ok(Stone) }),
    remove: endpoint('DELETE /stones/:id', { params: { id: text }, response: noContent }),
  }
  const { url, close } = await listen(({ method, target }) => {
    if (method === 'DELETE') deleted.push(target)
    const headers = ['Content-Type', 'application/json']
    if (method === 'GET') return { status: 200, headers, body: JSON.stringify(first) }
    return { status: 201, headers: [...headers, 'Location', '/stones/%61gate'], body: JSON.stringify(first) }
  })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  // The GET comes first.
  await checkServer({ item: described.item, create: described.create, remove: described.remove }, url, {
    ...options,
    credentials: {},
    except: ['remove'],
    captures: { id: 'agate' },
  })
  expect(deleted).toEqual([])
})

/** A server whose identifiers are numbers that `JSON.parse` rounds to that of a stone that was there before. */
async function startLarge() {
  const earlier = '1234567890123456800'
  const stones = new Map([[earlier, 'Opal']])
  let last = BigInt(earlier) - 40n
  const { url, close } = await listen(({ method, target }) => {
    const headers = ['Content-Type', 'application/json']
    const id = /^\/stones\/(\d+)$/.exec(target)?.[1] ?? ''
    if (method === 'POST') {
      do last += 1n
      while (stones.has(`${last}`))
      stones.set(`${last}`, 'Agate')
      return { status: 201, headers, body: `{"name":"\\"1234567890123456789,","id":${last}}` }
    }
    if (!stones.has(id)) return { status: 404, headers: [], body: null }
    if (method === 'GET') return { status: 200, headers, body: `{"id":${id},"name":"${stones.get(id)}"}` }
    stones.delete(id)
    return { status: 204, headers: [], body: null }
  })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return { url, stones, earlier }
}

const Large = z.looseObject({ name: z.string() })
const large = {
  create: endpoint('POST /stones', { body: NewStone, response: reply(201, Large) }),
  item: endpoint('GET /stones/:id', { params: { id: text }, response: ok(Large), errors: [reply(404)] }),
  remove: endpoint('DELETE /stones/:id', { params: { id: text }, response: noContent, errors: [reply(404)] }),
}

test('an identifier that a JSON number cannot hold is read as it is written', async () => {
  const { url, stones, earlier } = await startLarge()
  const { leftBehind } = await checkServer(large, url, { ...options, credentials: {}, only: ['create'] })
  expect([...stones.keys()]).toEqual([earlier])
  expect(leftBehind).toEqual([])
})

test('sequences do not delete the item that a rounded identifier names', async () => {
  const { url, stones, earlier } = await startLarge()
  const { sequences } = await checkServer(large, url, {
    ...options,
    credentials: {},
    steps: 60,
    rules: rules.filter((rule) => 'scope' in rule),
  })
  expect(stones.has(earlier)).toBe(true)
  expect(sequences).toMatchObject([{ skipReason: expect.stringContaining('cannot be addressed') }])
})

test.each([
  ['its own path', '/stones/s-', []],
  [
    'a path that its body does not name',
    '/stones/u-',
    [{ collection: '/stones', reason: 'its DELETE gets 404, and nothing was found at such a path' }],
  ],
])('404 to the DELETE of a new item says that it is gone only if something new was found at such a path: %s', async (_, path, left) => {
  const names = new Set<string>()
  const { url, close } = await listen(({ method, target }) => {
    const headers = ['Content-Type', 'application/json']
    if (method === 'POST') {
      names.add(`${path}${names.size + 1}`)
      return { status: 201, headers, body: `{"id":"s-${names.size}","name":"Agate"}` }
    }
    // It expires after the check has read it.
    return method === 'GET' && names.has(target) ? { status: 200, headers, body: '{"name":"Agate"}' } : { status: 404, headers, body: '{}' }
  })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { leftBehind } = await checkServer(large, url, { ...options, credentials: {}, requests: 60, steps: 20 })
  expect(leftBehind).toMatchObject(left)
})
