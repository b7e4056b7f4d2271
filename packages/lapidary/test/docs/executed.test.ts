/** The documentation of `everything`, executed: every documented request gets a documented response, and every documented response occurs. */
import { endpoint, errors, int, noContent } from 'lapidary'
import { documentedRequests, outline, type Section } from 'lapidary/docs'
import { listen, type RunningServer } from 'lapidary/node'
import { type ApiServer, serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentedEndpoints } from '../support/documented/endpoints.ts'
import {
  type ExchangeRequest,
  type ExchangeResponse,
  toExchangeRequest,
  withHeader,
  withoutHeaders,
} from '../support/documented/exchange.ts'
import { plannedKeys } from '../support/documented/plannedKeys.ts'
import { planted } from '../support/documented/plantedResponses.ts'
import { testDocumentation } from '../support/documented/proof.ts'
import { maxBodySize } from '../support/documented/rejections.ts'
import { flaws } from '../support/documented/responseErrors.ts'
import { api, counters, everything, machines, members, partners, robots, visits } from '../support/everything.ts'

const schemes = [members, partners, machines, visits, robots, counters]
const servers = {
  whole: everything({ maxBodySize, idempotency: { store: plannedKeys }, onError: () => {} }),
  failing: planted(api, schemes, () => {
    throw new Error('planted')
  }),
  empty: planted(api, schemes, () => {
    throw errors.notFound()
  }),
  late: planted(api, schemes, () => new Promise(() => {})),
} satisfies Record<string, ApiServer>

const listening = new Map<string, RunningServer>()
beforeAll(async () => {
  for (const [name, server] of Object.entries(servers)) listening.set(name, await listen(server))
})
afterAll(async () => {
  await Promise.all([...listening.values()].map((one) => one.close({ drain: 0 })))
})

async function exchange({ method, target, headers, body }: ExchangeRequest, of: keyof typeof servers = 'whole'): Promise<ExchangeResponse> {
  // Of one type: the DOM's own has no bytes that might be shared.
  const sent = typeof body === 'string' || body === null ? body : Uint8Array.from(body)
  const response = await fetch(`${listening.get(of)?.url}${target}`, { method, headers, body: sent, redirect: 'manual' })
  return { status: response.status, headers: Object.fromEntries(response.headers), body: new Uint8Array(await response.arrayBuffer()) }
}

const endpoints = await documentedEndpoints(api)

testDocumentation({
  endpoints,
  exchange,
  credentials: {
    members: { Authorization: `Basic ${btoa("ann:ann's word")}` },
    partners: { Authorization: 'Bearer seventy-seven' },
    visit: { Cookie: 'visit=first' },
    robots: { Authorization: 'Bearer r2' },
  },
  provocations: {
    'colour 404': (right) => exchange({ ...right, target: '/colours/000000' }),
    'people.item 404': (right) => exchange({ ...right, target: '/people/2' }),
    'people.remove 404': (right) => exchange({ ...right, target: '/people/2' }),
    // Its handler takes everybody.
    'people.replace 404': (right) => exchange(right, 'empty'),
    'survey 404': (right) => exchange({ ...right, body: '{"x":0,"y":0}' }),
    'mix 422': (right) => exchange({ ...right, body: '{"red":99}' }),
    'order 409': (right) => exchange({ ...right, body: '{"item":"nothing","tags":[]}' }),
    'checkout 202': (right) => exchange({ ...right, body: '{"item":"opal","count":100,"tags":[]}' }),
    'checkout 303': (right) => exchange({ ...right, body: '{"item":"opal","tags":["again"]}' }),
    'checkout 404': (right) => exchange({ ...right, body: '{"item":"unknown","tags":[]}' }),
    'checkout 409': (right) => exchange({ ...right, body: '{"item":"nothing","tags":[]}' }),
    'stock.read 403': (right) => exchange(withHeader(withoutHeaders(right, ['Cookie']), 'Authorization', 'Bearer r1')),
    'stock.read 401': (right) => exchange(withHeader(right, 'Cookie', 'visit=second')),
    'stock.look 410': (right) => exchange(withHeader(right, 'Cookie', 'visit=late')),
    'stock.count 403': (right) => exchange(withHeader(right, 'Authorization', 'Bearer r1')),
    'payment 402': (right) => exchange({ ...right, body: '{"amount":100}' }),
    'report 206': (right) => exchange(withHeader(right, 'Range', 'bytes=0-4')),
    'report 404': (right) => exchange({ ...right, target: '/reports/june' }),
    'report 416': (right) => exchange(withHeader(right, 'Range', 'bytes=99-')),
    'picture 206': (right) => exchange(withHeader(right, 'Range', 'bytes=0-4')),
    'picture 404': (right) => exchange({ ...right, target: '/pictures/june' }),
    'picture 416': (right) => exchange(withHeader(right, 'Range', 'bytes=99-')),
    'page 416': (right) => exchange(withHeader(right, 'Range', 'size')),
    'tally 429': async (right) => {
      await exchange(withHeader(right, 'X-Cost', '10'))
      return exchange(withHeader(right, 'X-Cost', '1'))
    },
    500: (right) => exchange(right, 'failing'),
    503: (right) => exchange(right, 'late'),
  },
  troubles: [(one) => exchange(one, 'failing')],
  hostility: 30,
})

test('the example of an error is what the server sends', async () => {
  const { errorExample: refused } = await outline(api)
  const [method = '', target = ''] = refused?.line.split(' ') ?? []
  const received = await exchange({ method, target, headers: {}, body: null })
  expect([received.status, new TextDecoder().decode(received.body)]).toEqual([refused?.status, refused?.example.text])
})

test.each([
  ['of success', '/items/1', 204],
  ['of a query that cannot be read', '/items/1?%', 400],
  ['of a capture that cannot be read', '/items/one', 400],
  ['of a handler that fails', '/items/2', 500],
])('the headers of every response are among those %s', async (_what, target, status) => {
  const item = endpoint('GET /items/:id', { params: { id: int }, response: noContent, responseHeaders: { 'X-Robots-Tag': 'none' } })
  const handler = ({ params }: { readonly params: { readonly id: number } }): void => {
    if (params.id === 2) throw new Error('planted')
  }
  const response = await serve({ item }, { item: handler }, { onError: () => {} }).fetch(new Request(`http://test.invalid${target}`))
  expect([response.status, response.headers.get('X-Robots-Tag')]).toEqual([status, 'none'])
})

describe('wrong documentation is detected', () => {
  const header = { name: 'X-Count', type: 'integer', required: true, repeats: false, examples: ['2'], description: '' }

  test.each<[string, string, (section: Section) => void, string]>([
    ['an answer that it hides', 'people.item', ({ errors }) => void errors.pop(), '404 is not documented'],
    [
      'a status that is another',
      'newest',
      ({ responses: [response] }) => response && Object.assign(response, { status: 201 }),
      '200 is not documented',
    ],
    ['a header that is not sent', 'newest', ({ responses: [response] }) => response?.headers.push(header), 'the header X-Count is missing'],
    [
      'a header that it hides',
      'visitors',
      ({ responses: [response] }) => response?.headers.shift(),
      'the header x-count is not documented',
    ],
    [
      'a header of another value',
      'page',
      ({ responseHeaders: always }) => Object.assign(always[0] ?? {}, { examples: ['name'] }),
      'the header Accept-Ranges is name,age',
    ],
    [
      'a type that is another',
      'point',
      ({ responses: [response] }) => response?.encodings.splice(0, 1, { types: ['text/csv'], framing: '', examples: [] }),
      'the Content-Type is application/json;charset=utf-8',
    ],
    [
      'a body that there is not',
      'people.remove',
      ({ responses: [response] }) => response?.encodings.push({ types: ['text/csv'], framing: '', examples: [] }),
      'the Content-Type is undefined',
    ],
    ['a body that it hides', 'point', ({ responses: [response] }) => response?.encodings.splice(0), 'there is a body'],
  ])('%s', async (_what, name, change, flaw) => {
    const documented = endpoints.find(({ section }) => section.name === name)
    if (documented === undefined) throw new Error(`There is no ${name}.`)
    const section = structuredClone(documented.section)
    change(section)
    const [right] = documentedRequests(documented.section)
    if (right === undefined) throw new Error(`${name} shows no request.`)
    const target = flaw.startsWith('404') ? '/people/2' : right.target
    expect(await flaws({ ...documented, section }, await exchange({ ...toExchangeRequest(right), target }))).toEqual([flaw])
  })
})
