/** Redirects of a client: followed within an origin; to another origin only without credentials, own headers and a body. */
import { createServer, type IncomingMessage, type RequestListener, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import { authScheme, bytes, endpoint, json, ok, optional, reply, text } from 'lapidary'
import { type ClientOptions, client, credentials, isDeclaredError, UnexpectedResponseError } from 'lapidary/client'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { fetchWithRedirects } from '../../src/client/redirects.ts'
import { thrown } from '../support/client/thrownError.ts'

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
  declaredResponse: endpoint('GET /declared-response', { response: reply(303, undefined, { headers: { Location: text } }) }),
  declaredError: endpoint('GET /declared-error', { response: ok(json), errors: [reply(307)] }),
  declaredErrorOfPost: endpoint('POST /declared-error', {
    body: text,
    response: ok(json),
    errors: [reply(308, undefined, { headers: { Location: text } })],
  }),
}
type ApiClient = ReturnType<typeof client<typeof api>>

const open: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(open.map((close) => close())))

/** Listens until the tests end. @returns the URL */
async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer({ keepAliveTimeout: 1 }, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface ReceivedRequest {
  readonly line: string
  readonly secrets: readonly (string | undefined)[]
  readonly body: string
}
async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const { authorization, 'x-key': key, 'x-note': note, 'x-app': app, 'content-type': type } = request.headers
  let body = ''
  for await (const chunk of request) body += chunk
  return { line: `${request.method} ${request.url}`, secrets: [authorization, `${key ?? ''}`, `${note ?? ''}`, `${app ?? ''}`, type], body }
}

const requestsElsewhere: ReceivedRequest[] = []
const requestsHere: ReceivedRequest[] = []
beforeEach(() => {
  requestsElsewhere.length = 0
  requestsHere.length = 0
})
const elsewhere = await startServer(async (request, response) => {
  requestsElsewhere.push(await receive(request))
  response.writeHead(request.url === '/none?secret' ? 404 : 200, { 'Content-Type': 'application/json' }).end('"elsewhere"')
})
/** The redirect that `here` sends; each test sets it. */
let redirect = { status: 302, location: '/there' }
const here = await startServer(async (request, response) => {
  requestsHere.push(await receive(request))
  if (request.url === '/there') return response.setHeader('Content-Type', 'application/json').end('"here"')
  return response
    .writeHead(redirect.status, { Location: redirect.location, 'Content-Type': 'text/plain' })
    .end(request.url?.startsWith('/declared') ? '' : 'Over there.')
})

const secretOptions: ClientOptions = { auth: [credentials(keys, 'k'), credentials(tokens, 't')] }
const createClient = (options: ClientOptions = {}): ApiClient => client(api, here, { ...secretOptions, ...options })

type SecretCall = [what: string, call: (call: ApiClient) => Promise<unknown>, options: ClientOptions]
const secretCalls: SecretCall[] = [
  ['credentials in a header of their own', (call) => call.key(), {}],
  ['a declared header', (call) => call.noted({ headers: { 'X-Note': 'n' } }), {}],
  ['a header of the client', (call) => call.plain(), { headers: { 'X-App': 'a' } }],
  ['a header of the call', (call) => call.plain({}, { headers: { 'X-App': 'a' } }), {}],
  ['a body', (call) => call.post({ body: 'secret' }), {}],
  ['a body of bytes', (call) => call.put({ body: new TextEncoder().encode('secret') }), {}],
  ['an empty body', (call) => call.post({ body: '' }), {}],
]
const statuses = [301, 302, 303, 307, 308]

describe.each(statuses)('a redirect with the status %i', (status) => {
  test.each<SecretCall>(secretCalls)('to another origin is not followed with %s, but thrown', async (_what, call, options) => {
    redirect = { status, location: `${elsewhere}/there` }
    const error = await thrown(() => call(createClient(options)))
    expect(error).toMatchObject({ status, headers: { location: `${elsewhere}/there` } })
    expect(String(error)).toMatch(new RegExp(`^\\w+: [A-Z]+ ${here}/[a-z]+ answered ${status} ${STATUS_CODES[status]}\\b`))
    expect(requestsElsewhere).toEqual([])
    expect(requestsHere).toHaveLength(1)
  })

  test.each(['//', '/\\', '\\\\'])('to another origin without a scheme is not followed: %s', async (slashes) => {
    redirect = { status, location: `${slashes}${elsewhere.replace('http://', '')}/there` }
    await thrown(() => createClient().key())
    await thrown(() => createClient().post({ body: 'secret' }))
    expect(requestsElsewhere).toEqual([])
  })

  test('to another origin is followed without credentials', async () => {
    redirect = { status, location: `${elsewhere}/there` }
    expect([await createClient().plain(), await createClient().token()]).toEqual(['elsewhere', 'elsewhere'])
    const request = { line: 'GET /there', secrets: [undefined, '', '', '', undefined], body: '' }
    expect(requestsElsewhere).toEqual([request, request])
  })

  test.each<SecretCall>(secretCalls)('within the origin is followed with %s', async (_what, call, options) => {
    redirect = { status, location: '/there' }
    expect(await call(createClient(options))).toBe('here')
    const [first, second, ...more] = requestsHere
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

  test('of a DELETE stays a DELETE, except with 303', async () => {
    redirect = { status, location: `${here}/there` }
    expect(await createClient({ headers: { 'X-App': 'a' } }).remove()).toBe('here')
    expect(requestsHere.at(-1)?.line).toBe(`${status === 303 ? 'GET' : 'DELETE'} /there`)
  })
})

test.each(statuses)('a GET stays what it is, with each header about a body, and so does a HEAD: %i', async (status) => {
  redirect = { status, location: '/there' }
  await createClient({ headers: { 'X-App': 'a', 'Content-Type': 'text/x-note' } }).plain()
  // No endpoint has this method.
  const init = { method: 'HEAD', body: null, headers: new Headers({ 'X-App': 'a', 'Content-Type': 'text/x-note' }) }
  await fetchWithRedirects(fetch, `${here}/head`, init, false)
  expect(requestsHere.map(({ line, secrets }) => [line, ...secrets.slice(3)])).toEqual([
    ['GET /plain', 'a', 'text/x-note'],
    ['GET /there', 'a', 'text/x-note'],
    ['HEAD /head', 'a', 'text/x-note'],
    ['HEAD /there', 'a', 'text/x-note'],
  ])
})

test('a chain that leaves the origin ends there', async () => {
  let hops = 0
  const url = await startServer((request, response) => {
    hops += 1
    response.writeHead(307, { Location: request.url === '/key' ? '/next' : `${elsewhere}/there` }).end()
  })
  const error = await thrown(client(api, url, secretOptions).key)
  expect(error).toMatchObject({ status: 307, headers: { location: `${elsewhere}/there` } })
  expect([hops, requestsElsewhere]).toEqual([2, []])
})

test('a circle ends after twenty redirects', async () => {
  let hops = 0
  const url = await startServer((request, response) => {
    hops += 1
    response.writeHead(308, { Location: String(request.url) }).end()
  })
  expect(await thrown(client(api, url, secretOptions).key)).toMatchObject({ status: 308 })
  expect(hops).toBe(21)
})

test.each(statuses.flatMap((status) => [undefined, '', 'http://', 'http://a b/'].map((location) => [status, location] as const)))(
  'a redirect without a valid target is thrown, and nothing is sent again: %i %s',
  async (status, location) => {
    let requests = 0
    const url = await startServer((_request, response) => {
      requests += 1
      response.writeHead(status, location === undefined ? {} : { Location: location }).end()
    })
    expect(await thrown(() => client(api, url, secretOptions).post({ body: 'an order' }))).toMatchObject({ status })
    expect(await thrown(client(api, url, secretOptions).key)).toMatchObject({ status })
    expect(requests).toBe(2)
  },
)

test.each(['ann:secret', 'ann', ':secret'])(
  'a redirect to a URL with %s is thrown: no request can have a name or a password',
  async (credentials) => {
    redirect = { status: 302, location: `${here.replace('//', `//${credentials}@`)}/there` }
    expect(await thrown(createClient().key)).toMatchObject({ status: 302 })
    expect(requestsHere).toHaveLength(1)
  },
)

test('a POST that becomes a GET has no header about its body', async () => {
  const received: IncomingMessage['headers'][] = []
  const url = await startServer((request, response) => {
    received.push(request.headers)
    if (request.method === 'POST') response.writeHead(303, { Location: '/there' }).end()
    else response.setHeader('Content-Type', 'application/json').end('"here"')
  })
  const headers = { 'Content-Encoding': 'x-none', 'Content-Language': 'de', 'Content-Location': '/post', 'Content-Note': 'n' }
  expect(await client(api, url).post({ body: 'an order' }, { headers })).toBe('here')
  expect(Object.keys(received[0] ?? {}).filter((name) => name.startsWith('content-'))).toHaveLength(6)
  expect(Object.keys(received[1] ?? {}).filter((name) => name.startsWith('content-'))).toEqual(['content-note'])
})

test('a declared response with a redirect status is returned', async () => {
  redirect = { status: 303, location: '/there' }
  expect(await createClient().declaredResponse()).toEqual({ body: undefined, headers: { Location: '/there' } })
})

test('a declared error with a redirect status is thrown, even within the origin', async () => {
  redirect = { status: 307, location: '/there' }
  const error = await thrown(createClient().declaredError)
  expect(isDeclaredError(api.declaredError, error)).toBe(true)
  expect(error).toMatchObject({ status: 307, headers: { location: '/there' } })
  expect(requestsHere).toHaveLength(1)
})

test('a declared error with a redirect status is thrown for a request with a body, too', async () => {
  redirect = { status: 308, location: '/there' }
  const error = await thrown(() => createClient().declaredErrorOfPost({ body: 'secret' }))
  expect(isDeclaredError(api.declaredErrorOfPost, error)).toBe(true)
  expect(error).toMatchObject({ status: 308, headers: { location: '/there' } })
  expect(requestsHere).toHaveLength(1)
})

test('an error after a redirect names the last URL, without its query', async () => {
  redirect = { status: 302, location: `${elsewhere}/none?secret` }
  expect(await thrown(createClient().plain)).toMatchObject({
    message: `GET ${elsewhere}/none answered 404 Not Found`,
    received: { route: 'GET /plain', url: `${elsewhere}/none` },
  })
})

test('the error of a redirect that a browser hides says so', async () => {
  // Browsers respond with the status 0 to a redirect that is not to be followed.
  const error = await thrown(client(api, here, { ...secretOptions, fetch: async () => Response.error() }).key)
  expect(error).toBeInstanceOf(UnexpectedResponseError)
  expect(String(error)).toContain('browser')
})
