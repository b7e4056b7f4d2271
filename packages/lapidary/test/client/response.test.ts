/** Responses of any form: which of them a call returns, and the errors for the others. */
import { endpoint, ok } from 'lapidary'
import { UnexpectedResponseError } from 'lapidary/client'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clients } from '../support/client/clients.ts'
import { api, base, createResponder, jsonResponse, type Name, typed } from '../support/client/fixedResponse.ts'
import { thrown } from '../support/client/thrownError.ts'

describe.each(clients)('$kind', ({ createClient: client, isLight }) => {
  const respondWith = createResponder({ createClient: client, isLight })

  const counted = (headers: Readonly<Record<string, string>>): Response => typed('text/plain', '', 200, headers)

  describe('a response that the description does not allow', () => {
    test.each(
      (
        [
          ['another success', 'point', jsonResponse({ x: 1 }, 201), 'the API declares 200, 404, 409'],
          ['a success without a body', 'point', new Response(null, { status: 204 }), 'the API declares 200, 404, 409'],
          ['a success in place of nothing', 'nothing', jsonResponse({ x: 1 }), 'the API declares 204'],
          [
            'another type',
            'point',
            typed('text/html; charset=utf-8', '<p>1'),
            'expected the Content-Type application/json, got text/html; charset=utf-8',
          ],
          ['no type', 'point', typed('', '{"x":1}'), 'expected the Content-Type application/json, got none'],
          ['a type that is none', 'point', typed('json', '{"x":1}'), 'expected the Content-Type application/json, got json'],
          [
            'two types',
            'point',
            typed('application/json, text/html', '{"x":1}'),
            'expected the Content-Type application/json, got application/json, text/html',
          ],
          [
            'another charset',
            'word',
            typed('text/plain;charset=ISO-8859-1', 'é'),
            'expected the Content-Type text/plain, got text/plain;charset=ISO-8859-1',
          ],
          [
            'another type of a stream',
            'stream',
            typed('text/csv', '1'),
            'expected the Content-Type application/x-ndjson or application/jsonl, got text/csv',
          ],
          [
            'a stream with the media type of one JSON value',
            'stream',
            typed('application/json', '{"x":1}\n'),
            'expected the Content-Type application/x-ndjson or application/jsonl, got application/json',
          ],
          ['a text that is no UTF-8', 'word', typed('text/plain', Uint8Array.of(0xff)), 'its body: expected UTF-8 text'],
          ['broken JSON', 'point', typed('application/json', '{"x":1'), 'its body: expected JSON (the first error is at character 6)'],
          ['no JSON', 'point', typed('application/json', ''), 'its body: expected JSON'],
          [
            'a number that a 64-bit float cannot hold',
            'point',
            typed('application/json', '{"x":9007199254740993}'),
            'its body: expected a number within the range and precision of a 64-bit float',
          ],
          ['another value', 'point', jsonResponse([1]), 'its body: Invalid input: expected object, received array'],
          ['another member', 'point', jsonResponse({ x: 'one' }), 'its body at /x: Invalid input: expected number, received string'],
          ['a member that is missing', 'point', jsonResponse({}), 'its body at /x: Invalid input: expected number, received undefined'],
          [
            'another item',
            'point',
            jsonResponse({ x: 1, 'a/b~c': ['', 1] }),
            'its body at /a~1b~0c/1: Invalid input: expected string, received number',
          ],
          [
            'a missing header',
            'counted',
            counted({ 'X-Sizes': '1' }),
            'its header X-Count: expected a value, got nothing (across origins, Access-Control-Expose-Headers must name it)',
          ],
          [
            'a malformed header',
            'counted',
            counted({ 'X-Count': '1.5' }),
            'its header X-Count: expected an integer such as 42, within ±9007199254740991',
          ],
          [
            'a header twice',
            'counted',
            counted({ 'X-Count': '1, 2' }),
            'its header X-Count: expected an integer such as 42, within ±9007199254740991',
          ],
          [
            'a malformed element of a header',
            'counted',
            counted({ 'X-Count': '1', 'X-Sizes': '1, two' }),
            'its header X-Sizes: expected an integer such as 42, within ±9007199254740991',
          ],
          [
            'a malformed optional header',
            'counted',
            counted({ 'X-Count': '1', 'X-Day': '2023-02-29' }),
            'its header X-Day: expected a calendar date such as 2024-02-29',
          ],
        ] satisfies [what: string, name: Name, response: Response, flaw: string][]
      ).filter(
        ([what]) =>
          !(
            isLight &&
            [
              'another charset',
              'a text that is no UTF-8',
              'broken JSON',
              'a number that a 64-bit float cannot hold',
              'another value',
              'another member',
              'a member that is missing',
              'another item',
              'a malformed header',
              'a header twice',
              'a malformed element of a header',
              'a malformed optional header',
            ].includes(what)
          ),
      ),
    )('%s', async (_what, name, response, flaw) => {
      const { status, headers } = response
      const error = await thrown(respondWith(name, response))
      expect(error).toBeInstanceOf(UnexpectedResponseError)
      const { method, segments } = api[name]
      const call = `${method} ${base}/${segments.map((segment) => Object.values(segment)).join('/')}`
      expect(error).toMatchObject({
        name: 'UnexpectedResponseError',
        message: `${call} answered ${status}, but not as the API declares: ${flaw}.`,
        status,
        headers,
        detail: flaw,
      })
    })

    test.skipIf(isLight)('the message of a schema can end with a period', async () => {
      const even = z.int().refine((x) => x % 2 === 0, 'An even number, please.')
      const { number } = client({ number: endpoint('GET /', { response: ok(even) }) }, base, { fetch: async () => jsonResponse(1) })
      const sentence = `GET ${base}/ answered 200, but not as the API declares: its body: An even number, please.`
      await expect(number()).rejects.toMatchObject({ message: sentence })
    })

    test('its body is cancelled, so that the connection is released', async () => {
      let isLeft = false
      const body = new ReadableStream({
        cancel: () => {
          isLeft = true
          // Nothing waits for its result.
          return new Promise(() => {})
        },
      })
      const response = new Response(body, { status: 201, headers: { 'Content-Type': 'application/json' } })
      await expect(respondWith('point', response)()).rejects.toThrow(UnexpectedResponseError)
      expect(isLeft).toBe(true)
    })
  })

  describe('a response that the description allows', () => {
    test.each(
      (
        [
          ['with a type in another case', 'point', typed('Application/JSON; Charset="UTF-8"', '{"x":1}'), { x: 1 }],
          ['with undeclared members', 'point', jsonResponse({ x: 1, y: 2 }), { x: 1 }],
          ['with a byte order mark', 'point', typed('application/json', '\ufeff{"x":1}'), { x: 1 }],
          ['with bytes of any charset', 'bytes', typed('application/octet-stream', Uint8Array.of(0, 255)), Uint8Array.of(0, 255)],
          [
            'without a declared body, although bytes arrive',
            'nothing',
            Object.defineProperty(new Response('garbage'), 'status', { value: 204 }),
            undefined,
          ],
          [
            'with its headers',
            'counted',
            counted({ 'x-count': '-1', 'x-sizes': ' 1 ,, 2', 'X-Day': '2024-02-29' }),
            { body: '', headers: { 'X-Count': -1, 'X-Sizes': [1, 2], 'X-Day': '2024-02-29' } },
          ],
          [
            'without optional headers',
            'counted',
            counted({ 'X-Count': '1' }),
            { body: '', headers: { 'X-Count': 1, 'X-Sizes': [], 'X-Day': undefined } },
          ],
        ] satisfies [what: string, name: Name, response: Response, value: unknown][]
      ).filter(([what]) => !(isLight && ['with undeclared members'].includes(what))),
    )('%s', async (_what, name, response, value) => {
      expect(await respondWith(name, response)()).toEqual(value)
    })
  })

  test('bytes from a server in the same process are a copy, since the server may still change its own', async () => {
    const bytes = Uint8Array.of(1, 2, 3)
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(bytes)
        controller.close()
      },
    })
    const got = await respondWith('bytes', new Response(body, { headers: { 'Content-Type': 'application/octet-stream' } }))()
    bytes.fill(0)
    expect(got).toEqual(Uint8Array.of(1, 2, 3))
  })
})
