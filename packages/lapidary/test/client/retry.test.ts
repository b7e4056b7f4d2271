/** Calls of idempotent endpoints: the key that they have, and when they are sent again. */
import { bytes, endpoint, errors, noContent, ok, reply, text } from 'lapidary'
import { type CallOptions, type ClientOptions, ConnectionError } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clients } from '../support/client/clients.ts'

describe.each(clients)('$kind', ({ createClient: client }) => {
  const api = {
    pay: endpoint('POST /pay', { body: text, response: ok(text), errors: [reply(409, text)], idempotent: 'required' }),
    upload: endpoint('POST /upload', { body: bytes, response: noContent, idempotent: 'optional' }),
    plain: endpoint('POST /plain', { body: text, response: ok(text) }),
  }

  type Outcome = Response | Error
  const createResponse = (status: number, headers: Readonly<Record<string, string>> = {}): Response =>
    new Response('x', { status, headers: { 'Content-Type': 'text/plain', ...headers } })
  const paid = (): Response => createResponse(200)
  const lost = (): Error => new TypeError('fetch failed')
  /** A response whose body breaks off. */
  const cutOff = (): Response =>
    new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) }), {
      headers: { 'Content-Type': 'text/plain' },
    })

  /** Calls an endpoint, whose requests get these outcomes in turn. */
  async function callWith(
    outcomes: readonly Outcome[],
    { name = 'pay', ...options }: CallOptions & { name?: keyof typeof api } = {},
    own: ClientOptions = {},
  ) {
    const sent: { readonly key: string | null; readonly body: string; readonly at: number }[] = []
    const calls = client(api, 'http://test.invalid', {
      ...own,
      fetch: async (request) => {
        const outcome = outcomes[sent.length]
        sent.push({ key: request.headers.get('idempotency-key'), body: await request.text(), at: Date.now() })
        if (outcome instanceof Response) return outcome
        throw outcome
      },
    })
    const result: Promise<unknown> = (
      name === 'upload' ? calls.upload({ body: Uint8Array.of(1) }, options) : calls[name]({ body: 'ruby' }, options)
    ).catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    return { result: await result, sent, pauses: sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0)) }
  }

  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-23T12:00:00Z') })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('each call has a key of its own, in quotation marks', async () => {
    const [one, other] = [await callWith([paid()]), await callWith([paid()])]
    expect(one.sent[0]?.key).toMatch(/^"[0-9a-f]{32}"$/)
    expect(other.sent[0]?.key).not.toBe(one.sent[0]?.key)
  })

  test('the caller can give the key', async () => {
    const { sent } = await callWith([paid()], { idempotencyKey: 'the "best" \\ key' })
    expect(sent[0]?.key).toBe('"the \\"best\\" \\\\ key"')
  })

  test.each(['', 'a\nb', 'caf\u00e9', 'k'.repeat(201)])(
    'a key that no server reads is a TypeError, and nothing is sent: %j',
    async (idempotencyKey) => {
      const { result, sent } = await callWith([], { idempotencyKey })
      expect(result).toEqual(new TypeError('POST /pay: an idempotencyKey is 1 to 200 printable ASCII characters. Give a UUID, or none.'))
      expect(sent).toEqual([])
    },
  )

  test.each<[what: string, outcome: () => Outcome]>([
    ['a connection that failed', lost],
    ['a response that was cut off', cutOff],
    ['503', () => createResponse(503)],
    ['503 with Retry-After', () => createResponse(503, { 'Retry-After': '1' })],
    ['429 with Retry-After', () => createResponse(429, { 'Retry-After': '1' })],
    ['409 with Retry-After, while the first request is processed', () => createResponse(409, { 'Retry-After': '1' })],
  ])('the same request is sent again, with the same key: %s', async (_what, outcome) => {
    const { result, sent } = await callWith([outcome(), outcome(), paid()])
    expect(result).toBe('x')
    expect(sent.map(({ body }) => body)).toEqual(['ruby', 'ruby', 'ruby'])
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  })

  test.each<[what: string, status: number]>([
    ['a response of the handler', 409],
    ['another key', 422],
    ['an error of the server', 500],
    ['a wrong request', 400],
    ['too many requests', 429],
  ])('nothing is sent again after %s', async (_what, status) => {
    const { result, sent } = await callWith([createResponse(status), paid()])
    expect(result).toMatchObject({ status })
    expect(sent).toHaveLength(1)
  })

  test('it is sent three times at most, and the last error is thrown', async () => {
    const { result, sent } = await callWith([lost(), lost(), createResponse(503), paid()])
    expect(result).toMatchObject({ status: 503 })
    expect(sent).toHaveLength(3)
  })

  test.each<[retries: number, options: CallOptions, own: ClientOptions]>([
    [0, { retries: 0 }, {}],
    [0, {}, { retries: 0 }],
    [4, { retries: 4 }, { retries: 0 }],
    [4, {}, { retries: 4 }],
  ])('retries of a call win over those of the client: %i', async (retries, options, own) => {
    const { result, sent } = await callWith(Array.from({ length: 10 }, lost), options, own)
    expect(result).toBeInstanceOf(ConnectionError)
    expect(sent).toHaveLength(1 + retries)
  })

  test('an endpoint that is not idempotent has no key, and is called once', async () => {
    const { result, sent } = await callWith([lost(), paid()], { name: 'plain', retries: 5 })
    expect(result).toBeInstanceOf(ConnectionError)
    expect(sent).toEqual([expect.objectContaining({ key: null })])
  })

  test('a body of bytes is sent again whole', async () => {
    const { sent } = await callWith([lost(), new Response(null, { status: 204 })], { name: 'upload' })
    expect(sent.map(({ body }) => body)).toEqual(['\u0001', '\u0001'])
  })

  describe('the pause', () => {
    test('doubles, and a part of it is random', async () => {
      const { pauses } = await callWith([lost(), lost(), lost(), paid()], { retries: 3 })
      for (const [index, longest] of [200, 400, 800].entries()) {
        expect(pauses[index]).toBeGreaterThanOrEqual(longest / 2 - 1)
        expect(pauses[index]).toBeLessThanOrEqual(longest)
      }
    })

    test.each<[text: string, pause: number]>([
      ['5', 5_000],
      ['Mon, 23 Nov 2026 12:00:07 GMT', 7_000],
      ['30', 30_000],
    ])('is that of Retry-After: %s', async (after, pause) => {
      const { pauses } = await callWith([createResponse(503, { 'Retry-After': after }), paid()])
      expect(pauses).toEqual([pause])
    })

    test.each(['0', '-5', 'soon', 'Mon, 23 Nov 2020 12:00:07 GMT', 'Tue, 31 Nov 2026 12:00:07 GMT'])(
      'has its shortest length after Retry-After: %s',
      async (after) => {
        const { pauses } = await callWith([createResponse(503, { 'Retry-After': after }), paid()])
        expect(pauses[0]).toBeGreaterThanOrEqual(99)
        expect(pauses[0]).toBeLessThanOrEqual(200)
      },
    )

    test('of more than 30 seconds is left to the caller', async () => {
      const { result, sent } = await callWith([createResponse(503, { 'Retry-After': '31' }), paid()])
      expect(result).toMatchObject({ status: 503 })
      expect(sent).toHaveLength(1)
    })

    test('ends with the time limit of the call, and with its signal', async () => {
      const slow = () => createResponse(503, { 'Retry-After': '20' })
      expect((await callWith([slow(), paid()], { timeout: 1_000 })).result).toMatchObject({ name: 'TimeoutError' })
      const { result, sent } = await callWith([slow(), paid()], { signal: AbortSignal.abort(new Error('enough')) })
      expect([result, sent.length]).toEqual([new Error('enough'), 0])
      const leaving = new AbortController()
      setTimeout(() => leaving.abort(new Error('left')), 1_000)
      const left = await callWith([slow(), paid()], { signal: leaving.signal })
      expect([left.result, left.sent.length]).toEqual([new Error('left'), 1])
    })
  })

  test('a response that is lost on the way has one effect', async () => {
    vi.useRealTimers()
    let effects = 0
    const server = serve(api, {
      pay: ({ body }) => {
        effects += 1
        if (body === 'glass') throw errors.conflict({ body: 'no glass' })
        return `paid ${body}`
      },
      upload: () => {},
      plain: () => '',
    })
    let requests = 0
    const { pay } = client(api, 'http://test.invalid', {
      fetch: async (request) => {
        requests += 1
        const response = await server.fetch(request)
        return requests % 2 === 1 ? Promise.reject(new TypeError('fetch failed')) : response
      },
    })
    expect(await pay({ body: 'ruby' })).toBe('paid ruby')
    await expect(pay({ body: 'glass' })).rejects.toMatchObject({ status: 409, body: 'no glass' })
    expect([requests, effects]).toEqual([4, 2])
  })
})
