/** Where a client follows redirections to: within the origin that it calls; elsewhere only with what anybody may see. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { authScheme, bytes, endpoint, json, ok, optional, reply, text } from 'lapidary'
import { type ClientOptions, client, credentials, isDeclaredError, UnexpectedResponseError } from 'lapidary/client'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { thrown } from './client/thrownError.ts'

const keys = authScheme<string, string>({
  name: 'keys',
  challenge: 'Key',
  credentials: (header) => header('x-key'),
  headers: (key) => ({ 'X-Key': key }),
  openapi: {},
})
const tokens = authScheme<string, string>({
  name: 'tokens',
  challenge: 'Bearer',
  credentials: (header) => header('authorization'),
  headers: (token) => ({ Authorization: `Bearer ${token}` }),
  openapi: {},
})
const api = {
  plain: endpoint('GET /plain', { response: ok(json) }),
  token: endpoint('GET /token', { auth: tokens, response: ok(json) }),
  key: endpoint('GET /key', { auth: keys, response: ok(json) }),
  noted: endpoint('GET /noted', { headers: { 'X-Note': optional(text) }, response: ok(json) }),
  post: endpoint('POST /post', { body: text, response: ok(json) }),
  put: endpoint('PUT /put', { body: bytes, response: ok(json) }),
  remove: endpoint('DELETE /remove', { response: ok(json) }),
  declared: endpoint('POST /declared', {
    body: text,
    response: ok(json),
    errors: [reply(308, undefined, { headers: { Location: text } })],
  }),
}
type Calls = ReturnType<typeof client<typeof api>>

const open: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(open.map((close) => close())))

async function http(listener: RequestListener): Promise<string> {
  const server = createServer({ keepAliveTimeout: 1 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What came to a server. */
interface Came {
  readonly line: string
  readonly secrets: readonly (string | undefined)[]
  readonly body: string
}
async function came(request: IncomingMessage): Promise<Came> {
  const { authorization, 'x-key': key, 'x-note': note, 'x-app': app, 'content-type': type } = request.headers
  let body = ''
  for await (const piece of request) body += piece
  return { line: `${request.method} ${request.url}`, secrets: [authorization, `${key ?? ''}`, `${note ?? ''}`, `${app ?? ''}`, type], body }
}

const elsewhereCame: Came[] = []
const hereCame: Came[] = []
beforeEach(() => {
  elsewhereCame.length = 0
  hereCame.length = 0
})
const elsewhere = await http(async (request, response) => {
  elsewhereCame.push(await came(request))
  response.setHeader('Content-Type', 'application/json').end('"elsewhere"')
})
/** What it redirects by, and where to; replaced by each test. */
let redirection = { status: 302, location: '/there' }
const here = await http(async (request, response) => {
  hereCame.push(await came(request))
  if (request.url === '/there') return response.setHeader('Content-Type', 'application/json').end('"here"')
  return response
    .writeHead(redirection.status, { Location: redirection.location, 'Content-Type': 'text/plain' })
    .end(request.url === '/declared' ? '' : 'Over there.')
})

const secretOptions: ClientOptions = { auth: [credentials(keys, 'k'), credentials(tokens, 't')] }
const calling = (options: ClientOptions = {}): Calls => client(api, here, { ...secretOptions, ...options })

type Secret = [what: string, call: (calls: Calls) => Promise<unknown>, options: ClientOptions]
const secret: Secret[] = [
  ['credentials in a header of their own', (calls) => calls.key(), {}],
  ['a declared header', (calls) => calls.noted({ headers: { 'X-Note': 'n' } }), {}],
  ['a header of the client', (calls) => calls.plain(), { headers: { 'X-App': 'a' } }],
  ['a header of the call', (calls) => calls.plain({}, { headers: { 'X-App': 'a' } }), {}],
  ['a body', (calls) => calls.post({ body: 'secret' }), {}],
  ['a body of bytes', (calls) => calls.put({ body: new TextEncoder().encode('secret') }), {}],
  ['an empty body', (calls) => calls.post({ body: '' }), {}],
]
const statuses = [301, 302, 303, 307, 308]

describe.each(statuses)('a redirection by %i', (status) => {
  test.each<Secret>(secret)('to another origin is not followed with %s, but told', async (_what, call, options) => {
    redirection = { status, location: `${elsewhere}/there` }
    const error = await thrown(() => call(calling(options)))
    expect(error).toMatchObject({ status, headers: { location: `${elsewhere}/there` } })
    expect(elsewhereCame).toEqual([])
    expect(hereCame).toHaveLength(1)
  })

  test.each(['//', '/\\', '\\\\'])('that is another origin in disguise is not followed: %s', async (slashes) => {
    redirection = { status, location: `${slashes}${elsewhere.replace('http://', '')}/there` }
    await thrown(() => calling().key())
    await thrown(() => calling().post({ body: 'secret' }))
    expect(elsewhereCame).toEqual([])
  })

  test('to another origin is followed with nothing but what it may see', async () => {
    redirection = { status, location: `${elsewhere}/there` }
    expect([await calling().plain(), await calling().token()]).toEqual(['elsewhere', 'elsewhere'])
    const seen = { line: 'GET /there', secrets: [undefined, '', '', '', undefined], body: '' }
    expect(elsewhereCame).toEqual([seen, seen])
  })

  test.each<Secret>(secret)('within the origin is followed with %s', async (_what, call, options) => {
    redirection = { status, location: '/there' }
    expect(await call(calling(options))).toBe('here')
    const [first, second, ...more] = hereCame
    expect(more).toEqual([])
    // A POST becomes a GET by 301 and 302, everything by 303; a GET has no body (Fetch §4.4).
    const [method = ''] = first?.line.split(' ') ?? []
    const isGet = status === 303 || (status < 303 && method === 'POST')
    const [authorization, key, note, app, type] = first?.secrets ?? []
    expect(second).toEqual({
      line: `${isGet ? 'GET' : method} /there`,
      secrets: [authorization, key, note, app, isGet ? undefined : type],
      body: isGet ? '' : first?.body,
    })
  })

  test('of a DELETE stays a DELETE but by 303', async () => {
    redirection = { status, location: `${here}/there` }
    expect(await calling({ headers: { 'X-App': 'a' } }).remove()).toBe('here')
    expect(hereCame.at(-1)?.line).toBe(`${status === 303 ? 'GET' : 'DELETE'} /there`)
  })
})

test('a way within the origin that leads out of it ends there', async () => {
  let hops = 0
  const url = await http((request, response) => {
    hops += 1
    response.writeHead(307, { Location: request.url === '/key' ? '/next' : `${elsewhere}/there` }).end()
  })
  const error = await thrown(client(api, url, secretOptions).key)
  expect(error).toMatchObject({ status: 307, headers: { location: `${elsewhere}/there` } })
  expect([hops, elsewhereCame]).toEqual([2, []])
})

test('a circle ends: twenty are followed', async () => {
  let hops = 0
  const url = await http((request, response) => {
    hops += 1
    response.writeHead(308, { Location: String(request.url) }).end()
  })
  expect(await thrown(client(api, url, secretOptions).key)).toMatchObject({ status: 308 })
  expect(hops).toBe(21)
})

test.each([undefined, 'http://', 'http://a b/'])('a redirection that says nowhere is told as it is: %s', async (location) => {
  const url = await http((_request, response) => response.writeHead(307, location === undefined ? {} : { Location: location }).end())
  expect(await thrown(client(api, url, secretOptions).key)).toMatchObject({ status: 307 })
})

test('what is declared reaches the caller, within the origin too', async () => {
  redirection = { status: 308, location: '/there' }
  const error = await thrown(() => calling().declared({ body: 'secret' }))
  expect(isDeclaredError(api.declared, error)).toBe(true)
  expect(error).toMatchObject({ status: 308, headers: { location: '/there' } })
  expect(hereCame).toHaveLength(1)
})

test('what a browser hides is said to be hidden', async () => {
  // As browsers answer for a redirection that they were not to follow: its status is 0.
  const error = await thrown(client(api, here, { ...secretOptions, fetch: async () => Response.error() }).key)
  expect(error).toBeInstanceOf(UnexpectedResponseError)
  expect(String(error)).toContain('browser')
})
