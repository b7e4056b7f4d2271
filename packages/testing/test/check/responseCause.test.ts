/** Responses of failing servers: what says the same is one fault, apart from what belongs to one request, and what says something else is another. */
import { checkServer, type RuleFailure } from '@lapidary/testing'
import { type Api, endpoint, file, multipart, noContent, ok, oneOf, optional, text } from 'lapidary'
import { listen } from 'lapidary/node'
import type { HttpHandler, HttpRequest, HttpResponse } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { groupFailures } from '../../src/check/faults.ts'
import { formatResponseCause } from '../../src/check/responseCause.ts'

async function check(api: Api, server: HttpHandler, options: Parameters<typeof checkServer>[2] = {}): Promise<readonly RuleFailure[]> {
  const { url, close } = await listen(server, { onError: () => {} })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { failures } = await checkServer(api, url, { requests: 2_000, seconds: 120, seed: 1, ...options })
  return failures
}

const json = (status: number, value: unknown): HttpResponse => ({
  status,
  headers: ['Content-Type', 'application/json'],
  body: JSON.stringify(value),
})
const fails = (value: unknown): HttpResponse => json(500, value)
const only500 = (failures: readonly RuleFailure[]): readonly RuleFailure[] => failures.filter(({ rule }) => rule === 'no-server-error')

const Thing = z.looseObject({})
const plain = (names: readonly string[]): Api =>
  Object.fromEntries(names.map((name) => [name, endpoint(`GET /${name}`, { response: ok(Thing) })]))

test('different errors at two endpoints are two faults', async () => {
  const trace = (error: string): string =>
    `Traceback (most recent call last):\n${'  File "/app/flask/app.py", line 25, in run\n'.repeat(9)}${error}\n`
  const bodies: Readonly<Record<string, string>> = {
    '/a': JSON.stringify({ error: 'NullPointerException in Stones.find' }),
    '/b': JSON.stringify({ error: 'relation "keepers" does not exist' }),
    '/c': trace('ZeroDivisionError: division by zero'),
    '/d': trace("KeyError: 'missing'"),
  }
  const failures = only500(
    await check(plain(['a', 'b', 'c', 'd']), ({ target }) => ({
      status: 500,
      headers: [],
      body: bodies[target.slice(0, 2)] ?? '',
    })),
  )
  expect(failures).toHaveLength(4)
  expect(groupFailures(failures)).toHaveLength(4)
})

test('one error at forty endpoints is one fault, with other paths, times, numbers and identifiers in each response', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `stones${index}`)
  let count = 0
  const server: HttpHandler = ({ target }: HttpRequest) => {
    count += 1
    return fails({
      timestamp: new Date(count * 1e9).toISOString(),
      status: 500,
      error: 'Internal Server Error',
      message: `Cannot read properties of undefined (object 0x${(count * 7_919).toString(16)}, after ${count} ms)`,
      path: target,
      traceId: `00-${crypto.randomUUID().replaceAll('-', '')}-${crypto.randomUUID().slice(-12)}-00`,
      requestId: `req_${Buffer.from(crypto.getRandomValues(new Uint8Array(9))).toString('base64url')}`,
    })
  }
  const failures = only500(await check(plain(names), server, { requests: 4_000 }))
  expect(failures).toHaveLength(40)
  expect(groupFailures(failures)).toHaveLength(1)
})

test('two errors at one endpoint are two failures, and neither hides the other', async () => {
  const api = { stones: endpoint('GET /stones', { query: { kind: optional(oneOf('none', 'alpha', 'beta')) }, response: ok(Thing) }) }
  const server: HttpHandler = ({ target }) => {
    const kind = new URLSearchParams(target.split('?')[1]).get('kind')
    if (kind === 'alpha') return fails('alpha: table gone')
    return kind === 'beta' ? fails('beta: null pointer') : json(200, {})
  }
  const failures = only500(await check(api, server, { lenient: true }))
  expect(failures.map(({ response }) => response?.split('\n').at(-1)).sort()).toEqual(['"alpha: table gone"', '"beta: null pointer"'])
  expect(new Set(failures.map(({ cause }) => cause)).size).toBe(2)
})

test('an error that repeats what the request has is one failure', async () => {
  const api = { stones: endpoint('GET /stones', { query: { name: optional(text) }, response: ok(Thing) }) }
  const server: HttpHandler = ({ target }) => {
    const name = new URLSearchParams(target.split('?')[1]).get('name')
    return name === null ? json(200, {}) : fails({ error: `invalid input syntax for type uuid: "${name}"` })
  }
  expect(only500(await check(api, server))).toMatchObject([{ more: 0 }])
})

test('each part of a form that is not required by the server is a failure of its own', async () => {
  const api = { upload: endpoint('POST /upload', { body: multipart({ front: file(), back: file() }), response: noContent }) }
  const server: HttpHandler = (request) => {
    const isForm = request.header('content-type')?.startsWith('multipart/') === true
    return { status: isForm ? 204 : 415, headers: [], body: null }
  }
  const failures = await check(api, server, { write: true, lenient: true })
  expect(failures.filter(({ rule }) => rule === 'form').map(({ violation }) => violation)).toEqual([
    'there is no part "front": expected 400, got 204',
    '"front" has 2 files: expected 400, got 204',
    'there is no part "back": expected 400, got 204',
    '"back" has 2 files: expected 400, got 204',
  ])
})

test('members whose names are numbers are places of their own', async () => {
  const body = z.object({ 2024: z.int(), 2025: z.int() })
  const api = { years: endpoint('POST /years', { body, response: noContent }) }
  const server: HttpHandler = async (sent) => {
    try {
      const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await sent.body(1_000_000)))
      return { status: typeof value === 'object' && value !== null && !Array.isArray(value) ? 204 : 400, headers: [], body: null }
    } catch {
      return { status: 400, headers: [], body: null }
    }
  }
  const found = (await check(api, server, { write: true, lenient: true })).filter(({ rule }) => rule === 'request-body')
  expect(found[1]?.violation).toBe('the body has a fault at "/2024" (left out): expected 400, got 204')
  // The empty object. For each year: left out, null, another type, too small, too large, no integer, and a string.
  expect(found.length + found.reduce((sum, { more }) => sum + more, 0)).toBe(15)
})

const request = (target: string, body?: unknown) => ({
  method: 'POST',
  target,
  headers: [],
  body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
})
const cause = (body: string, target = '/stones', sent?: unknown): string => formatResponseCause(request(target, sent), body)

test.each([
  ['item 12 of 300', 'item 7 of 4'],
  ['at 2026-11-27T02:32:05.123Z', 'at 2025-01-02T00:00:00Z'],
  ['Fri, 27 Nov 2026 02:32:05 GMT', 'Mon, 05 Jan 2026 12:00:00 GMT'],
  ['id 0f8fad5b-d9cb-469f-a165-70867728950e', 'id 7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  ['Stone@1b2c3d4 fails', 'Stone@77fa9c1 fails'],
  ['ref 01ARZ3NDEKTSV4RRFFQ69G5FAV', 'ref 01BX5ZZKBKACTAV9WEVGEMMVRZ'],
  ['{"a":1,"requestId":"abc"}', '{ "a": 2, "requestId": "xyz" }'],
  ['{"error":{"trace_id":"k-l"}}', '{"error":{"trace_id":"m-n"}}'],
])('%j and %j have one cause', (one, other) => {
  expect(cause(one)).toBe(cause(other))
})

test.each([
  ['x broke the index', 'y overflow'],
  ['{"error":"x is null"}', '{"error":"y is null"}'],
  ['relation "stones" does not exist', 'relation "keepers" does not exist'],
  ['{"identity":"a"}', '{"identity":"b"}'],
  ['findAllStonesInTheRepository2 fails', 'findAllKeepersInTheRepository2 fails'],
])('%j and %j have two causes', (one, other) => {
  expect(cause(one)).not.toBe(cause(other))
})

test('the end of a long text counts', () => {
  for (const length of [5_000, 50_000]) expect(cause(`${'a '.repeat(length)}x`)).not.toBe(cause(`${'a '.repeat(length)}y`))
})

test('what a request has is left out, wherever it is', () => {
  expect(cause('no "x"', '/stones?name=x')).toBe(cause('no ""', '/stones?name='))
  expect(cause('{"error":"no \\"a b\\" at /stones?name=a%20b"}', '/stones?name=a%20b')).toBe(
    cause('{"error":"no \\"c\\" at /stones?name=c"}', '/stones?name=c'),
  )
  expect(cause('Cannot store Agate', '/stones', { name: 'Agate' })).toBe(cause('Cannot store Jasper', '/stones', { name: 'Jasper' }))
  expect(cause('Cannot store Agate', '/stones', { name: 'at' })).not.toBe(cause('Cannot read Agate', '/stones', { name: 'at' }))
})

test('a long cause is short, and no letter of a secret is in it', () => {
  const long = formatResponseCause(request('/'), `${'word '.repeat(38)}my-secret ${'word '.repeat(99)}`, (one) =>
    one.replaceAll('my-secret', '***'),
  )
  expect(long.length).toBeLessThan(250)
  expect(long).not.toMatch(/my-s/)
})

test('a request and a response of any size have a cause', () => {
  const values = Array.from({ length: 200_000 }, (_, index) => `value ${index}`)
  const target = `/stones?name=${'x'.repeat(50_000)}`
  const bodies = ['value 3 '.repeat(2_400), '['.repeat(9_000) + ']'.repeat(9_000), 'a1b'.repeat(100_000), 'x'.repeat(300_000)]
  for (const sent of [values, values.slice(0, 4_000), { deep: values.map((name) => ({ name })) }, 'x'.repeat(100_000)])
    for (const body of bodies) expect(cause(body, target, sent)).not.toBe('')
})
