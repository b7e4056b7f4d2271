/** The documentation page over HTTP: its types, its methods, its files, and where it can be mounted. */
import { documentationPage } from '@lapidary/docs-page'
import { endpoint, mount, ok, prefix, text } from 'lapidary'
import { listen } from 'lapidary/node'
import { type ApiServer, serve } from 'lapidary/server'
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

describe('the page', () => {
  test.each([
    ['', './docs/'],
    ['/', './'],
    ['?a=b', './docs/'],
  ])('at /docs%s refers to files that are there', async (end, base) => {
    const url = await serveGreetings()
    const response = await fetch(`${url}/docs${end}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const page = await response.text()
    const targets = [...page.matchAll(/(?:href|src|data-[\w-]+)="(\.[^"]*)"/g)].map(([, target = '']) => target)
    expect(targets.length).toBeGreaterThan(4)
    for (const target of targets) {
      expect(target.startsWith(base)).toBe(true)
      expect([target, (await fetch(new URL(target, `${url}/docs${end}`))).status]).toEqual([target, 200])
    }
  })
})

test('an unknown option is refused at the start', () => {
  expect(() => documentationPage(api, { title: 'Greetings', path: '/docs' } as never)).toThrow(/documentationPage\(\).*path/)
  expect(() => documentationPage(api, {} as never)).toThrow('documentationPage() needs a title')
})

test('below a prefix, the document names the root of the API as its server', async () => {
  const nested = prefix('/v1', { pages: prefix('/about', { docs: mount('/docs') }) })
  const url = await listenTo(
    serve({ hello, nested }, { hello: () => 'Hello!', nested: { pages: { docs: documentationPage({ hello }, { title: 'Greetings' }) } } }),
  )
  const { servers } = await (await fetch(`${url}/v1/about/docs/openapi.json`)).json()
  expect(servers).toEqual([{ url: '../../..' }])
})
