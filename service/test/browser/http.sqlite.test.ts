/** The pages and their assets over HTTP. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { openapiHandler } from '../../src/handlers/openapi.ts'
import { pageHandlers } from '../../src/handlers/pages.ts'
import { comparable, problem, specify } from '../specification/expected.ts'
import { elements, parsedHtml, textOf } from '../specification/html.ts'
import { send, withHeaders } from '../specification/send.ts'
import { folderOfTest, service } from '../support/service.ts'

const it = await service()
afterAll(it.close)

const built = readdirSync(fileURLToPath(new URL('../../dist/assets', import.meta.url)))

const policy = (images: string, more = ''): string =>
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${images}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'${more}`
const guarded = (contentSecurityPolicy: string) => ({
  'content-security-policy': contentSecurityPolicy,
  'cache-control': 'no-cache',
})

describe.each([
  ['/', guarded(policy("'self'", "; require-trusted-types-for 'script'")), {}],
  [
    '/docs',
    guarded(policy("'self' data:")),
    { vary: 'Accept', etag: expect.any(String), link: '<./docs/openapi.json>; rel="service-desc"; type="application/json"' },
  ],
])('the page %s', (path, headers, more) => {
  const pathOf = (target: string): string => new URL(target, `${it.main}${path}`).pathname
  const html = {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers, ...more },
    body: expect.stringMatching(/<\/html>\n$/),
  }
  specify(it.main, [
    ['GET', `GET ${path}`, html],
    ['HEAD', `HEAD ${path}`, { ...html, body: '' }],
    ['for a browser', withHeaders(`GET ${path}`, { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }), html],
    ['not as JSON', withHeaders(`GET ${path}`, { Accept: 'application/json' }), problem(406, { ...headers, vary: 'Accept' })],
    ['POST', `POST ${path}`, problem(405, { ...headers, allow: 'GET, HEAD, OPTIONS' })],
  ])

  test('is well-formed, has a language, title and viewport, and nothing inline', async () => {
    const { text } = await send(it.main, `GET ${path}`)
    const root = parsedHtml(text)
    const attributes = (tag: string, name: string) => elements(root, tag).map((element) => element.attributes[name])
    expect(attributes('html', 'lang')).toEqual(['en'])
    expect(elements(root, 'title').map(textOf)).toEqual([expect.stringMatching(/\w+/)])
    expect(attributes('meta', 'name')).toContain('viewport')
    expect(elements(root, 'style')).toEqual([])
    expect(elements(root, 'script').map(textOf)).toEqual([''])
    expect(text).not.toMatch(/ (style|on\w+)=/)
  })

  test('refers to existing assets', async () => {
    const { text } = await send(it.main, `GET ${path}`)
    const named = [...text.matchAll(/(?:href|src)="([^"]*\/assets\/[^"]*)"/g)].map(([, target = '']) => pathOf(target))
    expect(named.length).toBeGreaterThan(3)
    for (const target of named) expect([target, (await send(it.main, `GET ${target}`)).status]).toEqual([target, 200])
  })

  test('has links that work without JavaScript', async () => {
    const root = parsedHtml((await send(it.main, `GET ${path}`)).text)
    const targets = elements(root, 'noscript')
      .flatMap((noscript) => elements(noscript, 'a'))
      .map(({ attributes }) => attributes['href'])
    expect(targets).toHaveLength(1)
    for (const target of targets) expect((await send(it.main, `GET ${pathOf(target ?? '')}`)).status).toBeLessThan(300)
  })
})

describe('the assets', () => {
  const types = [
    [/\.js$/, 'text/javascript;charset=utf-8'],
    [/\.css$/, 'text/css;charset=utf-8'],
    [/\.svg$/, 'image/svg+xml'],
    [/\.txt$/, 'text/plain;charset=utf-8'],
  ] as const

  test.each(built)('%s has its content type, and is revalidated with 304', async (name) => {
    const { status, headers, bytes } = await send(it.main, `GET /assets/${name}`)
    expect({ status, type: headers['content-type'], sniffed: headers['x-content-type-options'], cached: headers['cache-control'] }).toEqual(
      {
        status: 200,
        type: types.find(([form]) => form.test(name))?.[1],
        sniffed: 'nosniff',
        cached: 'public, max-age=0',
      },
    )
    expect(bytes.length).toBeGreaterThan(0)
    const again = await send(it.main, withHeaders(`GET /assets/${name}`, { 'If-None-Match': headers['etag'] ?? '' }))
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })

  test.each([
    '',
    '/',
    '/nothing.js',
    '/../main.js',
    '/%2e%2e/main.js',
    '/..%2fmain.js',
    '/../.assets',
    '/.assets',
    '/../../package.json',
    '/start.js/',
  ])('/assets%s is 404', async (path) => {
    expect(comparable(await send(it.main, `GET /assets${path}`))).toEqual(problem(404))
  })

  test('are those of the start page', () => {
    expect(built.toSorted()).toEqual(['icon.svg', 'start.css', 'start.js'])
  })
})

test('the documentation is Markdown for a program that asks for it', async () => {
  const { status, headers, text } = await send(it.main, withHeaders('GET /docs', { Accept: 'text/markdown' }))
  expect([status, headers['content-type']]).toEqual([200, 'text/markdown;charset=utf-8'])
  expect(text).toContain('\n## GET /hello\n')
})

test('the script of the documentation is kept for a year, and names the licenses of its contents', async () => {
  const [, script = ''] = /src="\.(\/docs\/assets\/[^"]*)"/.exec((await send(it.main, 'GET /docs')).text) ?? []
  const { status, headers, text } = await send(it.main, `GET ${script}`)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/javascript;charset=utf-8',
    'public, max-age=31536000, immutable',
  ])
  const [licenses] = /licenses-\w+\.txt/.exec(text) ?? []
  expect((await send(it.main, `GET /docs/assets/${licenses}`)).text).toContain('Apache License')
})

test('the icon is at /favicon.ico', async () => {
  const { status, headers, bytes } = await send(it.main, 'GET /favicon.ico')
  expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
  expect(bytes).toEqual((await send(it.main, 'GET /assets/icon.svg')).bytes)
})

test('without built assets the start fails with the command to run', () => {
  const folder = folderOfTest()
  expect(() => pageHandlers(openapiHandler(), folder)).toThrow(
    `The pages have not been built: there is no ${join(folder, 'pages', 'start.html')}. Run "npm run setup".`,
  )
})

test('the other deployments have no pages', async () => {
  expect(comparable(await send(it.pagination, 'GET /'))).toEqual(problem(404))
  expect(comparable(await send(it.pagination, 'GET /docs'))).toEqual(problem(404))
  expect(comparable(await send(it.docs, 'GET /assets/start.js')).headers['content-type']).toBe('text/plain')
})
