/** `replayChanges` at servers whose responses say nothing of a change, or that go away. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { diff, manifest, type ReplayedChange, type ReplayOptions, replayChanges } from '@lapidary/testing'
import { ServerUnreachableError } from '@lapidary/testing/internal'
import { type Api, endpoint, int, ndjson, noContent, ok, optional, reply, text } from 'lapidary'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

/** An API of endpoints with a parameter and a response that change. */
const createApi = (isNew: boolean, names: readonly string[] = ['list']): Api =>
  Object.fromEntries(
    names.map((name) => [
      name,
      endpoint(`GET /${name}`, {
        query: { q: isNew ? text : optional(text) },
        response: ok(isNew ? z.object({ x: z.string().optional() }) : z.object({ x: z.string() })),
      }),
    ]),
  ) as unknown as Api

async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const replay = async (old: Api, now: Api, listener: RequestListener, options?: ReplayOptions): Promise<readonly ReplayedChange[]> =>
  replayChanges(diff(manifest(old), manifest(now)), manifest(old), await startServer(listener), options)

const summarize = (replayed: readonly ReplayedChange[]): object =>
  Object.fromEntries(replayed.map(({ change, outcome, reason }) => [change.place, `${outcome}: ${reason}`]))

const json = { 'Content-Type': 'application/json' }

describe('the exchange says nothing of the change:', () => {
  test.each<[sentence: string, listener: RequestListener, reason: string]>([
    [
      'a redirection',
      (_, response) => response.writeHead(302, { Location: '/login' }).end(),
      'The server redirects the request (302) to /login.',
    ],
    ['a redirection to nowhere', (_, response) => response.writeHead(307).end(), 'The server redirects the request (307).'],
    [
      'a body that does not end',
      (_, response) => void response.writeHead(200, { ...json, 'Content-Length': 100 }).write('{'),
      'The response does not end.',
    ],
    [
      'a body that is cut off',
      (_, response) => void response.writeHead(200, { ...json, 'Content-Length': 100 }).write('{', () => response.destroy()),
      'The response does not end.',
    ],
    [
      'an error whose body does not end',
      (_, response) => void response.writeHead(400, { 'Content-Length': 100 }).write('{'),
      'The response does not end.',
    ],
    ['nothing at the path', (_, response) => response.writeHead(404).end(), 'The server has no such endpoint (404). Check the URL.'],
    ['another method at the path', (_, response) => response.writeHead(405).end(), 'The server has no such endpoint (405). Check the URL.'],
  ])('%s', async (_, listener, reason) => {
    expect(summarize(await replay(createApi(false), createApi(true), listener, { time: 300 }))).toEqual({
      'query q': `unclear: ${reason}`,
      'response 200 body /x': `unclear: ${reason}`,
    })
  })
})

test('the place that a server redirects to has no secrets of the request', async () => {
  const listener: RequestListener = (request, response) =>
    response.writeHead(302, { Location: `/login?key=${String(request.headers['x-key'])}` }).end()
  const [found] = await replay(createApi(false), createApi(true), listener, { headers: { 'X-Key': 'carved-in-stone' } })
  expect(found?.reason).toBe('The server redirects the request (302) to /login?key=***.')
})

test('a status that the change is about is no accident', async () => {
  const redirecting = {
    list: endpoint('GET /list', { response: reply(302, undefined, { headers: { Location: text } }) }),
  } as unknown as Api
  const plain = { list: endpoint('GET /list', { response: noContent }) } as unknown as Api
  expect(summarize(await replay(plain, redirecting, (_, response) => response.writeHead(302, { Location: '/other' }).end()))).toEqual({
    'response status': 'confirmed: Old clients expect 204, and the server sends 302.',
  })

  const missing = (schema: z.ZodType): Api =>
    ({ item: endpoint('GET /:id', { params: { id: int }, response: noContent, errors: [reply(404, schema)] }) }) as unknown as Api
  const sendError: RequestListener = (_, response) => response.writeHead(404, json).end('{"b":1}')
  const [found] = await replay(missing(z.object({ a: z.string() })), missing(z.object({ b: z.int() })), sendError)
  expect(found).toMatchObject({ change: { place: 'error 404 body /a' }, outcome: 'confirmed' })
})

test('a stream without an end is a response', async () => {
  const stream = (isNew: boolean): Api =>
    ({ all: endpoint('GET /all', { query: { q: isNew ? text : optional(text) }, response: ok(ndjson(z.int())) }) }) as unknown as Api
  const listener: RequestListener = (_, response) => void response.writeHead(200, { 'Content-Type': 'application/jsonl' }).write('1\n')
  expect(summarize(await replay(stream(false), stream(true), listener, { time: 300 }))).toEqual({
    'query q': 'refuted: The server accepts the request: 200.',
  })
})

describe('a server that goes away', () => {
  test('leaves what it has sent, and gets no more requests', async () => {
    const [old, now] = [createApi(false, ['a', 'b', 'c']), createApi(true, ['a', 'b', 'c'])]
    let count = 0
    const listener: RequestListener = (request, response) => {
      count += 1
      if (count < 3) return void response.writeHead(200, { ...json, Connection: 'close' }).end('{}')
      request.socket.destroy()
      return stop()
    }
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const stop = (): void => {
      server.close()
      server.closeAllConnections()
    }
    onTestFinished(stop)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const replayed = await replayChanges(diff(manifest(old), manifest(now)), manifest(old), url)
    expect(replayed.map(({ outcome }) => outcome)).toEqual(['refuted', 'confirmed', 'unclear', 'unclear', 'unclear', 'unclear'])
    expect(replayed[3]?.reason).toMatch(/^The server went away: .*ECONNREFUSED.*\.$/)
    expect(replayed.slice(4).map(({ reason, response }) => ({ reason, response }))).toEqual(
      [4, 5].map(() => ({ reason: replayed[3]?.reason, response: null })),
    )
  })

  test('before the first response is none', async () => {
    const [old, now] = [createApi(false), createApi(true)]
    await expect(replayChanges(diff(manifest(old), manifest(now)), manifest(old), 'http://127.0.0.1:1')).rejects.toThrow(
      ServerUnreachableError,
    )
  })
})

describe('a refusal of a body', () => {
  const createBodyApi = (kinds: readonly [string, ...string[]]): Api => ({
    create: endpoint('POST /zones', { body: z.object({ kind: z.enum(kinds), name: z.string().optional() }), response: noContent }),
  })
  const [old, now] = [createBodyApi(['Native', 'Producer']), createBodyApi(['Native'])]
  const replayBody = async (accepts: (body: Readonly<Record<string, unknown>>) => boolean): Promise<object> => {
    const listener: RequestListener = async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      response.writeHead(accepts(JSON.parse(text)) ? 204 : 422).end()
    }
    return summarize(await replay(old, now, listener, { write: true, now: manifest(now) }))
  }

  test('is confirmed by a server that accepts what the new description allows', async () => {
    expect(await replayBody(({ kind }) => kind === 'Native')).toEqual({ 'body /kind': 'confirmed: The server refuses the request: 422.' })
  })

  test('is unclear at a server that refuses that, too', async () => {
    expect(await replayBody(() => false)).toEqual({
      'body /kind': expect.stringMatching(/^unclear: The server refuses the request \(422\), and also \w+ that the new description allows/),
    })
  })

  test('is refuted by a server that accepts the request', async () => {
    expect(await replayBody(() => true)).toEqual({ 'body /kind': 'refuted: The server accepts the request: 204.' })
  })
})
