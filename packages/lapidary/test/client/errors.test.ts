/** Error responses as the errors that a call throws. */
import { array, endpoint, errors, HttpError, int, isHttpError, noContent, optional, reply, text } from 'lapidary'
import { describe, expect, test } from 'vitest'
import { clients } from '../support/client/clients.ts'
import { api, base, createResponder, jsonResponse, typed } from '../support/client/fixedResponse.ts'
import { thrown } from '../support/client/thrownError.ts'

describe.each(clients)('$kind', ({ createClient: client, isDeclared: isDeclaredError, isLight }) => {
  const respondWith = createResponder({ createClient: client, isLight })

  const problem = (body: unknown, status = 404): Response => typed('application/problem+json', JSON.stringify(body), status)

  /** The expected parts of an error. */
  interface ExpectedError {
    readonly message: string
    readonly body?: unknown
    readonly detail?: string
    readonly errors?: readonly unknown[]
    readonly problem?: unknown
    readonly isDeclared?: boolean
  }

  const flaw = { in: 'query', name: 'limit', detail: 'expected an integer' }

  describe('a response that is not a success', () => {
    test.each(
      (
        [
          [
            'problem details',
            problem(
              { type: 'https://example.org/full', title: 'Full', status: 507, detail: 'No room.', instance: '/1', errors: [flaw], left: 3 },
              507,
            ),
            {
              message: 'answered 507 Insufficient Storage: No room.',
              detail: 'No room.',
              errors: [flaw],
              problem: {
                type: 'https://example.org/full',
                title: 'Full',
                status: 507,
                detail: 'No room.',
                instance: '/1',
                errors: [flaw],
                left: 3,
              },
            },
          ],
          [
            'problem details whose members have wrong types',
            problem(
              {
                type: 1,
                title: null,
                status: '200',
                detail: {},
                instance: [],
                requestId: 7,
                errors: [flaw, null, 'no', {}, { in: 'body' }, { in: 1, detail: '' }, { ...flaw, name: 1 }, { ...flaw, pointer: null }],
                left: 3,
              },
              400,
            ),
            {
              message: 'answered 400 Bad Request',
              errors: [flaw],
              problem: { type: 'about:blank', title: 'Bad Request', status: 400, errors: [flaw], left: 3 },
            },
          ],
          [
            'empty problem details',
            problem({}, 500),
            {
              message: 'answered 500 Internal Server Error',
              problem: { type: 'about:blank', title: 'Internal Server Error', status: 500 },
            },
          ],
          ['problem details that are none', problem(null, 500), { message: 'answered 500 Internal Server Error', body: null }],
          [
            'problem details that are not JSON',
            typed('application/problem+json', '{', 500),
            { message: 'answered 500 Internal Server Error', body: '{' },
          ],
          ['a text', typed('text/plain', 'Sorry.', 503), { message: 'answered 503 Service Unavailable', body: 'Sorry.' }],
          ['HTML', typed('text/html', '<h1>Bad Gateway</h1>', 502), { message: 'answered 502 Bad Gateway', body: '<h1>Bad Gateway</h1>' }],
          ['JSON', jsonResponse({ error: 1 }, 422), { message: 'answered 422 Unprocessable Content', body: { error: 1 } }],
          ['JSON of a kind', typed('application/vnd.api+json', '[1]', 401), { message: 'answered 401 Unauthorized', body: [1] }],
          ['JSON in a text', typed('text/json', '[1]', 401), { message: 'answered 401 Unauthorized', body: [1] }],
          ['an image that is named json', typed('image/json', '[1]', 401), { message: 'answered 401 Unauthorized', body: '[1]' }],
          ['broken JSON', typed('application/json', '[1', 500), { message: 'answered 500 Internal Server Error', body: '[1' }],
          ['nothing', new Response(null, { status: 418 }), { message: "answered 418 I'm a Teapot" }],
          ['no type', typed('', 'a', 500), { message: 'answered 500 Internal Server Error', body: Uint8Array.of(97) }],
          [
            'another charset',
            typed('text/plain; charset=latin1', 'a', 500),
            { message: 'answered 500 Internal Server Error', body: Uint8Array.of(97) },
          ],
          [
            'bytes that are not UTF-8',
            typed('text/plain', Uint8Array.of(255), 500),
            { message: 'answered 500 Internal Server Error', body: Uint8Array.of(255) },
          ],
          [
            'a reason phrase of the server',
            new Response(null, { status: 404, statusText: 'Gone Fishing' }),
            { message: 'answered 404 Gone Fishing', isDeclared: true },
          ],
          ['an unregistered status', new Response(null, { status: 499 }), { message: 'answered 499 Status 499' }],
          ['a redirection that was not followed', new Response(null, { status: 301 }), { message: 'answered 301 Moved Permanently' }],
          [
            'a declared status with problem details',
            problem({ detail: 'No point.' }),
            {
              message: 'answered 404 Not Found: No point.',
              detail: 'No point.',
              problem: { type: 'about:blank', title: 'Not Found', status: 404, detail: 'No point.' },
              isDeclared: true,
            },
          ],
          [
            'a declared status without a body',
            new Response(null, { status: 404 }),
            { message: 'answered 404 Not Found', isDeclared: true },
          ],
          ['a declared status with another body', typed('text/html', '<p>', 404), { message: 'answered 404 Not Found', body: '<p>' }],
          [
            'the first of two declared bodies',
            jsonResponse({ x: 1, y: 2 }, 409),
            { message: 'answered 409 Conflict', body: { x: 1 }, isDeclared: true },
          ],
          [
            'the second of two declared bodies',
            typed('text/plain', '{}', 409),
            { message: 'answered 409 Conflict', body: '{}', isDeclared: true },
          ],
          ['a declared type with another value', jsonResponse({ x: '1' }, 409), { message: 'answered 409 Conflict', body: { x: '1' } }],
          [
            'a declared type with another charset',
            typed('text/plain; charset=utf-16', 'a', 409),
            { message: 'answered 409 Conflict', body: Uint8Array.of(97) },
          ],
          [
            'problem details in place of a declared body',
            problem({ detail: 'Taken.' }, 409),
            {
              message: 'answered 409 Conflict: Taken.',
              detail: 'Taken.',
              problem: { type: 'about:blank', title: 'Conflict', status: 409, detail: 'Taken.' },
            },
          ],
        ] as [what: string, response: Response, expected: ExpectedError][]
      ).filter(
        ([what]) =>
          !(
            isLight &&
            [
              'problem details whose members have wrong types',
              'problem details that are none',
              'problem details that are not JSON',
              'an image that is named json',
              'no type',
              'another charset',
              'bytes that are not UTF-8',
              'the first of two declared bodies',
              'a declared type with another value',
              'a declared type with another charset',
            ].includes(what)
          ),
      ),
    )('%s', async (_what, response, { message, body, detail, errors, problem: receivedProblem, isDeclared = false }) => {
      const { status } = response
      const error = await thrown(respondWith('point', response))
      if (!isHttpError(error)) throw error
      expect({ ...error, message: error.message }).toEqual({
        name: isLight ? 'HttpError' : new HttpError(status).name,
        message: `GET ${base}/point ${message}`,
        status,
        reason: expect.any(String),
        body,
        detail,
        errors,
        headers: Object.fromEntries(response.headers),
        received: { route: 'GET /point', url: `${base}/point`, problem: receivedProblem },
      })
      expect(isDeclaredError(api.point, error)).toBe(isDeclared)
      // What one endpoint declares is nothing to another.
      expect(isDeclaredError(api.word, error)).toBe(false)
    })

    test.skipIf(isLight)('has one cookie as a text, and several as a list', async () => {
      const headersWith = async (...cookies: readonly string[]): Promise<unknown> => {
        const headers = new Headers(cookies.map((cookie) => ['Set-Cookie', cookie]))
        return thrown(respondWith('point', new Response(null, { status: 404, headers })))
      }
      expect(await headersWith('a=1')).toMatchObject({ headers: { 'set-cookie': 'a=1' } })
      expect(await headersWith('a=1', 'b=2')).toMatchObject({ headers: { 'set-cookie': ['a=1', 'b=2'] } })
    })

    test('isHttpError recognizes each status', async () => {
      await expect(respondWith('point', jsonResponse(1, 404))()).rejects.toSatisfy((error) => isHttpError(error, 404))
      await expect(respondWith('point', jsonResponse(1, 409))()).rejects.toSatisfy((error) => isHttpError(error, 409))
      await expect(respondWith('point', jsonResponse(1, 404))()).rejects.not.toSatisfy((error) => isHttpError(error, 409))
    })

    test('a success that is declared as an error is thrown as one', async () => {
      const error = await thrown(respondWith('odd', typed('text/plain', 'Later.', 202)))
      expect(isDeclaredError(api.odd, error) && error.status === 202 && error.body).toBe('Later.')
    })

    test('isDeclaredError recognizes only errors that a client received', () => {
      for (const error of [undefined, null, 404, {}, new Error('404'), errors.notFound()])
        expect(isDeclaredError(api.point, error)).toBe(false)
    })
  })

  describe('a declared error with declared headers', () => {
    const headers = { 'Retry-After': int, 'X-Tags': array(text), 'X-Left': optional(int) }
    const slow = { one: endpoint('GET /one', { response: noContent, errors: [reply(429, undefined, { headers }), reply(429, text)] }) }
    const fail = (given: Record<string, string>, body: string | null = null) =>
      thrown(() => client(slow, base, { fetch: async () => new Response(body, { status: 429, headers: given }) }).one())

    test('has their values by the declared names, beside the texts of all headers', async () => {
      const error = await fail({ 'Retry-After': '60', 'X-Tags': 'a, b', 'X-Other': '1' })
      if (!isDeclaredError(slow.one, error)) throw error
      expect(error.headers).toEqual({
        'Retry-After': 60,
        'X-Tags': ['a', 'b'],
        'X-Left': undefined,
        'retry-after': '60',
        'x-tags': 'a, b',
        'x-other': '1',
      })
    })

    test.each(
      (
        [
          ['a value of another form', { 'Retry-After': 'soon', 'X-Tags': 'a' }],
          ['no value', { 'X-Tags': 'a' }],
        ] satisfies [what: string, given: Record<string, string>][]
      ).filter(([what]) => !(isLight && ['a value of another form'].includes(what))),
    )('is not declared where a header has %s', async (_what, given) => {
      const error = await fail(given)
      expect([isDeclaredError(slow.one, error), isHttpError(error, 429)]).toEqual([false, true])
      expect((error as HttpError).headers).toEqual(Object.fromEntries(new Headers(given)))
    })

    test('is the next one of its status that fits', async () => {
      const error = await fail({ 'Retry-After': 'soon', 'Content-Type': 'text/plain' }, 'Later.')
      expect([isDeclaredError(slow.one, error), (error as HttpError).body]).toEqual([true, 'Later.'])
    })
  })
})
