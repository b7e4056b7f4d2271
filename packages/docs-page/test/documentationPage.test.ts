/** The documentation page over HTTP: its types, its methods, its files, and where it can be mounted. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { documentationPage } from '@lapidary/docs-page'
import { endpoint, mount, ok, openIdConnect, prefix, text } from 'lapidary'
import { securityHeaders } from 'lapidary/middleware'
import { listen, toNodeListener } from 'lapidary/node'
import { openapi } from 'lapidary/openapi'
import { type ApiServer, authenticate, serve } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'

const hello = endpoint('GET /hello', { query: { name: text }, response: ok(text), summary: 'Says hello.', tags: ['open'] })
const secret = endpoint('GET /secret', { response: ok(text), tags: ['internal'] })
const api = { greetings: { hello, secret }, docs: mount('/docs') }
const handlers = { greetings: { hello: () => 'Hello!', secret: () => 'Hush!' } }

/** Serves an API over a socket, until the test ends. */
async function listenTo(server: ApiServer): Promise<string> {
  const running = await listen(server, { port: 0 })
  onTestFinished(() => running.close({ drain: 0 }))
  return running.url
}

const serveGreetings = (): Promise<string> =>
  listenTo(serve(api, { ...handlers, docs: documentationPage(api, { title: 'Greetings', version: '2.1.0' }) }))

const listTargets = (page: string): readonly string[] =>
  [...page.matchAll(/(?:href|src|data-[\w-]+)="(\.[^"]*)"/g)].map(([, target = '']) => target)

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

describe('the page', () => {
  test.each([
    ['', './docs/'],
    ['/', './'],
    ['?a=b/', './docs/'],
  ])('at /docs%s refers to files that are there', async (end, base) => {
    const url = await serveGreetings()
    const response = await fetch(`${url}/docs${end}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const targets = listTargets(await response.text())
    expect(targets.length).toBeGreaterThan(4)
    for (const target of targets) {
      expect(target.startsWith(base)).toBe(true)
      expect([target, (await fetch(new URL(target, `${url}/docs${end}`))).status]).toEqual([target, 200])
    }
    expect(response.headers.get('link')).toBe(`<${base}openapi.json>; rel="service-desc"; type="application/json"`)
  })

  test('has a strict policy, which securityHeaders leaves as it is', async () => {
    const server = serve(api, { ...handlers, docs: documentationPage(api, { title: 'Greetings' }) }, { middleware: [securityHeaders()] })
    const { headers } = await fetch(`${await listenTo(server)}/docs`)
    expect([headers.get('content-security-policy'), headers.get('x-content-type-options')]).toEqual([policy, 'nosniff'])
  })

  test('answers HEAD, OPTIONS and other methods as every endpoint', async () => {
    const url = await serveGreetings()
    const send = async (method: string) => {
      const { status, headers, body } = await fetch(`${url}/docs`, { method })
      await body?.cancel()
      return [status, headers.get('content-length') !== null, headers.get('allow')]
    }
    expect(await send('HEAD')).toEqual([200, true, null])
    expect(await send('OPTIONS')).toEqual([204, false, 'GET, HEAD, OPTIONS'])
    expect(await send('POST')).toEqual([405, true, 'GET, HEAD, OPTIONS'])
    expect((await fetch(`${url}/docs/nothing`)).status).toBe(404)
  })

  test('escapes a title and a name', async () => {
    const page = documentationPage(api, { title: '<b>"&', home: { name: '<i>', url: 'javascript:"' } })
    const text = await (await fetch(`${await listenTo(serve(api, { ...handlers, docs: page }))}/docs`)).text()
    expect(text).toContain('<title>&lt;b&gt;&quot;&amp;</title>')
    expect(text).toContain('<a href="javascript:&quot;">&lt;i&gt;</a>')
  })
})

describe('negotiation', () => {
  test.each([
    [undefined, 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['text/markdown', 'text/markdown;charset=utf-8'],
    ['text/markdown, text/html, */*', 'text/markdown;charset=utf-8'],
    ['text/html, text/markdown;q=0.9', 'text/html; charset=utf-8'],
    ['text/plain', 'text/plain;charset=utf-8'],
    ['application/json', 'application/problem+json'],
  ])('Accept: %s gets %s', async (accept, type) => {
    const url = await serveGreetings()
    // Without a header, fetch sends */*.
    const response = await fetch(`${url}/docs`, accept === undefined ? {} : { headers: { Accept: accept } })
    expect([response.headers.get('content-type'), response.headers.get('vary')]).toEqual([type, 'Accept'])
    if (/markdown|plain/.test(type)) expect(await response.text()).toMatch(/^# Greetings\n[\s\S]*## GET \/hello/)
  })

  test('each type has an ETag, and gets 304', async () => {
    const url = await serveGreetings()
    const tags = new Set<string>()
    for (const Accept of ['text/html', 'text/markdown']) {
      const { headers } = await fetch(`${url}/docs`, { headers: { Accept } })
      const tag = headers.get('etag') ?? ''
      tags.add(tag)
      expect((await fetch(`${url}/docs`, { headers: { Accept, 'If-None-Match': tag } })).status).toBe(304)
    }
    expect(tags.size).toBe(2)
  })
})

describe('the files', () => {
  test('are compressed for a client that accepts it, and have the same content for another', async () => {
    const url = await serveGreetings()
    const [script = ''] = listTargets(await (await fetch(`${url}/docs`)).text()).filter((target) => target.endsWith('.js'))
    const load = async (encoding: string) => {
      const response = await fetch(`${url}/${script}`, { headers: { 'Accept-Encoding': encoding } })
      return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) }
    }
    const [compressed, identity] = await Promise.all([load('br, gzip'), load('gzip;q=0')])
    // fetch has decompressed it.
    expect(Buffer.compare(compressed.bytes, identity.bytes)).toBe(0)
    expect([compressed.headers.get('content-encoding'), identity.headers.get('content-encoding')]).toEqual(['gzip', null])
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(480_000)
    for (const { headers } of [compressed, identity]) {
      expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['public, max-age=31536000, immutable', 'Accept-Encoding'])
      const again = await fetch(`${url}/${script}`, { headers: { 'If-None-Match': headers.get('etag') ?? '' } })
      expect([again.status, again.headers.get('vary')]).toEqual([headers === compressed.headers ? 304 : 200, 'Accept-Encoding'])
    }
    expect(compressed.headers.get('etag')).not.toBe(identity.headers.get('etag'))
  })

  test('have names with a digest of their content, and the script names the licenses', async () => {
    const { script, style, licenses } = await import('../assets/index.js')
    expect(script.name).toMatch(/^page-[0-9a-f]{16}\.js$/)
    expect(style.name).toMatch(/^page-[0-9a-f]{16}\.css$/)
    expect(gunzipSync(Buffer.from(script.gzip, 'base64')).toString()).toContain(licenses.name)
    expect(gunzipSync(Buffer.from(licenses.gzip, 'base64')).toString()).toMatch(/Apache License[\s\S]*DOMPurify/i)
  })

  test('name nothing of another server', async () => {
    const { style } = await import('../assets/index.js')
    const urls = [
      ...gunzipSync(Buffer.from(style.gzip, 'base64'))
        .toString()
        .matchAll(/url\((?!["']?data:)([^)]*)/g),
    ]
    expect(urls.map(([, target]) => target)).toEqual([])
  })
})

describe('the OpenAPI document', () => {
  const load = async (url: string) => (await fetch(url)).json()

  test('names the root of the API as its server, by a relative URL', async () => {
    expect((await load(`${await serveGreetings()}/docs/openapi.json`)).servers).toEqual([{ url: '..' }])
  })

  test.each(['/docs/openapi.json', '/docs/openapi.json/', '/docs/openapi.json/?v=1'])(
    'its server is the root of the API: %s',
    async (path) => {
      const origin = await serveGreetings()
      const [{ url }] = (await load(origin + path)).servers
      expect(String(new URL(url, origin + path))).toBe(`${origin}/`)
    },
  )

  test('below a prefix, has a URL with as many steps', async () => {
    const below = prefix('/v1', { pages: prefix('/about', { docs: mount('/docs') }) })
    const page = documentationPage({ hello }, { title: 'Greetings' })
    const url = await listenTo(serve({ hello, below }, { hello: () => 'Hello!', below: { pages: { docs: page } } }))
    expect((await load(`${url}/v1/about/docs/openapi.json`)).servers).toEqual([{ url: '../../..' }])
    expect((await load(`${url}/v1/about/docs/openapi.json/`)).servers).toEqual([{ url: '../../../..' }])
    expect((await fetch(`${url}/v1/about/docs/`)).status).toBe(200)
  })

  test('has no operation that include leaves out, and neither has the Markdown', async () => {
    const page = documentationPage(api, {
      title: 'Greetings',
      include: ({ operation }) => operation['~kind'] === 'endpoint' && !operation.tags?.includes('internal'),
    })
    const url = await listenTo(serve(api, { ...handlers, docs: page }))
    expect(Object.keys((await load(`${url}/docs/openapi.json`)).paths)).toEqual(['/hello'])
    const text = await (await fetch(`${url}/docs`, { headers: { Accept: 'text/markdown' } })).text()
    expect(text.match(/^## .*/gm)).toEqual(['## What endpoints have in common', '## GET /hello'])
  })

  test('can be one of your own', async () => {
    const document = { ...(await openapi(api, { title: 'Own', version: '7' })), servers: [{ url: 'https://greetings.example/v1' }] }
    const page = documentationPage(api, { title: 'Greetings', document: async () => document })
    const url = await listenTo(serve(api, { ...handlers, docs: page }))
    expect(await load(`${url}/docs/openapi.json`)).toEqual(document)
    const { headers } = await fetch(`${url}/docs`)
    expect(headers.get('content-security-policy')).toContain("connect-src 'self' https://greetings.example;")
  })

  test('is made again at the next request, if it fails', async () => {
    let attempts = 0
    const failures: unknown[] = []
    const page = documentationPage(api, {
      title: 'Greetings',
      document: () => {
        attempts += 1
        if (attempts === 1) throw new Error('not yet')
        return openapi(api, { title: 'Greetings', version: '1' })
      },
    })
    const server = serve(api, { ...handlers, docs: page }, { onError: (error) => void failures.push(error) })
    const url = await listenTo(server)
    expect((await fetch(`${url}/docs`)).status).toBe(500)
    expect(failures).toEqual([new Error('not yet')])
    expect([(await fetch(`${url}/docs`)).status, (await fetch(`${url}/docs`)).status, attempts]).toEqual([200, 200, 2])
  })
})

test('the policy allows the origins of logins and those that are listed', async () => {
  const people = openIdConnect<string>('people', { url: 'https://login.example/.well-known/openid-configuration' })
  const guarded = { me: endpoint('GET /me', { auth: people, response: ok(text) }), docs: mount('/docs') }
  const page = documentationPage(guarded, { title: 'Guarded', origins: ['https://token.example'] })
  const url = await listenTo(serve(guarded, { me: ({ user }) => user, docs: page }, { auth: [authenticate(people, (token) => token)] }))
  const { headers } = await fetch(`${url}/docs`)
  expect(headers.get('content-security-policy')).toContain("connect-src 'self' https://login.example https://token.example;")
})

test.each([
  ['https://a;script-src.example/v1', ''],
  ['https://a,b.example/v1', ''],
  ['https://{region}.example/v1', ''],
  ['//other.example:8443/v1', ' other.example:8443'],
  ['HTTPS://Other.example/v1', ' https://other.example'],
  ['/v1', ''],
])('of the server %s, the policy has no more than an origin', async (url, origin) => {
  const page = documentationPage(api, { title: 'Greetings', servers: [{ url }] })
  const { headers } = await fetch(`${await listenTo(serve(api, { ...handlers, docs: page }))}/docs`)
  expect(headers.get('content-security-policy')).toBe(policy.replace("connect-src 'self'", `connect-src 'self'${origin}`))
})

test.each([
  ['https://a.example; script-src *'],
  ['https://a.example\nX-Header: x'],
  ['https://a.example/path'],
  ['*'],
  ["'unsafe-inline'"],
  [5],
])('%j is no origin', (origin) => {
  const create = () => documentationPage(api, { title: 'Greetings', origins: ['https://b.example', origin as string] })
  expect(create).toThrow(/^documentationPage\(\): origins is .*, expected a list of origins, such as "https:\/\/oauth2\.example"\.$/)
})

test.each([
  [{ origins: 'https://a.example' }, 'origins is a string'],
  [{ home: '/' }, 'home is a string, expected { name, url }'],
  [{ icon: 5 }, 'icon is a number'],
  [{ version: 5 }, 'version is a number, expected a text'],
  [{ oauth2: 'docs' }, 'oauth2 is a string, expected { clientId }'],
  [{ introductions: 'Hello' }, 'introductions is a string, expected a list'],
  [{ servers: 'https://a.example' }, 'servers is a string, expected a list'],
  [{ document: '/openapi.json' }, 'document is a string, expected an OpenAPI document, or a function'],
])('%j is refused at the start', (options, message) => {
  expect(() => documentationPage(api, { title: 'Greetings', ...options } as never)).toThrow(`documentationPage(): ${message}`)
})

test('below a path of another server, which shortens the URL as Express does, the page refers to files that are there', async () => {
  const listener = toNodeListener(serve(api, { ...handlers, docs: documentationPage(api, { title: 'Greetings' }) }))
  const server = createServer((request, response) => {
    const { url = '' } = request
    listener(Object.assign(request, { originalUrl: url, url: url.slice('/v1'.length) }), response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/docs`
  for (const end of ['', '/']) {
    const page = await (await fetch(url + end)).text()
    for (const target of listTargets(page)) expect([target, (await fetch(new URL(target, url + end))).status]).toEqual([target, 200])
  }
  const { servers } = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: unknown }
  expect(servers).toEqual([{ url: '..' }])
})

test('in server.fetch, the page and its files are the same', async () => {
  const server = serve(api, { ...handlers, docs: documentationPage(api, { title: 'Greetings' }) })
  const page = await server.fetch(new Request('https://greetings.test/docs'))
  const targets = listTargets(await page.text())
  for (const target of targets) {
    const response = await server.fetch(
      new Request(new URL(target, 'https://greetings.test/docs'), { headers: { 'Accept-Encoding': 'gzip' } }),
    )
    expect([target, response.status]).toEqual([target, 200])
  }
})

test('an unknown option, a missing title and an option of another type are refused at the start', () => {
  expect(() => documentationPage(api, { title: 'Greetings', path: '/docs' } as never)).toThrow(/documentationPage\(\).*path/)
  for (const none of [{}, undefined, null]) expect(() => documentationPage(api, none as never)).toThrow('documentationPage() needs a title')
  expect(() => documentationPage(api, { title: 'Greetings', include: 'internal' } as never)).toThrow(/documentationPage\(\): include/)
})
