/** The specification's "Documentation fallback". */

import { METHODS } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { service } from '../support/service.ts'
import { comparable, type Expected, json, nothing, problem, specify } from './expected.ts'
import { client, email } from './known.ts'
import { type Sent, send, withBody, withHeaders, withJson } from './send.ts'

const it = await service()
afterAll(it.close)

const { text: markdown } = await send(it.docs, 'GET /')
/** The document, for every request. */
const fallback: Expected = { status: 200, headers: { 'content-type': 'text/plain' }, body: markdown }
const ofMarketing = { accept: 'application/json, application/x-www-form-urlencoded' }

describe('any request not matching the position, hello or marketing endpoints gets the document', () => {
  specify(it.docs, [
    ['the root', 'GET /', fallback],
    ['an unknown path', 'GET /nothing/at/all?really', fallback],
    ['a path of another deployment', 'GET /users', fallback],
    ['health is another deployment’s as well', 'GET /health/live', fallback],
    ['another method of an endpoint', 'POST /hello', fallback],
    ['another method of another endpoint', 'GET /marketing', fallback],
    ['another method with captures', 'DELETE /position/1/2', fallback],
    ['a capture that does not convert', 'GET /position/one/2', fallback],
    ['another method with a capture that does not convert', 'PUT /position/one/2', fallback],
    ['a capture beyond the integers', 'GET /position/1/9007199254740992', fallback],
    ['a capture too few', 'GET /position/1', fallback],
    ['a segment too many', 'GET /position/1/2/3', fallback],
    ['another case', 'GET /Hello', fallback],
    ['two slashes behind', 'GET /hello//', fallback],
    ['a path of bad percent-encoding', 'GET /%zz', fallback],
    ['a path that is not UTF-8', 'GET /%ff', fallback],
    ['an asterisk', 'OPTIONS *', fallback],
    ['OPTIONS of no endpoint', 'OPTIONS /nothing', fallback],
    ['OPTIONS with a capture that does not convert', 'OPTIONS /position/x/y', fallback],
    ['HEAD: without the body', 'HEAD /', { ...fallback, body: '' }],
    ['HEAD with a capture that does not convert', 'HEAD /position/x/y', { ...fallback, body: '' }],
    ['HEAD of what cannot be got', 'HEAD /marketing', { ...fallback, body: '' }],
    ['HEAD of what cannot be got, with a slash behind it', 'HEAD /marketing/', { ...fallback, body: '' }],
    ['any Accept header', withHeaders('GET /', { Accept: 'image/png' }), fallback],
    ['an Accept header that excludes it', withHeaders('GET /', { Accept: 'text/plain;q=0' }), fallback],
    ['any body', withBody('POST /nothing', 'application/x-nonsense', 'x'.repeat(10_000)), fallback],
    ['any credentials', withHeaders('GET /', { Authorization: 'Basic eDp5' }), fallback],
  ])

  test.each(METHODS.filter((method) => !['CONNECT', 'HEAD'].includes(method)))('any method: %s', async (method) => {
    expect(comparable(await send(it.docs, `${method} /anything`))).toEqual(fallback)
  })

  test('its length is that of the document, for HEAD too', async () => {
    const length = String(Buffer.byteLength(markdown))
    for (const request of ['GET /', 'HEAD /', 'HEAD /marketing'])
      expect((await send(it.docs, request)).headers['content-length']).toBe(length)
  })
})

describe('a matching request goes to the endpoint, even if it fails', () => {
  specify(it.docs, [
    ['position', 'GET /position/1/-2', json({ xCoord: 1, yCoord: -2 })],
    ['hello', 'GET /hello?name=Ann', json({ msg: 'Hello, Ann' })],
    ['hello with a slash behind it', 'GET /hello/', json({ msg: 'Hello, anonymous coward' })],
    ['marketing', withJson('POST /marketing', client), json(email)],
    ['HEAD of an endpoint', 'HEAD /hello', { ...json(''), body: '' }],
    ['OPTIONS of an endpoint', 'OPTIONS /hello', nothing(204, { allow: 'GET, HEAD, OPTIONS' })],
    ['OPTIONS of an endpoint with captures', 'OPTIONS /position/1/2', nothing(204, { allow: 'GET, HEAD, OPTIONS' })],
    ['OPTIONS of marketing', 'OPTIONS /marketing', nothing(204, { allow: 'POST, OPTIONS' })],
    ['fails on its query', 'GET /hello?name=a&name=b', problem(400, {}, { in: 'query', name: 'name' })],
    ['fails on its query’s encoding', 'GET /hello?name=%ff', problem(400, {}, { in: 'query', name: 'name' })],
    ['fails on its Accept', withHeaders('GET /hello', { Accept: 'text/plain' }), problem(406, { vary: 'Accept' })],
    ['fails on its Content-Type', withBody('POST /marketing', 'text/plain', 'x'), problem(415, ofMarketing)],
    ['fails without a Content-Type', 'POST /marketing', problem(415, ofMarketing)],
    ['fails on its body', withBody('POST /marketing', 'application/json', '{'), problem(400, {}, { in: 'body', pointer: '' })],
  ])
})

/** The sections of the document by their headings, in order. */
const sections = markdown
  .split(/^## /m)
  .slice(1)
  .map((section): [string, string] => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n') + 1)])

const routes = ['GET /position/:x/:y', 'GET /hello', 'POST /marketing']
const sectionOf = (heading: string): string => sections.find(([title]) => title === heading)?.[1] ?? `There is no section ${heading}.`
const isRoute = (heading: string): boolean => /^[A-Z]+ \//.test(heading)

/** What stands between fences, with the language in front of it. */
const examplesIn = (section: string): string[] => [...section.matchAll(/^```[^\n]*\n([\s\S]*?)\n```$/gm)].map(([, body = '']) => body)

describe('the document', () => {
  test('is Markdown in UTF-8 that begins with a heading and ends with a line feed', () => {
    expect(markdown).toMatch(/^#/)
    expect(markdown.endsWith('\n')).toBe(true)
    expect(markdown).not.toMatch(/undefined|null|\[object|NaN/)
  })

  test('contains introduction sections (title plus paragraphs), then one section per endpoint headed <METHOD> <path>, captures written as :name', () => {
    const headings = sections.map(([heading]) => heading)
    expect(headings.filter(isRoute)).toEqual(routes)
    expect(headings.slice(-routes.length)).toEqual(routes)
    const intros = sections.slice(0, -routes.length)
    expect(intros.length).toBeGreaterThan(0)
    for (const [title, text] of intros) {
      expect(title).not.toBe('')
      expect(text.trim()).not.toBe('')
    }
  })

  test.each(['name', 'Alp', 'Richard', 'Ann', 'the name to greet'])(
    'lists query parameters (name, example values, description): %s',
    (word) => {
      expect(sectionOf('GET /hello')).toContain(word)
    },
  )

  test.each(['`x`', '`y`', 'the horizontal coordinate', 'the vertical coordinate'])('lists captures (name, description): %s', (words) => {
    expect(sectionOf('GET /position/:x/:y')).toContain(words)
  })

  test.each(['application/json', 'application/x-www-form-urlencoded'])('lists request content types: %s', (type) => {
    expect(sectionOf('POST /marketing')).toContain(`\`${type}\``)
  })

  test.each(routes)('lists the response status code and content types of %s', (route) => {
    expect(sectionOf(route)).toMatch(/status code:? 200/i)
    expect(sectionOf(route)).toContain('`application/json;charset=utf-8`')
    expect(sectionOf(route)).toContain('`application/json`')
  })

  test('shows an example of the request body per encoding, and each gets the example of the response', async () => {
    const [asJson = '', asForm = '', response = '', ...more] = examplesIn(sectionOf('POST /marketing'))
    expect(more).toEqual([])
    const sent: readonly Sent[] = [
      withBody('POST /marketing', 'application/json', asJson),
      withBody('POST /marketing', 'application/x-www-form-urlencoded', asForm),
    ]
    for (const one of sent) expect((await send(it.docs, one)).text).toBe(response)
  })

  test.each([
    ['GET /hello', 'GET /hello?name=Alp'],
    ['GET /position/:x/:y', 'GET /position/3/14'],
  ])('shows an example of the response of %s, which is the real response to %s', async (route, request) => {
    expect(examplesIn(sectionOf(route))).toEqual([(await send(it.docs, request)).text])
  })
})

test('the other deployments have no such fallback', async () => {
  expect(comparable(await send(it.main, 'GET /nowhere'))).toEqual(problem(404))
  expect(comparable(await send(it.pagination, 'GET /nowhere'))).toEqual(problem(404))
})
