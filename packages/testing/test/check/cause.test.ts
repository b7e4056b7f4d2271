/** A report has each cause once: several causes of one rule are several failures, and what follows from a failure is none. */
import { checkServer, formatReport } from '@lapidary/testing'
import { type Api, endpoint, int, ok, optional, reply, text } from 'lapidary'
import { listen } from 'lapidary/node'
import { type HttpHandler, type HttpResponse, serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const Stone = z.object({ name: z.string(), hardness: z.int() })
const agate = { name: 'Agate', hardness: 7 }

async function check(api: Api, server: HttpHandler, options: Parameters<typeof checkServer>[2] = {}) {
  const { url, close } = await listen(server, { onError: () => {} })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const report = await checkServer(api, url, { requests: 600, seconds: 120, seed: 1, ...options })
  const text = formatReport(report).replaceAll(url, 'http://127.0.0.1:8081')
  return { ...report, text, found: report.failures.map(({ endpoint: name, rule, violation }) => [name, rule, violation]) }
}

const fails = new Error('It fails.')

test('two parameters that both lead to a 500 are two failures, each with its own request', async () => {
  const api = { stones: endpoint('GET /stones', { query: { least: optional(int), most: optional(int) }, response: ok(Stone) }) }
  const server = serve(
    api,
    {
      stones: ({ query: { least = 0, most = 0 } }) => {
        if (least > 10 || most < -10) throw fails
        return agate
      },
    },
    { onError: () => {} },
  )
  const { failures, found } = await check(api, server)
  const got500 = 'expected success, or an error that names the fault of the request, got 500'
  expect(found).toEqual([
    ['stones', 'no-server-error', got500],
    ['stones', 'no-server-error', got500],
  ])
  expect(failures.map(({ curl }) => new URL(curl?.split("'")[1] ?? '').search).sort()).toEqual(['?least=11', '?most=-11'])
})

/** A server that reads its query by itself: it does not look at these parameters. */
const careless =
  (server: HttpHandler, names: readonly string[], response: () => HttpResponse): HttpHandler =>
  (request) => {
    const given = new URLSearchParams(request.target.split('?')[1])
    const isOdd = names.some((name) => given.has(name) && !/^-?\d+$/.test(given.get(name) ?? ''))
    return isOdd ? response() : server(request)
  }

test('each parameter that the server does not validate is a failure of the rule, and a 500 is not reported twice', async () => {
  const query = { a: optional(int), b: optional(int), c: optional(int) }
  const api = { stones: endpoint('GET /stones', { query, response: ok(Stone) }) }
  const right = serve(api, { stones: () => agate })
  const ignoring = careless(right, ['a', 'b'], () => ({
    status: 200,
    headers: ['Content-Type', 'application/json'],
    body: JSON.stringify(agate),
  }))
  expect((await check(api, ignoring)).found).toEqual([
    ['stones', 'query', 'a is "": expected 400, got 200'],
    ['stones', 'query', 'b is "": expected 400, got 200'],
  ])
  const crashing = careless(right, ['a', 'c'], () => ({ status: 500, headers: [], body: 'Internal Server Error' }))
  expect((await check(api, crashing)).found).toEqual([
    ['stones', 'no-server-error', 'a is "": expected success, or an error that names the fault of the request, got 500'],
    ['stones', 'no-server-error', 'c is "": expected success, or an error that names the fault of the request, got 500'],
  ])
})

test('a rule has at most five failures for an endpoint, and says how many causes are not shown', async () => {
  const names = [...'abcdefgh']
  const query = Object.fromEntries(names.map((name) => [name, optional(int)]))
  const api = { stones: endpoint('GET /stones', { query, response: ok(Stone) }) }
  const ignoring = careless(serve(api, { stones: () => agate }), names, () => ({
    status: 200,
    headers: ['Content-Type', 'application/json'],
    body: JSON.stringify(agate),
  }))
  const { failures, text } = await check(api, ignoring)
  expect(failures.map(({ rule, more }) => [rule, more])).toEqual([
    ['query', 0],
    ['query', 0],
    ['query', 0],
    ['query', 0],
    ['query', 3],
  ])
  expect(text).toContain('and 3 more causes of query at GET /stones')
  expect(text).toContain('5 faults at 5 places, and 3 more that are not shown. ')
})

test('an undeclared status is one failure: no rule says that its body is not as declared', async () => {
  const api = { stones: endpoint('GET /stones', { query: { least: optional(int) }, response: ok(Stone) }) }
  const right = serve(api, { stones: () => agate })
  const server: HttpHandler = (request) =>
    /\?least=\d{1,9}$/.test(request.target) ? { status: 418, headers: ['Content-Type', 'text/plain'], body: 'no' } : right(request)
  expect((await check(api, server)).found).toEqual([['stones', 'status', 'expected one of the declared statuses (200), got 418']])
})

test('the requests of a faulty server are those of a correct one, and one without the fault for each place', async () => {
  const query = { a: optional(int), b: optional(int), c: optional(int) }
  const api = { stones: endpoint('GET /stones', { query, response: ok(Stone) }) }
  const right = serve(api, { stones: () => agate })
  const { requests } = await check(api, right)
  const ignoring = careless(right, ['a', 'b', 'c'], () => ({ status: 500, headers: [], body: null }))
  const faulty = await check(api, ignoring)
  expect(faulty.failures).toHaveLength(3)
  expect(faulty.requests).toBeLessThanOrEqual(requests + 3)
})

test('the same cause at several endpoints is one fault, with the list of its places', async () => {
  const response = ok(Stone, { headers: { 'X-Version': int } })
  const api = {
    first: endpoint('GET /first', { response }),
    second: endpoint('GET /second', { response }),
    third: endpoint('GET /third', { response, errors: [reply(404)] }),
    other: endpoint('GET /other', { response: ok(text) }),
  }
  const body = JSON.stringify(agate)
  const server: HttpHandler = (request) =>
    request.target.startsWith('/other')
      ? { status: 500, headers: [], body: null }
      : { status: 200, headers: ['Content-Type', 'application/json', 'X-Version', 'one'], body }
  const { text: shown, failures } = await check(api, server, { lenient: true })
  expect(failures.filter(({ rule }) => rule === 'headers')).toHaveLength(3)
  expect(shown.match(/the header X-Version is not as declared/g)).toHaveLength(1)
  expect(shown).toMatch(/✗ 3 endpoints {2}headers\n/)
  expect(shown).toMatch(/ {4}the same at GET \/second {2}second\n {8}curl .*'http:\/\/127\.0\.0\.1:8081\/second'\n/)
  expect(shown).toMatch(/\d+ faults at \d+ places\. /)
})

test('a stack trace is shown by the line that leaks it', async () => {
  const api = { stones: endpoint('GET /stones', { response: ok(Stone), errors: [reply(404)] }) }
  const trace = `<pre>Error: no stone\n    at findStone (${'/srv/shop/node_modules'.repeat(3)}/stones.js:12:3)\n    at next (/srv/shop/app.js:7:1)</pre>`
  const server: HttpHandler = () => ({ status: 404, headers: ['Content-Type', 'text/html'], body: trace })
  const { found } = await check(api, server)
  const shown = found.filter(([, rule]) => rule === 'no-stack-trace')
  expect(shown).toEqual([['stones', 'no-stack-trace', expect.stringContaining('/stones.js:12:3)')]])
})
