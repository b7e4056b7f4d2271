/** A `Content-Length` that middleware sets: it equals the length of the body, or the response is not sent. */
import { request } from 'node:http'
import { listen as listenWithLlhttp } from '@lapidary/llhttp'
import { listen as listenOnNode } from 'lapidary/node'
import { fromFetch, type HttpHandler, type HttpResponse, toFetch } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listenOnNodeWith } from '../../src/adapters/node/listen.ts'
import { exchange } from '../support/matrix/adapters.ts'

interface Got {
  readonly status: number
  /** Whether the answer ended before it was whole. */
  readonly isCut?: boolean
  readonly lengths: readonly string[]
  readonly body: string
}

type Send = (method: string) => Promise<Got>

/** Two requests on one connection: the second response shows whether the first one ended where its Content-Length says. */
const overSocket =
  (
    listen: (
      handler: HttpHandler,
      options: { onError: (error: unknown) => void },
    ) => Promise<{ port: number; close: (times: object) => Promise<void> }>,
  ) =>
  async (handler: HttpHandler, report: (error: unknown) => void): Promise<Send> => {
    const { port, close } = await listen(handler, { onError: report })
    onTestFinished(() => close({ drain: 0 }))
    return (method) =>
      new Promise((resolve, reject) => {
        const sent = request({ port, host: '127.0.0.1', method, timeout: 5_000 }, (message) => {
          let body = ''
          message.setEncoding('utf8').on('data', (piece: string) => {
            body += piece
          })
          const lengths = message.rawHeaders.filter((_, index, all) => index % 2 === 1 && /^content-length$/i.test(all[index - 1] ?? ''))
          const got = { status: message.statusCode ?? 0, lengths }
          message.once('error', () => resolve({ ...got, body, isCut: true }))
          message.once('end', () => resolve({ ...got, body }))
        })
        sent.once('timeout', () => sent.destroy(new Error('no answer in five seconds')))
        sent.once('error', reject).end()
      })
  }

const adapters: Readonly<Record<string, (handler: HttpHandler, report: (error: unknown) => void) => Promise<Send>>> = {
  node: overSocket(listenOnNode),
  'node, by its documented API': overSocket((handler, options) => listenOnNodeWith(handler, { ...options, port: 0 }, false)),
  llhttp: overSocket(listenWithLlhttp),
  fetch: async (handler, report) => async (method) => {
    const response = await toFetch(handler, { onError: report })(new Request('http://test.invalid/', { method }))
    const length = response.headers.get('content-length')
    const got = { status: response.status, lengths: length === null ? [] : [length] }
    try {
      return { ...got, body: await response.text() }
    } catch {
      return { ...got, body: '', isCut: true }
    }
  },
}

const bodies: Readonly<Record<string, HttpResponse['body']>> = {
  'a text': 'hello',
  'a text beyond ASCII': 'héll',
  'an empty text': '',
  bytes: new Uint8Array([104, 101, 108, 108, 111]),
  'no body': null,
}
const lengthOf = (body: HttpResponse['body']): number => (body === null ? 0 : Buffer.byteLength(body as string | Uint8Array))

describe.each(Object.entries(adapters))('%s', (_name, adapt) => {
  describe.each(Object.entries(bodies))('%s', (_what, body) => {
    const length = lengthOf(body)

    test.each([
      ['a length that is 7 too large', 'Content-Length', `${length + 7}`],
      ['a length that differs by 1', 'content-length', `${length === 0 ? 1 : length - 1}`],
      ['a number with a sign', 'Content-Length', `+${length}`],
      ['an empty value', 'Content-Length', ''],
      ['a Transfer-Encoding as well', 'Transfer-Encoding', 'chunked'],
    ])('with %s it is rejected and reported, and the connection goes on', async (_flaw, name, value) => {
      const reported: unknown[] = []
      let isWrong = true
      const send = await adapt(
        () => ({ status: 200, headers: isWrong ? ['X-A', 'b', name, value] : ['X-A', 'b'], body }),
        (error) => reported.push(error),
      )
      expect(await send('GET')).toMatchObject({ status: 500, body: expect.stringContaining('"status":500') })
      expect(reported).toEqual([
        expect.objectContaining({ message: expect.stringMatching(/^The response has (Content-Length|a Transfer-Encoding)/) }),
      ])
      isWrong = false
      expect(await send('GET')).toMatchObject({ status: 200, lengths: [`${length}`] })
    })

    test('with the right length it is sent, with one Content-Length', async () => {
      const reported: unknown[] = []
      const send = await adapt(
        () => ({ status: 200, headers: ['CONTENT-Length', `${length}`], body }),
        (error) => reported.push(error),
      )
      const got = await send('GET')
      expect(got).toMatchObject({ status: 200, lengths: [`${length}`] })
      expect(Buffer.byteLength(got.body)).toBe(length)
      expect(reported).toEqual([])
    })
  })

  test.each([
    ['more bytes than', ['héll', new Uint8Array(3)], 6, true],
    ['fewer bytes than', ['héll'], 7, true],
    ['as many bytes as', ['hé', '', new Uint8Array(2)], 5, false],
    ['no bytes, as', [], 0, false],
  ])('a stream with %s its Content-Length says', async (_what, pieces, stated, isCut) => {
    const reported: unknown[] = []
    let ended = 0
    async function* made(): AsyncGenerator<string | Uint8Array> {
      try {
        yield* pieces
      } finally {
        ended += 1
      }
    }
    const send = await adapt(
      () => ({ status: 200, headers: ['Content-Length', `${stated}`], body: made() }),
      (error) => reported.push(error),
    )
    const got = await send('GET')
    expect(got).toMatchObject({ status: 200, lengths: [`${stated}`] })
    expect(got.isCut ?? false).toBe(isCut)
    expect(Buffer.byteLength(got.body)).toBeLessThanOrEqual(stated)
    expect(reported).toEqual(isCut ? [expect.objectContaining({ message: expect.stringMatching(/^The response has Content-Length/) })] : [])
    expect(ended).toBe(1)
    // HEAD says the same, and asks for none of it.
    expect(await send('HEAD')).toEqual({ status: 200, lengths: [`${stated}`], body: '' })
  })

  test.each([
    ['another coding', ['Transfer-Encoding', 'gzip']],
    ['a length and a coding', ['Transfer-Encoding', 'chunked', 'Content-Length', '2']],
  ])('a stream with %s is rejected', async (_what, headers) => {
    const reported: unknown[] = []
    async function* made(): AsyncGenerator<string> {
      yield 'hi'
    }
    const send = await adapt(
      () => ({ status: 200, headers, body: made() }),
      (error) => reported.push(error),
    )
    expect((await send('GET')).status).toBe(500)
    expect(reported).toEqual([expect.objectContaining({ message: expect.stringMatching(/^The response has a Transfer-Encoding/) })])
  })

  test('two equal lengths are rejected', async () => {
    const reported: unknown[] = []
    const send = await adapt(
      () => ({ status: 200, headers: ['Content-Length', '5', 'Content-Length', '5'], body: 'hello' }),
      (error) => reported.push(error),
    )
    expect((await send('GET')).status).toBe(500)
    expect(reported).toHaveLength(1)
  })

  test.each([
    ['another length', 'Content-Length', '5'],
    ['a coding', 'Transfer-Encoding', 'chunked'],
  ])('a 205, whose head says that it has no body, cannot have %s', async (_what, name, value) => {
    const reported: unknown[] = []
    let headers: readonly string[] = [name, value]
    const send = await adapt(
      () => ({ status: 205, headers, body: null }),
      (error) => reported.push(error),
    )
    expect((await send('GET')).status).toBe(500)
    expect(reported).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^The response has (Content-Length|a Transfer-)/) }),
    ])
    headers = ['Content-Length', '0']
    expect(await send('GET')).toEqual({ status: 205, lengths: ['0'], body: '' })
  })

  async function* made(piece: string): AsyncGenerator<string> {
    yield piece
  }
  test.each<[what: string, method: string, status: number, headers: readonly string[], body?: HttpResponse['body']]>([
    ['a coding of a 204', 'GET', 204, ['Transfer-Encoding', 'chunked']],
    ['a coding of a 304', 'GET', 304, ['ETag', '"a"', 'transfer-encoding', 'chunked']],
    ['a coding of a 204 in response to HEAD', 'HEAD', 204, ['Transfer-Encoding', 'chunked']],
    ['a coding in response to HEAD', 'HEAD', 200, ['Transfer-Encoding', 'chunked']],
    ['another coding of a stream in response to HEAD', 'HEAD', 200, ['Transfer-Encoding', 'gzip'], made('a')],
    ['a coding of a stream that a 204 has not', 'GET', 204, ['Transfer-Encoding', 'chunked'], made('a')],
    ['a length of a 204', 'GET', 204, ['Content-Length', '0']],
    ['a length of a 304 that is none', 'GET', 304, ['Content-Length', 'x']],
  ])('%s is rejected and reported, and the connection goes on', async (_what, method, status, headers, body = null) => {
    const reported: unknown[] = []
    let isWrong = true
    const send = await adapt(
      () => (isWrong ? { status, headers, body } : { status: 200, headers: [], body: 'hello' }),
      (error) => reported.push(error),
    )
    expect(await send(method)).toMatchObject({ status: 500 })
    expect(reported).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^The response has (Content-Length|a Transfer-Encoding)/) }),
    ])
    isWrong = false
    expect(await send('GET')).toEqual({ status: 200, lengths: ['5'], body: 'hello' })
  })

  test('the stream of a response to HEAD may be chunked, as that to GET is', async () => {
    const reported: unknown[] = []
    const send = await adapt(
      () => ({ status: 200, headers: ['Transfer-Encoding', 'chunked'], body: made('hello') }),
      (error) => reported.push(error),
    )
    expect(await send('HEAD')).toEqual({ status: 200, lengths: [], body: '' })
    expect(await send('GET')).toEqual({ status: 200, lengths: [], body: 'hello' })
    expect(reported).toEqual([])
  })

  test('a mounted fetch handler may return the framing of the connection that its response came over', async () => {
    const reported: unknown[] = []
    let status = 204
    let headers: Record<string, string> = { 'Content-Length': '0' }
    const send = await adapt(
      fromFetch(() => new Response(status === 200 ? 'hello' : null, { status, headers })),
      (error) => reported.push(error),
    )
    expect(await send('GET')).toEqual({ status: 204, lengths: [], body: '' })
    headers = { 'Transfer-Encoding': 'chunked' }
    for (status of [204, 304, 205]) expect(await send('GET')).toMatchObject({ status, body: '' })
    status = 200
    expect(await send('HEAD')).toMatchObject({ status, body: '' })
    expect(await send('GET')).toMatchObject({ status, body: 'hello' })
    expect(reported).toEqual([])
  })

  test('the responses to HEAD and 304 can have the length of GET', async () => {
    const reported: unknown[] = []
    let status = 200
    const send = await adapt(
      () => ({ status, headers: ['Content-Length', '12'], body: null }),
      (error) => reported.push(error),
    )
    expect(await send('HEAD')).toEqual({ status: 200, lengths: ['12'], body: '' })
    status = 304
    expect(await send('GET')).toEqual({ status: 304, lengths: ['12'], body: '' })
    expect(reported).toEqual([])
  })
})

describe.each<[name: string, listen: Parameters<typeof overSocket>[0]]>([
  ['node', listenOnNode],
  ['node, by its documented API', (handler, options) => listenOnNodeWith(handler, { ...options, port: 0 }, false)],
  ['llhttp', listenWithLlhttp],
])('a stream for HTTP/1.0, which has no chunks, ends with the connection: %s', (_name, listen) => {
  test.each<[what: string, headers: readonly string[], ...lines: string[]]>([
    ['without a coding', []],
    ['whose headers say chunked', ['Transfer-Encoding', 'chunked']],
    ['whose headers say CHUNKED, on a connection that would stay', ['transfer-encoding', 'CHUNKED'], 'Connection: keep-alive'],
    ['for a client that names chunks', [], 'TE: chunked'],
    ['for a client that names chunks on a connection that would stay', [], 'TE: chunked', 'Connection: keep-alive, TE'],
  ])('%s', async (_what, headers, ...lines) => {
    const reported: unknown[] = []
    async function* produce(): AsyncGenerator<string> {
      yield 'one'
      yield 'two'
    }
    const { port, close } = await listen(() => ({ status: 200, headers: ['X-A', 'b', ...headers], body: produce() }), {
      onError: (error) => reported.push(error),
    })
    onTestFinished(() => close({ drain: 0 }))
    const send = (method: string): Promise<string> => exchange({ port }, [`${method} / HTTP/1.0`, ...lines, '', ''].join('\r\n'))
    const [head, body] = (await send('GET')).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\nX-A: b\r\n/)
    expect(head).toMatch(/^Connection: close$/m)
    expect(head).not.toMatch(/transfer-encoding/i)
    expect(body).toBe('onetwo')
    expect(await send('HEAD')).not.toMatch(/transfer-encoding/i)
    expect(reported).toEqual([])
  })
})
