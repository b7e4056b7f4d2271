/** `etag`: entity tags and conditional requests (RFC 9110 §13), in memory and over a socket. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import {
  bytes,
  content,
  endpoint,
  errors,
  html,
  int,
  json,
  list,
  mediaType,
  ndjson,
  noContent,
  ok,
  optional,
  prefix,
  reply,
  text,
  withHeaders,
} from 'lapidary'
import { outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { digest, portableDigest } from '../../src/http/digest.ts'
import { hasEntityTag } from '../../src/http/preconditions.ts'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'

const Stone = z.object({ name: z.string(), carats: z.int() })
type Stone = z.infer<typeof Stone>

const byId = { params: { id: int } }
const page = html<Stone>(({ name }) => `<h1>${name}</h1>`)
const api = {
  stones: prefix('/stones', {
    read: endpoint('GET /:id', {
      ...byId,
      response: ok(content(Stone, json, page), { headers: { 'Cache-Control': text, 'X-Cut': text } }),
      etag: true,
      responseHeaders: { 'X-Mine': 'Kimberley' },
    }),
    replace: endpoint('PUT /:id', { ...byId, body: Stone, response: noContent, etag: 'optional' }),
    remove: endpoint('DELETE /:id', { ...byId, response: noContent, etag: 'required' }),
  }),
  bytes: endpoint('GET /bytes', { response: ok(bytes), etag: true }),
  plain: endpoint('GET /plain', { response: ok(text) }),
}

/** What is kept. Its number 1 is there at the beginning of each test. */
let stones: Map<number, Stone>
beforeEach(() => {
  stones = new Map([[1, { name: 'Ruby', carats: 3 }]])
})

const found = (id: number): Stone => {
  const stone = stones.get(id)
  if (stone === undefined) throw errors.notFound()
  return stone
}

const server = serve(api, {
  stones: {
    read: ({ params }) => withHeaders(found(params.id), { 'Cache-Control': 'max-age=60', 'X-Cut': 'oval' }),
    // One that is not there yet is made.
    replace: ({ params, body, precondition }) => {
      precondition?.(stones.get(params.id))
      stones.set(params.id, body)
    },
    remove: ({ params, precondition }) => {
      precondition(found(params.id))
      stones.delete(params.id)
    },
  },
  bytes: () => Uint8Array.of(0, 255),
  plain: () => 'plain',
})

/** The tag of these bytes in this type, by the SHA-256 of Node. */
const tagOf = (type: string, bytes: string | Uint8Array): string =>
  `"${createHash('sha256').update(`${type}\n`).update(bytes).digest('hex').slice(0, 32)}"`

const ruby = tagOf('application/json', '{"name":"Ruby","carats":3}')
const opal = tagOf('application/json', '{"name":"Opal","carats":7}')
const rubyPage = tagOf('text/html', '<h1>Ruby</h1>')

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(server)
  })
  afterAll(() => adapter.close())

  type Headers = Readonly<Record<string, string>>
  const read = (headers: Headers = {}, method = 'GET', target = '/stones/1'): Promise<Response> =>
    adapter.fetch(target, { method, headers })
  const replace = (headers: Headers = {}, target = '/stones/1'): Promise<Response> =>
    adapter.fetch(target, {
      method: 'PUT',
      body: '{"name":"Opal","carats":7}',
      headers: { 'Content-Type': 'application/json', ...headers },
    })
  const remove = (headers: Headers = {}, target = '/stones/1'): Promise<Response> => adapter.fetch(target, { method: 'DELETE', headers })

  test.each<[string, number, Headers]>([
    ['no condition: in full', 200, {}],
    ['If-None-Match with the tag: 304', 304, { 'If-None-Match': ruby }],
    ['If-None-Match with another tag: in full', 200, { 'If-None-Match': opal }],
    ['If-None-Match compares weakly', 304, { 'If-None-Match': `W/${ruby}` }],
    ['If-None-Match with a list that has the tag: 304', 304, { 'If-None-Match': `${opal}, "a,b" ,,W/${ruby}` }],
    ['If-None-Match with a list without the tag: in full', 200, { 'If-None-Match': `${opal}, W/"x"` }],
    ['If-None-Match with * : 304', 304, { 'If-None-Match': '*' }],
    ['* among others is not a tag', 200, { 'If-None-Match': `${opal}, *` }],
    ['the tag without its quotes is not a tag', 200, { 'If-None-Match': ruby.slice(1, -1) }],
    ['a weak prefix in lower case is not one', 200, { 'If-None-Match': `w/${ruby}` }],
    ['a tag before a malformed one counts', 304, { 'If-None-Match': `${ruby}, nonsense` }],
    ['a tag behind a malformed one does not', 200, { 'If-None-Match': `nonsense, ${ruby}` }],
    ['If-None-Match that is empty: in full', 200, { 'If-None-Match': '' }],
    ['the tag of the page is not that of the JSON', 200, { 'If-None-Match': rubyPage }],
    ['the tag of the JSON is not that of the page', 200, { 'If-None-Match': ruby, Accept: 'text/html' }],
    ['the page has its own tag', 304, { 'If-None-Match': rubyPage, Accept: 'text/html' }],
    ['If-Modified-Since is ignored', 200, { 'If-Modified-Since': new Date(0).toUTCString() }],
    ['If-Match with the tag: in full', 200, { 'If-Match': ruby }],
    ['If-Match with another: 412', 412, { 'If-Match': opal }],
    ['If-Match compares strongly', 412, { 'If-Match': `W/${ruby}` }],
    ['If-Match is evaluated first', 412, { 'If-Match': opal, 'If-None-Match': ruby }],
    ['If-None-Match is evaluated second', 304, { 'If-Match': ruby, 'If-None-Match': ruby }],
  ])('a GET with %s', async (_sentence, status, headers) => {
    for (const method of ['GET', 'HEAD']) expect((await read(headers, method)).status).toBe(status)
  })

  test('the tag depends on the media type and the bytes', async () => {
    expect((await read()).headers.get('ETag')).toBe(ruby)
    expect((await read({ Accept: 'text/html' })).headers.get('ETag')).toBe(rubyPage)
    expect((await read({}, 'HEAD')).headers.get('ETag')).toBe(ruby)
    expect((await read({}, 'GET', '/bytes')).headers.get('ETag')).toBe(tagOf('application/octet-stream', Uint8Array.of(0, 255)))
  })

  test('without the option there is no tag, and a condition is ignored', async () => {
    const response = await read({ 'If-None-Match': '*', 'If-Match': '"x"' }, 'GET', '/plain')
    expect([response.status, response.headers.get('ETag')]).toEqual([200, null])
  })

  test('a 304 has no body, and those headers of the 200 that a cache needs', async () => {
    const response = await read({ 'If-None-Match': ruby })
    const headers = Object.fromEntries([...response.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name)))
    expect(await response.text()).toBe('')
    expect(headers).toEqual({ 'cache-control': 'max-age=60', etag: ruby, vary: 'Accept', 'x-mine': 'Kimberley' })
  })

  test('an invalid request is rejected before its condition is evaluated', async () => {
    const fresh = { 'If-None-Match': '*', 'If-Match': '"x"' }
    expect((await read(fresh, 'GET', '/stones/2')).status).toBe(404)
    expect((await read(fresh, 'GET', '/stones/one')).status).toBe(400)
    expect((await read({ ...fresh, Accept: 'image/png' })).status).toBe(406)
    expect((await replace({ ...fresh, 'Content-Type': 'image/png' })).status).toBe(415)
    expect((await remove(fresh, '/stones/2')).status).toBe(404)
  })

  test.each<[string, number, Headers]>([
    ['no condition: it is made', 204, {}],
    ['If-Match with the tag: it is made', 204, { 'If-Match': ruby }],
    ['If-Match with a list that has the tag: it is made', 204, { 'If-Match': `"x", ${ruby}` }],
    ['If-Match with * : it is made', 204, { 'If-Match': '*' }],
    ['If-Match with the tag of the page: it is made', 204, { 'If-Match': rubyPage }],
    ['If-Match with another: 412', 412, { 'If-Match': opal }],
    ['If-Match compares strongly', 412, { 'If-Match': `W/${ruby}` }],
    ['a malformed If-Match: 412', 412, { 'If-Match': ruby.slice(1, -1) }],
    ['If-Match that is empty: 412', 412, { 'If-Match': '' }],
    ['If-None-Match with * : 412', 412, { 'If-None-Match': '*' }],
    ['If-None-Match with the tag: 412', 412, { 'If-None-Match': ruby }],
    ['If-None-Match with the tag of the page: 412', 412, { 'If-None-Match': rubyPage }],
    ['If-None-Match compares weakly', 412, { 'If-None-Match': `W/${ruby}` }],
    ['If-None-Match with another: it is made', 204, { 'If-None-Match': opal }],
    ['both conditions must hold', 412, { 'If-Match': ruby, 'If-None-Match': ruby }],
  ])('a change with %s', async (_sentence, status, headers) => {
    expect((await replace(headers)).status).toBe(status)
    expect(stones.get(1)?.name).toBe(status === 204 ? 'Opal' : 'Ruby')
  })

  test.each<[string, number, Headers]>([
    ['no condition', 204, {}],
    ['If-None-Match with *', 204, { 'If-None-Match': '*' }],
    ['If-Match with *', 412, { 'If-Match': '*' }],
    ['If-Match with a tag', 412, { 'If-Match': ruby }],
  ])('of a resource that does not exist, %s: %i', async (_sentence, status, headers) => {
    expect((await replace(headers, '/stones/2')).status).toBe(status)
    expect(stones.has(2)).toBe(status === 204)
  })

  test('a request without a required If-Match is answered with 428 and changes nothing', async () => {
    for (const headers of [{}, { 'If-None-Match': '"x"' }]) {
      const response = await remove(headers)
      expect([response.status, await response.json()]).toEqual([428, expect.objectContaining({ title: 'Precondition Required' })])
    }
    expect(stones.has(1)).toBe(true)
    expect((await remove({ 'If-Match': opal })).status).toBe(412)
    expect((await remove({ 'If-Match': ruby })).status).toBe(204)
    expect(stones.has(1)).toBe(false)
  })

  test('the tag of a GET is valid for one change', async () => {
    const { headers } = await read()
    const condition = { 'If-Match': headers.get('ETag') ?? '' }
    expect((await replace(condition)).status).toBe(204)
    expect((await replace(condition)).status).toBe(412)
    expect((await read()).headers.get('ETag')).toBe(opal)
  })

  test('a list can be in several fields', async () => {
    const headers = new Headers([
      ['If-None-Match', opal],
      ['If-None-Match', ruby],
    ])
    expect((await adapter.fetch('/stones/1', { headers })).status).toBe(304)
  })
})

const texts = fc.string({ unit: 'binary' })
const values = fc.record({ name: texts, carats: fc.maxSafeInteger() })

test('a tag changes exactly when the response changes', async () => {
  const tag = async (stone: Stone): Promise<[string | null, string]> => {
    stones.set(1, stone)
    const response = await server.fetch(new Request('http://test.invalid/stones/1'))
    return [response.headers.get('ETag'), await response.text()]
  }
  await fc.assert(
    fc.asyncProperty(values, fc.oneof(values, fc.constant(undefined)), async (one, other) => {
      const [[tagOfOne, textOfOne], [tagOfOther, textOfOther]] = [await tag(one), await tag(other ?? { ...one })]
      expect(tagOfOne === tagOfOther).toBe(textOfOne === textOfOther)
    }),
  )
})

test('the digest is SHA-256, both that of the platform and the portable one', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(3), fc.string({ unit: 'binary' }), (bytes, offset, text) => {
      const those = bytes.subarray(offset)
      for (const make of [digest, portableDigest]) {
        expect(make('', those)).toBe(createHash('sha256').update(those).digest('hex'))
        expect(make('ä\n', those)).toBe(createHash('sha256').update('ä\n').update(those).digest('hex'))
        expect(make('a/b\n', text)).toBe(createHash('sha256').update(`a/b\n${text}`).digest('hex'))
      }
    }),
  )
})

test('a list contains each of its tags and no other', () => {
  const tags = fc.stringMatching(/^"[!#-~]{0,8}"$/)
  const spaces = fc.constantFrom(',', ', ', ' ,\t', ',,', ' , ,')
  fc.assert(
    fc.property(fc.array(fc.tuple(tags, fc.boolean(), spaces), { minLength: 1 }), tags, (list, other) => {
      const header = list.map(([tag, isWeak, space]) => `${isWeak ? 'W/' : ''}${tag}${space}`).join('')
      for (const tag of [other, ...list.map(([one]) => one)]) {
        expect(hasEntityTag(header, tag, true)).toBe(list.some(([one]) => one === tag))
        expect(hasEntityTag(header, tag, false)).toBe(list.some(([one, isWeak]) => one === tag && !isWeak))
      }
    }),
  )
})

const noTag = (route: string): TypeError =>
  new TypeError(
    `${route} has an "etag", which needs a reply of status 200 with one body that is not a stream. Remove "etag", or change the reply.`,
  )

describe('a wrong definition throws where it is written', () => {
  const item = endpoint('GET /a', { response: ok(text), etag: true })
  const silent = endpoint('PUT /a', { response: noContent, etag: 'optional' })

  test.each<[string, () => unknown, string]>([
    [
      'a change without a GET',
      () => serve({ silent }, { silent: () => {} }),
      'PUT /a has an "etag", but the GET of its path has none. Add "etag: true" to that GET, or remove "etag".',
    ],
    [
      'a change beside a GET without a tag',
      () => serve({ silent, read: endpoint('GET /a', { response: ok(text) }) }, { silent: () => {}, read: () => '' }),
      'PUT /a has an "etag", but the GET of its path has none. Add "etag: true" to that GET, or remove "etag".',
    ],
    [
      'true on a change',
      () => endpoint('PUT /a', { response: ok(text), etag: true }),
      'PUT /a has a wrong "etag". Write true on a GET, and "optional" or "required" on a change at the same path.',
    ],
    [
      'a condition on a GET',
      () => endpoint('GET /a', { response: ok(text), etag: 'required' }),
      'GET /a has a wrong "etag". Write true on a GET, and "optional" or "required" on a change at the same path.',
    ],
    ['a response without a body', () => endpoint('GET /a', { response: noContent, etag: true }), noTag('GET /a').message],
    ['another status than 200', () => endpoint('GET /a', { response: reply(203, text), etag: true }), noTag('GET /a').message],
  ])('%s', (_what, mistake, sentence) => {
    expect(mistake).toThrow(new TypeError(sentence))
  })

  test('a header that the option adds cannot be declared', () => {
    for (const name of ['If-Match', 'if-none-match']) {
      const headers = { [name]: text }
      expect(() => endpoint('PUT /a', { headers, response: noContent, etag: 'optional' })).toThrow(/which the toolkit sets itself/)
    }
    expect(() => endpoint('GET /a', { response: ok(text, { headers: { etag: text } }), etag: true })).toThrow(/sets itself/)
  })

  test('a handler that does not check its precondition fails, if the request has one', async () => {
    const reported: unknown[] = []
    const { fetch } = serve({ item, silent }, { item: () => '', silent: () => {} }, { onError: (error) => reported.push(error) })
    const put = (headers: Record<string, string>): Promise<Response> =>
      fetch(new Request('http://test.invalid/a', { method: 'PUT', headers }))
    expect((await put({})).status).toBe(204)
    expect((await put({ 'If-Match': '*' })).status).toBe(500)
    expect(reported).toEqual([
      new TypeError(
        'PUT /a returned without checking its precondition. Call precondition(current) in the transaction that writes, with the value that a GET would return.',
      ),
    ])
  })

  test('a list that is made while it is sent has the tag of all its items', async () => {
    const names = endpoint('GET /names', { response: ok(list(z.string())), etag: true })
    const send = async (handler: () => Iterable<string> | AsyncIterable<string>, headers: Record<string, string> = {}) => {
      const response = await serve({ names }, { names: handler }, { onError: () => {} }).fetch(
        new Request('http://test.invalid/names', { headers }),
      )
      return [response.status, response.headers.get('etag'), await response.text()] as const
    }
    async function* produce() {
      yield 'Ruby'
      yield 'Opal'
    }
    const whole = await send(() => ['Ruby', 'Opal'])
    expect(whole).toEqual([200, expect.stringMatching(/^".+"$/), '["Ruby","Opal"]'])
    expect(await send(produce)).toEqual(whole)
    expect(await send(() => new Set(['Ruby', 'Opal']))).toEqual(whole)
    expect(await send(produce, { 'If-None-Match': whole[1] ?? '' })).toEqual([304, whole[1], ''])
    async function* fail() {
      yield 'Ruby'
      throw new Error('in the middle')
    }
    expect((await send(fail))[0]).toBe(500)
  })

  test('a body that can also be read as a stream has a tag', async () => {
    const rows = mediaType<string>({
      types: ['text/csv'],
      reader: () => (given) => new TextDecoder().decode(given),
      streamReader: () => (chunks) => chunks,
      writer: () => (value) => value,
    })
    const one = endpoint('GET /rows', { response: ok(rows), etag: true })
    const { headers } = await serve({ one }, { one: () => 'a,b' }).fetch(new Request('http://test.invalid/rows'))
    expect(headers.get('etag')).toBe(tagOf('text/csv', 'a,b'))
  })

  test('an error of the option that is declared as well is there once, as it is declared', () => {
    const declared = reply(412, text)
    const one = endpoint('PUT /a', { response: noContent, errors: [declared], etag: 'required' })
    expect(one.errors.map(({ status }) => status)).toEqual([412, 428])
    expect(one.errors[0]).toBe(declared)
  })

  test('several fields of a condition are one list', () => {
    const { 'If-Match': list } = api.stones.remove.headers
    expect(list?.read({ values: ['"a"', 'W/"b"'], isPresent: true })).toBe('"a", W/"b"')
    expect(list?.read({ values: [], isPresent: false })).toBe(undefined)
  })

  test('documents have the tag of the usual response, and of no other one', async () => {
    const one = endpoint('GET /one', { response: [ok(text), reply(203, text)], etag: true })
    const { paths } = await openapi({ one }, { title: 'One', version: '1' })
    const tagged = ['200', '203', '304'].filter((status) => 'ETag' in Object(Object(paths['/one']?.get?.responses[status]).headers))
    expect(tagged).toEqual(['200', '304'])
    const { sections } = await outline({ one })
    expect(sections[0]?.responses.map(({ headers }) => headers.map(({ name }) => name))).toEqual([['ETag'], []])
  })

  test('a header that the option adds can be declared without the option', () => {
    const headers = { 'If-Match': optional(text), ETag: optional(text) }
    expect(() => endpoint('PUT /a', { headers, response: ok(text, { headers: { ETag: text } }) })).not.toThrow()
  })

  test('a stream cannot have a tag', () => {
    expect(() => endpoint('GET /names', { response: ok(ndjson(z.string())), etag: true })).toThrow(noTag('GET /names'))
  })
})

test('a 304 has the headers of the 200 that a cache updates (RFC 9110 §15.4.5), and no others', async () => {
  const lasting = {
    'Cache-Control': 'max-age=60',
    'Content-Location': '/copies/1',
    Expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
  }
  const headers = { ...lasting, 'Content-Language': 'en', 'X-Cut': 'oval' }
  const declared = Object.fromEntries(Object.keys(headers).map((name) => [name, text]))
  const copy = endpoint('GET /copy', { response: ok(text, { headers: declared }), etag: true })
  const { fetch } = serve({ copy }, { copy: () => withHeaders('ruby', headers) })
  const first = await fetch(new Request('http://a/copy'))
  const tag = first.headers.get('etag') ?? ''
  const again = await fetch(new Request('http://a/copy', { headers: { 'If-None-Match': tag } }))
  const kept = Object.entries({ ...lasting, ETag: tag }).map(([name, value]) => [name.toLowerCase(), value])
  expect([first.status, again.status]).toEqual([200, 304])
  expect(Object.fromEntries(again.headers)).toEqual(Object.fromEntries(kept))
})
