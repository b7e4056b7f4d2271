/** The requests of a client: their URLs, headers, credentials and bodies. */
import { authScheme, endpoint, errors, isHttpError, mount, ok, prefix, reply, text } from 'lapidary'
import { type ClientOptions, credentials } from 'lapidary/client'
import { authenticate, serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { clients } from '../support/client/clients.ts'
import { api, base, createRecordingClient, keys, partners, people } from '../support/client/recordingClient.ts'
import { thrown } from '../support/client/thrownError.ts'

describe.each(clients)('$kind', ({ createClient: client, isLight }) => {
  const record = (options: ClientOptions = {}, at: string | URL = base) => createRecordingClient(options, at, client)

  describe('the base', () => {
    test.each<[at: string | URL, url: string]>([
      ['http://test.invalid', 'http://test.invalid/hello'],
      ['http://test.invalid/', 'http://test.invalid/hello'],
      ['https://test.invalid:8443/api', 'https://test.invalid:8443/api/hello'],
      ['http://test.invalid/api/v1//', 'http://test.invalid/api/v1/hello'],
      [new URL('http://[::1]:8081/api/'), 'http://[::1]:8081/api/hello'],
      ['http://test.invalid/~ann@home', 'http://test.invalid/~ann@home/hello'],
    ])('%s: the request goes to %s', async (at, url) => {
      const { calls, last } = record({}, at)
      await calls.hello()
      expect(last().url).toBe(url)
    })

    test
      .skipIf(isLight)
      .each([
        '',
        '/api',
        'test.invalid',
        'localhost:8081',
        'ftp://test.invalid',
        'http://',
        'http://a?b',
        'http://a/b#c',
        'http://ann:secret@a',
      ])('"%s" is rejected at once', (at) => {
      expect(() => client(api, at)).toThrow(
        new TypeError(
          'The base of a client must be the URL of a server without credentials and query: client(api, "https://example.org/api").',
        ),
      )
    })
  })

  describe('a client', () => {
    test.skipIf(isLight)('has the shape of its API, without calls for mounts', () => {
      const nested = { v1: prefix('/v1', { hello: api.hello, raw: mount('/raw'), deep: { day: api.day } }), empty: {} }
      const calls = client(nested, base)
      expect(Object.keys(calls)).toEqual(['v1', 'empty'])
      expect(Object.keys(calls.v1)).toEqual(['hello', 'deep'])
      expect([calls, calls.v1, calls.v1.deep].every(Object.isFrozen)).toBe(true)
    })

    test.skipIf(isLight)('rejects a value that is not an API', () => {
      // Plain JavaScript can pass this.
      const wrong = { v1: { hello: undefined } } as unknown as typeof api
      expect(() => client(wrong, base)).toThrow(new TypeError('hello is not an endpoint, a mount, a webhook or a record of them.'))
    })
  })

  describe('a header', () => {
    test('is sent by the client, and by the call', async () => {
      const { calls, header } = record({ headers: { 'X-One': '1', 'X-Two': '1' } })
      await calls.hello({}, { headers: { 'X-Two': '2' } })
      expect([header('x-one'), header('x-two')]).toEqual(['1', '2'])
    })

    test('is sent once, even if its name is written in several cases; that of the call wins', async () => {
      const { calls, header } = record({ headers: { 'X-NOTE': 'client', 'x-tags': 'client' } })
      await calls.noted({ headers: { 'X-Note': 'input', 'X-Tags': [] } }, { headers: { 'x-note': 'call' } })
      expect([header('x-note'), header('x-tags')]).toEqual(['call', 'client'])
      await calls.noted({ headers: { 'X-Note': 'input', 'X-Tags': ['a', 'b'] } })
      expect([header('x-note'), header('x-tags')]).toEqual(['input', 'a,b'])
    })

    test('that the toolkit sets is replaced by a header of the call alone', async () => {
      const { calls, header } = record({ headers: { accept: 'text/csv', 'content-type': 'text/csv' } })
      await calls.order({ body: { item: 'tea' } })
      expect([header('accept'), header('content-type')]).toEqual(['text/plain', 'application/json;charset=utf-8'])
      await calls.order({ body: { item: 'tea' } }, { headers: { Accept: 'text/plain;q=0.5', 'Content-Type': 'application/json;v=2' } })
      expect([header('accept'), header('content-type')]).toEqual(['text/plain;q=0.5', 'application/json;v=2'])
    })

    test.skipIf(isLight)('with cookies is joined, those of the call first: of two with one name, servers read the first', async () => {
      const { calls, header } = record({ headers: { Cookie: 'theme=dark; session=client' } })
      await calls.hello({}, { headers: { cookie: 'session=call' } })
      expect(header('cookie')).toBe('session=call; theme=dark; session=client')
    })

    test('can be created for each call', async () => {
      let count = 0
      const { calls, header } = record({
        headers: async () => {
          count += 1
          return { 'X-Count': `${count}` }
        },
      })
      await calls.hello()
      await calls.hello()
      expect(header('x-count')).toBe('2')
    })
  })

  describe('credentials', () => {
    test.each<[scheme: string, options: ClientOptions, name: 'account' | 'partner' | 'locked', header: string, value: string]>([
      [
        'Basic, in UTF-8',
        { auth: [credentials(people, { username: 'Åsa', password: 'pässwörd: 💎' })] },
        'account',
        'authorization',
        `Basic ${Buffer.from('Åsa:pässwörd: 💎').toString('base64')}`,
      ],
      ['Bearer', { auth: [credentials(partners, 'abc.def')] }, 'partner', 'authorization', 'Bearer abc.def'],
      ['a scheme of one’s own', { auth: [credentials(keys, { key: 'k' })] }, 'locked', 'x-key', 'k'],
      ['a function', { auth: [credentials(keys, () => ({ key: 'k' }))] }, 'locked', 'x-key', 'k'],
      ['a function that takes its time', { auth: [credentials(keys, async () => ({ key: 'k' }))] }, 'locked', 'x-key', 'k'],
    ])('%s', async (_scheme, options, name, header, value) => {
      const kept = record(options)
      await kept.calls[name]()
      expect(kept.header(header)).toBe(value)
    })

    test('are read at each call, so that they can be renewed', async () => {
      let token = 0
      const renewed = credentials(partners, () => {
        token += 1
        return `t${token}`
      })
      const { calls, header } = record({ auth: [renewed] })
      await calls.partner()
      await calls.partner()
      expect(header('authorization')).toBe('Bearer t2')
    })

    test('are not sent where the function has none yet', async () => {
      let token: string | undefined
      const { calls, header } = record({ auth: [credentials(partners, () => token)] })
      await calls.partner()
      expect(header('authorization')).toBe(null)
      token = 't1'
      await calls.partner()
      expect(header('authorization')).toBe('Bearer t1')
    })

    test('replace the headers of the client, and are replaced by those of the call', async () => {
      const { calls, header } = record({ auth: [credentials(partners, 'mine')], headers: { authorization: 'Bearer common' } })
      await calls.partner()
      expect(header('authorization')).toBe('Bearer mine')
      await calls.partner({}, { headers: { Authorization: 'Bearer other' } })
      expect(header('authorization')).toBe('Bearer other')
    })

    test('are not sent to an endpoint with another scheme', async () => {
      let count = 0
      const counted = credentials(partners, () => {
        count += 1
        return 'secret'
      })
      const { calls, sent } = record({ auth: [counted, credentials(people, { username: 'ann', password: 'secret' })] })
      await calls.hello()
      await calls.locked()
      await calls.account()
      expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([null, null, `Basic ${btoa('ann:secret')}`])
      expect(count).toBe(0)
    })

    test('cannot be created for a scheme without request headers', () => {
      const silent = authScheme<string, string>({ name: 'silent', challenge: 'Key', credentials: () => undefined, openapi: {} })
      expect(() => credentials(silent, 'k')).toThrow(
        new TypeError(
          'The auth scheme "silent" cannot write its credentials into a request. Give authScheme() a "headers" or a "query" function.',
        ),
      )
    })

    test('that cannot be read reject the call with the same error', async () => {
      const failure = new Error('The login is closed.')
      const { calls, sent } = record({ auth: [credentials(partners, () => Promise.reject(failure))] })
      expect(await thrown(calls.partner)).toBe(failure)
      expect(sent).toEqual([])
    })
  })

  describe('a body', () => {
    test.each<[contentType: string | undefined, type: string, body: string]>([
      [undefined, 'application/json;charset=utf-8', '{"item":"a&b","count":1}'],
      ['application/json', 'application/json;charset=utf-8', '{"item":"a&b","count":1}'],
      ['Application/X-WWW-Form-Urlencoded; a=b', 'application/x-www-form-urlencoded', 'item=a%26b&count=1'],
    ])('as %s is sent as %s', async (contentType, type, body) => {
      const { calls, header, last } = record()
      await calls.order({ body: { item: 'a&b', count: 1 } }, contentType === undefined ? {} : { contentType })
      expect([header('content-type'), await last().text()]).toEqual([type, body])
    })
  })

  test.skipIf(isLight)('an error of a client that a handler does not catch is a 500, and not the status of the other server', async () => {
    const item = endpoint('GET /item', { response: ok(text), errors: [reply(404)] })
    const far = serve(
      { item },
      {
        item: () => {
          throw errors.notFound({ detail: 'Not here.' })
        },
      },
    )
    const { item: callItem } = client({ item }, 'http://far.invalid', { fetch: far.fetch })
    const reports: unknown[] = []
    const near = serve({ item }, { item: () => callItem() }, { onError: (error) => reports.push(error) })
    const response = await near.fetch(new Request(`${base}/item`))
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('Not here.')])
    expect(reports).toEqual([expect.toSatisfy((error) => isHttpError(error, 404))])
    expect(String(reports[0])).toBe('NotFound: GET http://far.invalid/item answered 404 Not Found: Not here.')
  })

  test('credentials reach the verifier of their scheme', async () => {
    const me = endpoint('GET /me', { auth: people, response: ok(text) })
    const verify = authenticate(people, ({ username, password }) => `${username} ${password}`)
    const { fetch } = serve({ me }, { me: ({ user }) => user }, { auth: [verify] })
    const auth = [credentials(people, { username: 'Åsa', password: 'a:b💎' })]
    expect(await client({ me }, base, { fetch, auth }).me()).toBe('Åsa a:b💎')
  })
})
