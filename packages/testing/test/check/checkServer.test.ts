/** `checkServer` and `compareServers`: correct servers and faulty ones. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { checkServer, compareServers, formatReport, type Rule, rules } from '@lapidary/testing'
import {
  basic,
  collection,
  created,
  endpoint,
  errors,
  int,
  ndjson,
  noContent,
  ok,
  optional,
  prefix,
  reply,
  type Schema,
  text,
} from 'lapidary'
import { link } from 'lapidary/links'
import { cacheControl, compression, decompression, type Middleware } from 'lapidary/middleware'
import { listen } from 'lapidary/node'
import { authenticate, type Handlers, type HttpHandler, serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { hasCurl } from '../../../../scripts/test/support/transcript.ts'
import { formatCurl } from '../../src/check/formatExchange.ts'

const Stone = z.object({ name: z.string().min(1).max(40), hardness: z.int().min(1).max(10) })
type Stone = z.infer<typeof Stone>
const keepers = basic<true>('keepers')

const api = {
  stones: prefix('/stones', collection(Stone, { one: 'stone', all: 'stones' })),
  hardest: endpoint('GET /hardest', { query: { least: optional(int) }, response: ok(Stone) }),
  vault: endpoint('GET /vault', { auth: keepers, response: ok(Stone) }),
}

const agate: Stone = { name: 'Agate', hardness: 7 }

/** Everything works. */
function handlers(): Handlers<typeof api> {
  const shelf = new Map<number, Stone>([[1, agate]])
  let last = 1
  const found = (id: number): Stone => {
    const stone = shelf.get(id)
    if (stone === undefined) throw errors.notFound({ detail: `There is no stone ${id}.` })
    return stone
  }
  return {
    stones: {
      list: () => [...shelf.values()],
      create: ({ body }) => {
        last += 1
        shelf.set(last, body)
        return { body: undefined, headers: { Location: link(api.stones.item, { params: { id: last } }) } }
      },
      item: ({ params }) => found(params.id),
      replace: ({ params, body }) => {
        found(params.id)
        shelf.set(params.id, body)
      },
      remove: ({ params }) => {
        found(params.id)
        shelf.delete(params.id)
      },
    },
    hardest: () => agate,
    vault: () => agate,
  }
}

const served = (changed: Partial<Handlers<typeof api>> = {}, middleware: readonly Middleware[] = []): HttpHandler =>
  serve(
    api,
    { ...handlers(), ...changed },
    { auth: [authenticate(keepers, ({ password }) => (password === 'opal' ? true : undefined))], middleware, onError: () => {} },
  )

async function at(kernel: HttpHandler): Promise<string> {
  const { url, close } = await listen(kernel, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return url
}

const credentials = { keepers: { username: 'ann', password: 'opal' } }
/** The same requests each time: what is expected below is what they lead to. */
const few = { requests: 600, seconds: 120, seed: 1 }

/** A collection that keeps what `toStored` makes of a body. */
function keepingServer<Input, Output>(Item: Schema<Input, Output>, toStored: (body: Output) => unknown) {
  const things = prefix('/things', collection(Item, { etag: 'required' }))
  const shelf = new Map<number, unknown>()
  const found = (id: number): never => {
    if (!shelf.has(id)) throw errors.notFound()
    return shelf.get(id) as never
  }
  const server = serve({ things }, {
    things: {
      list: () => [...shelf.values()] as never,
      create: ({ body }: { body: Output }) => {
        shelf.set(shelf.size + 1, toStored(body))
        return { body: undefined, headers: { Location: `/things/${shelf.size}` } }
      },
      item: ({ params }: { params: { id: number } }) => found(params.id),
      replace: ({ params, body, precondition }: { params: { id: number }; body: Output; precondition: (value: never) => void }) => {
        precondition(found(params.id))
        shelf.set(params.id, toStored(body))
      },
      remove: ({ params, precondition }: { params: { id: number }; precondition: (value: never) => void }) => {
        precondition(found(params.id))
        shelf.delete(params.id)
      },
    },
  } as never)
  return [{ things }, server] as const
}

const Day = z.object({ day: z.iso.date().transform((text) => new Date(`${text}T00:00:00Z`)), weight: z.int().default(1) })

test.each([
  ['a text in lower case', keepingServer(z.object({ name: z.string().trim().toLowerCase() }), (body) => body)],
  ['a Date and a default', keepingServer(Day, ({ day, weight }) => ({ day: day.toISOString().slice(0, 10), weight }))],
  ['a Date and a default that is left out', keepingServer(Day, ({ day }) => ({ day: day.toISOString().slice(0, 10), weight: undefined }))],
  [
    'a codec',
    keepingServer(z.object({ n: z.codec(z.string().regex(/^\d{1,9}$/), z.int(), { decode: Number, encode: String }) }), ({ n }) => ({
      n: `${n}`,
    })),
  ],
])('a right server whose schema makes another value of a body breaks no rule: %s', async (what, [api, server]) => {
  const { url, close } = await listen(server)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const report = await checkServer(api, url, {
    write: true,
    seed: 1,
    requests: process.env['SAMPLES'] === 'whole' ? 1_500 : 500,
    seconds: 120,
  })
  // This one forgets the weight.
  const forgets = [['things.create', 'location'] as const, ['things.replace', 'put'] as const]
  const failures = report.failures.map(({ endpoint, rule }) => [endpoint, rule])
  expect(failures, formatReport(report)).toEqual(what.includes('left out') ? forgets : [])
})

test('a server whose middleware compresses, decodes and says what may be kept breaks no rule', async () => {
  const server = served({}, [compression({ threshold: 0 }), decompression(), cacheControl()])
  const report = await checkServer(api, await at(server), { ...few, write: true, credentials })
  expect(report.failures, formatReport(report)).toEqual([])
})

test('a correct server passes every rule at every endpoint', async () => {
  const { failures, endpoints, isOverBudget: unfinished } = await checkServer(api, await at(served()), { ...few, write: true, credentials })
  expect(failures).toEqual([])
  expect(unfinished).toBe(false)
  expect(endpoints.map(({ endpoint: name, skipReason: skipped }) => [name, skipped])).toEqual([
    ['stones.list', ''],
    ['stones.item', ''],
    ['hardest', ''],
    ['vault', ''],
    ['stones.create', ''],
    ['stones.replace', ''],
    ['stones.remove', ''],
  ])
  const held = new Set(endpoints.flatMap((one) => one.passed))
  const unseen = rules.flatMap((rule) => ('scope' in rule || held.has(rule.name) ? [] : [rule.name]))
  // This API has no tokens and scopes, no headers and cookies to ask for, no limits of bodies, no patches, no tags, no files, no keys, no webhooks and no pages.
  expect(unseen).toEqual([
    'scopes',
    'request-headers',
    'cookies',
    'optional-body',
    'form',
    'body-size',
    'accept-patch',
    'etag',
    'download',
    'lost-updates',
    'idempotent',
    'webhook-signature',
    'pagination',
  ])
})

test('without the option write, no request could change data', async () => {
  const methods = new Set<string>()
  const kernel = served()
  const url = await at((incoming) => {
    methods.add(incoming.method)
    return kernel(incoming)
  })
  const { endpoints } = await checkServer(api, url, few)
  expect([...methods].sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT'])
  expect(endpoints.find(({ endpoint: name }) => name === 'stones.create')?.skipReason).toBe('it changes data: --write')
  expect(endpoints.find(({ endpoint: name }) => name === 'vault')?.skipReason).toBe('no credentials were given for it')
})

/** Fails from ten on. */
const brittle: Partial<Handlers<typeof api>> = {
  hardest: ({ query: { least = 0 } }) => {
    if (least >= 10) throw new Error('too hard')
    return agate
  },
}

test('a failure has the simplest request that shows it', async () => {
  const { failures } = await checkServer(api, await at(served(brittle)), few)
  expect(failures.map(({ endpoint: name, rule, violation }) => [name, rule, violation])).toEqual([
    ['hardest', 'no-server-error', 'expected success, or an error that names the fault of the request, got 500'],
  ])
  expect(failures[0]?.curl).toMatch(/^curl -i -g --path-as-is 'http:\/\/127\.0\.0\.1:\d+\/hardest\?least=10'$/)
  expect(failures[0]?.response).toMatch(/^HTTP\/1\.1 500\n/)
})

test('the same seed sends the same requests', async () => {
  const requests: string[][] = []
  for (let time = 0; time < 2; time += 1) {
    const kernel = served()
    const targets: string[] = []
    requests.push(targets)
    const url = await at((incoming) => {
      targets.push(`${incoming.method} ${incoming.target}`)
      return kernel(incoming)
    })
    await checkServer(api, url, { ...few, seed: 7 })
  }
  expect(requests[0]).toEqual(requests[1])
  expect(requests[0]?.length).toBeGreaterThan(100)
})

test.runIf(hasCurl)('the curl command repeats the failure', async () => {
  const { failures } = await checkServer(api, await at(served(brittle)), few)
  const { stdout } = await promisify(execFile)('sh', ['-c', `${failures[0]?.curl} 2>/dev/null`])
  expect(stdout).toMatch(/^HTTP\/1\.1 500 /)
})

test.runIf(hasCurl).each(['@/etc/hostname', 'it’s', "it's", '', '@', 'a\u0000b', 'plain'])(
  'the curl command sends the same body: %j',
  async (body) => {
    const seen: string[] = []
    const url = await at(async (incoming) => {
      seen.push(new TextDecoder().decode(await incoming.body(1_000)))
      return { status: 204, headers: [], body: null }
    })
    const line = formatCurl(
      { method: 'POST', target: '/', headers: [['Content-Type', 'text/plain']], body: new TextEncoder().encode(body) },
      new URL(url),
    )
    await promisify(execFile)('sh', ['-c', line])
    expect(seen).toEqual([body])
  },
)

test('only the named endpoints are checked', async () => {
  const { endpoints } = await checkServer(api, await at(served()), { ...few, only: ['stones'] })
  expect(new Set(endpoints.map(({ endpoint: name }) => name.split('.')[0]))).toEqual(new Set(['stones']))
})

test('the Location of a new resource is found in any case, so that DELETE can be checked', async () => {
  const notes = prefix('/notes', {
    add: endpoint('POST /', { body: Stone, response: created({ headers: { location: text } }) }),
    one: endpoint('GET /:id', { params: { id: int }, response: ok(Stone), errors: [reply(404)] }),
    remove: endpoint('DELETE /:id', { params: { id: int }, response: noContent, errors: [reply(404)] }),
  })
  let last = 0
  const there = (id: number): void => {
    if (id < 1 || id > last) throw errors.notFound()
  }
  const kernel = serve(notes, {
    add: () => {
      last += 1
      return { body: undefined, headers: { location: link(notes.one, { params: { id: last } }) } }
    },
    one: ({ params: { id } }) => {
      there(id)
      return agate
    },
    // It is still there afterwards.
    remove: ({ params: { id } }) => there(id),
  })
  const { failures } = await checkServer(notes, await at(kernel), { ...few, write: true, only: ['remove'] })
  expect(failures.map(({ rule }) => rule)).toEqual(['delete'])
})

test('the budget is not exceeded', async () => {
  const { requests, isOverBudget: unfinished, endpoints } = await checkServer(api, await at(served()), { requests: 30 })
  expect({ requests, unfinished }).toEqual({ requests: 30, unfinished: true })
  const complete = await checkServer(api, await at(served()), few)
  expect(endpoints.map(({ route }) => route)).toEqual(complete.endpoints.map(({ route }) => route))
  expect(endpoints.at(-1)).toMatchObject({ requests: 0, passed: [], skipReason: 'the budget was used up' })
})

test('rules are values: a custom one is tested like any other, and any can be left out', async () => {
  const named: Rule = {
    name: 'named',
    description: 'Every answer names its server.',
    check: ({ response: received }) => (received.header('server') === undefined ? 'expected Server, got none' : undefined),
  }
  const url = await at(served(brittle))
  const { failures } = await checkServer(api, url, {
    ...few,
    only: ['hardest'],
    rules: [...rules.filter(({ name }) => name !== 'no-server-error' && name !== 'status'), named],
  })
  expect(failures.map(({ rule }) => rule)).toEqual(['named'])
})

test.each([
  [401, 'expected WWW-Authenticate, got none. The endpoint has no auth scheme: respond to a wrong password or an old session with 403'],
  [403, undefined],
] as const)('a login without an auth scheme that refuses with %i', async (status, violation) => {
  const logIn = endpoint('POST /login', { body: z.object({ password: z.string() }), response: noContent, errors: [reply(401), reply(403)] })
  const server = serve({ logIn }, { logIn: ({ fail }) => fail(status) })
  const { failures } = await checkServer({ logIn }, await at(server), { ...few, write: true })
  expect(failures.filter(({ rule }) => rule === 'challenge').map((failure) => failure.violation)).toEqual(violation ? [violation] : [])
})

/** A server that responds with this text and type to every request, except with 406. */
const lined = (text: string, type?: string): HttpHandler => {
  const offered = ['application/x-ndjson', 'application/json', 'application/jsonl']
  return (incoming) => {
    const accept = incoming.header('accept') ?? 'application/x-ndjson'
    if (incoming.method !== 'GET' || !offered.includes(accept)) return plain(incoming)
    return { status: 200, headers: ['Content-Type', type ?? accept, 'Vary', 'Accept'], body: text }
  }
}
const stonesByLine = { stones: endpoint('GET /stones', { response: ok(ndjson(Stone, { aliases: ['application/json'] })) }) }
const plain = serve(stonesByLine, { stones: () => [agate] })
const line = JSON.stringify(agate)

test.each([
  ['lines', `${line}\n${line}\n`, undefined],
  ['no line', '', undefined],
  [
    'a last line without its line feed',
    `${line}
${line}`,
    'the stream ends within item 1: The stream ended in the middle of a line.',
  ],
  ['an array', `[${line}]\n`, 'item 0: the body is not as declared: expected an object, got an array'],
  ['an array on several lines', `[\n${line}\n]\n`, 'item 0: the body is not as declared: expected JSON'],
  ['an empty line', `${line}\n\n`, 'item 1: the body is not as declared: expected JSON'],
  ['two values in a line', `${line}${line}\n`, 'item 0: the body is not as declared: expected JSON'],
  ['an item of another form', `${line}\n{"name":"Opal","hardness":11}\n`, 'item 1: the body is not as declared: at "/hardness" Too big'],
  ['an item that is not UTF-8', `"\ud800"\n`, 'item 0: the body is not as declared: '],
])('a body of lines is read line by line, with any of its types: %s', async (_what, text, violation) => {
  const options = { ...few, only: ['stones'] }
  const { failures } = await checkServer(stonesByLine, await at(lined(text)), options)
  const violations = failures.filter(({ rule }) => rule === 'body').map((failure) => failure.violation)
  expect(violations).toEqual(violation === undefined ? [] : [expect.stringContaining(violation)])
  // The same under the alias alone.
  const { failures: others } = await checkServer(stonesByLine, await at(lined(text, 'application/json')), options)
  const bodies = others.filter(({ rule }) => rule === 'body').map((failure) => failure.violation)
  expect(bodies).toEqual(violation === undefined ? [] : [expect.stringContaining(violation)])
})

test('a stream with an undeclared type is a failure', async () => {
  const api = { stones: endpoint('GET /stones', { response: ok(ndjson(Stone)) }) }
  const { failures } = await checkServer(api, await at(lined(`${line}\n`, 'application/json')), few)
  expect(failures.map(({ rule, violation }) => [rule, violation])).toContainEqual([
    'body',
    'expected Content-Type to be application/x-ndjson or application/jsonl, got application/json',
  ])
})

test('an unreachable server gives no response', async () => {
  const { failures } = await checkServer(api, 'http://127.0.0.1:1', { requests: 20 })
  expect(failures[0]).toMatchObject({ rule: 'complete', violation: expect.stringContaining('ECONNREFUSED') })
})

test('a server that cuts off its responses is detected', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 100 })
    response.write('{"name"', () => response.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { failures } = await checkServer(api, `http://127.0.0.1:${port}`, { requests: 50, only: ['hardest'] })
  expect(failures[0]).toMatchObject({ rule: 'complete' })
})

test('an invalid URL is rejected', async () => {
  await expect(checkServer(api, 'ftp://example.org')).rejects.toThrow(TypeError)
  for (const time of [0, -1, Number.NaN, 2 ** 31])
    await expect(checkServer(api, 'http://example.org', { time })).rejects.toThrow(
      `checkServer(): time is ${time}, expected milliseconds above 0`,
    )
})

test('a report as text', async () => {
  const report = await checkServer(api, await at(served(brittle)), { ...few, only: ['hardest'] })
  const text = formatReport(report)
  expect(text).toContain('✗ GET /hardest')
  expect(text).toContain(`--seed ${report.seed} repeats them.`)
  expect(text).not.toContain('\u001b')
  expect(formatReport(report, true)).toContain('\u001b[31m')
})

test('two equal servers agree', async () => {
  const { failures, requests } = await compareServers(api, await at(served()), await at(served()), { ...few, write: true, credentials })
  expect(failures).toEqual([])
  expect(requests).toBeGreaterThan(200)
})

test('two servers that differ are reported, even if both follow the description', async () => {
  const other = served({ hardest: ({ query }) => ({ ...agate, hardness: (query.least ?? 0) > 100 ? 9 : 7 }) })
  const { failures } = await compareServers(api, await at(served()), await at(other), few)
  expect(failures.map(({ endpoint: name, rule, violation }) => [name, rule, violation])).toEqual([
    ['hardest', 'agreement', 'the first server sends the body {"name":"Agate","hardness":7}, the second {"name":"Agate","hardness":9}'],
  ])
  expect(failures[0]?.curl).toContain('/hardest?least=101')
})
