/** Faults of responses: their status, their headers and their bodies. */
import {
  type Api,
  byteStream,
  bytes,
  content,
  created,
  endpoint,
  html,
  int,
  json,
  list,
  mediaType,
  ndjson,
  noContent,
  ok,
  reply,
  respond,
  seeOther,
  text,
  withHeaders,
} from 'lapidary'
import { rateLimit } from 'lapidary/middleware'
import { rangePagination } from 'lapidary/pagination'
import { type Handlers, type HttpHandler, type HttpResponse, serve } from 'lapidary/server'
import { z } from 'zod'
import { returning, serving } from './oneResponse.ts'
import { agate, bare, changing, type Planted, plain, replacing, Stone, withLine, without } from './planted.ts'

/** The faults of every body: its type, its selection, and that all of it arrives. */
function mediaFaults(words: readonly string[], response: unknown, value: unknown, invalid?: string | Uint8Array): Planted {
  const api = returning(response)
  const server = serving(api, () => value)
  async function* cutOff(): AsyncGenerator<string> {
    yield 'half'
    throw new Error('planted')
  }
  const unreadable = /^(?:item 0: )?(?:the body is not as declared|the stream ends)/
  return {
    words,
    api,
    at: 'it',
    right: [server],
    options: { requests: 150 },
    faults: [
      [
        'another type',
        replacing(server, 200, (one) => withLine('Content-Type', 'application/x-other', one)),
        'body',
        'expected Content-Type to be',
      ],
      [
        'a type that was not asked for',
        replacing(server, 406, () => ({ ...bare(200), headers: ['Content-Type', 'text/plain'], body: '' })),
        'accept',
        'Accept is application/x-no-such-type: expected 406, got 200',
      ],
      [
        'a body that is cut off',
        replacing(server, 200, (one) => ({ ...without('content-length', one), body: cutOff() })),
        'complete',
        'cut off',
      ],
      ...(invalid === undefined
        ? []
        : [['a body that is none', replacing(server, 200, (one) => ({ ...one, body: invalid })), 'body', unreadable] as const]),
    ],
  }
}

const csv = mediaType<Stone>({
  types: ['text/csv'],
  writer:
    () =>
    ({ name, hardness }) =>
      `${name},${hardness}`,
  reader: () => (body) => {
    const [name = '', hardness] = new TextDecoder().decode(body).split(',')
    return { name, hardness: Number(hardness) } as Stone
  },
})
const page = html<Stone>(({ name }) => name.replace(/[<&]/g, ''))
const shown = returning(ok(content(Stone, json, page)))
const negotiated = serving(shown, () => agate)
const withoutVary = (status: number): HttpHandler => replacing(negotiated, status, (response) => without('vary', response))
const negotiation: Planted = {
  words: ['content', 'html', 'accept'],
  api: shown,
  at: 'it',
  right: [negotiated],
  faults: [
    ['a 406 without Vary', withoutVary(406), 'vary', 'expected Vary to name Accept, got none'],
    ['a success without Vary', withoutVary(200), 'vary', 'expected Vary to name Accept, got none'],
    ['one type alone', serving(returning(ok(Stone)), () => agate), 'status', 'got 406'],
    [
      'JSON in place of HTML',
      replacing(negotiated, 200, (response) => withLine('Content-Type', 'application/json', { ...response, body: JSON.stringify(agate) })),
      'accept',
      'Accept is text/html, Content-Type is application/json',
    ],
  ],
}

const Job = z.object({ progress: z.int() })
const several = {
  it: endpoint('GET /jobs/:size', {
    params: { size: int },
    response: [ok(Stone), reply(202, Job, { headers: { 'X-Queue': int } }), seeOther],
    errors: [reply(404)],
  }),
}
const handlers: Handlers<typeof several> = {
  it: ({ params: { size }, fail }) => {
    if (size < 0) return fail(404)
    if (size === 0) return respond(303, withHeaders({ Location: '/jobs/1' }))
    return size > 9 ? respond(202, withHeaders({ progress: 0 }, { 'X-Queue': 1 })) : agate
  },
}
const jobs = serve(several, handlers)
const replace = (status: number, change: (response: HttpResponse) => HttpResponse): HttpHandler => replacing(jobs, status, change)
const successes: Planted = {
  words: ['several responses', 'response', 'reply'],
  api: several,
  at: 'it',
  right: [jobs],
  faults: [
    [
      'a status that is none of them',
      replace(303, (response) => ({ ...response, status: 302 })),
      'status',
      'expected one of the declared statuses (200, 202, 303, 404), got 302',
    ],
    [
      'a body of another one',
      replace(202, (response) => ({ ...response, body: '{"name":"Agate","hardness":7}' })),
      'body',
      'the body is not as declared: at "/progress" expected an integer, got nothing',
    ],
    [
      'a missing header of one',
      replace(202, (response) => without('x-queue', response)),
      'headers',
      'the header X-Queue is not as declared',
    ],
    ['a missing Location', replace(303, (response) => without('location', response)), 'headers', 'the header Location is not as declared'],
  ],
}

const constant = returning(ok(text), { query: { size: int }, responseHeaders: { 'X-Edition': '7' } })
const editions = serving(constant, () => 'a')
const constants: Planted = {
  words: ['responseHeaders'],
  api: constant,
  at: 'it',
  right: [editions],
  faults: [
    [
      'a success without them',
      replacing(editions, 200, (response) => without('x-edition', response)),
      'headers',
      'expected X-Edition to be "7", got none',
    ],
    [
      'an error without them',
      replacing(editions, 400, (response) => without('x-edition', response)),
      'headers',
      'expected X-Edition to be "7", got none',
    ],
    [
      'another value',
      changing(editions, (response) => withLine('X-Edition', '8', response)),
      'headers',
      'expected X-Edition to be "7", got "8"',
    ],
  ],
}

const old = {
  it: endpoint('GET /old/:size', {
    params: { size: int },
    response: ok(Stone),
    deprecated: { since: new Date('2026-01-01'), sunset: new Date('2027-01-01'), link: '/news' },
  }),
}
const oldServer = serve(old, { it: () => agate })
const deprecated: Planted = {
  words: ['deprecated'],
  api: old,
  at: 'it',
  right: [oldServer],
  faults: [
    [
      'no Deprecation',
      changing(oldServer, (response) => without('deprecation', response)),
      'headers',
      'expected Deprecation to be "@1767225600", got none',
    ],
    [
      'an error without Sunset',
      changing(oldServer, (response) => (response.status >= 400 ? without('sunset', response) : response)),
      'headers',
      'expected Sunset to be "Fri, 01 Jan 2027 00:00:00 GMT", got none',
    ],
    [
      'another link',
      changing(oldServer, (response) => withLine('Link', '</old>; rel="self"', response)),
      'headers',
      'expected Link to be "</news>; rel="deprecation"", got "</old>; rel="self""',
    ],
  ],
}

const limitedApi = {
  it: endpoint('GET /limited/:size', { params: { size: int }, response: ok(Stone), rateLimit: { name: 'default', quota: 100, window: 1 } }),
}
/** A server of its own for each case: its quota is that of the address of all of them. */
const limitedServer = () => serve(limitedApi, { it: () => agate }, { middleware: [rateLimit()] })
const tight = () =>
  serve(limitedApi, { it: () => agate }, { middleware: [rateLimit({ policies: { name: 'tight', quota: 5, window: 60 } })] })
const rateLimits: Planted = {
  words: ['rateLimit'],
  api: limitedApi,
  at: 'it',
  right: [limitedServer(), serve(limitedApi, { it: () => agate })],
  options: { requests: 30 },
  faults: [
    [
      'no RateLimit-Policy',
      changing(limitedServer(), (response) => without('ratelimit-policy', response)),
      'headers',
      'expected RateLimit-Policy to be ""default";q=100;w=1", got none',
    ],
    [
      'another quota',
      changing(limitedServer(), (response) => withLine('RateLimit-Policy', '"default";q=10;w=1', response)),
      'headers',
      'expected RateLimit-Policy to be ""default";q=100;w=1", got ""default";q=10;w=1"',
    ],
    [
      'more left than there is',
      changing(limitedServer(), (response) => withLine('RateLimit', '"default";r=101;t=1', response)),
      'rate-limit',
      'RateLimit says that 101 are left of "default", whose quota is 100',
    ],
    [
      'the header of an old draft',
      changing(limitedServer(), (response) => withLine('RateLimit', 'limit=100, remaining=99, reset=1', response)),
      'rate-limit',
      'RateLimit has limit=100, expected an item such as "default";r=1;t=60',
    ],
    [
      'a 429 without Retry-After',
      replacing(tight(), 429, (response) => without('retry-after', response)),
      'rate-limit',
      'expected the 429 to have Retry-After, got none',
    ],
    [
      'a 429 that is no problem',
      replacing(tight(), 429, (response) => withLine('Content-Type', 'text/plain', response)),
      'problem',
      'expected problem details',
    ],
  ],
}

const making = (response: unknown): Api =>
  ({
    it: endpoint('POST /stones', { body: Stone, response: response as ReturnType<typeof created> }),
    stone: endpoint('GET /stones/:id', { params: { id: int }, response: ok(Stone), errors: [reply(404)] }),
  }) as Api
const made: Stone[] = []
const shop = serve(making(created), {
  it: ({ body }: { body: Stone }) => withHeaders({ Location: `/stones/${made.push(body) - 1}` }),
  stone: ({ params, fail }: { params: { id: number }; fail: (status: number) => unknown }) => made[params.id] ?? fail(404),
} as never)
const creations: Planted = {
  words: ['created'],
  api: making(created),
  at: 'it',
  right: [shop],
  faults: [
    ['no Location', replacing(shop, 201, (response) => without('location', response)), 'headers', 'the header Location is not as declared'],
    [
      'a Location where nothing is',
      replacing(shop, 201, (response) => withLine('Location', '/stones/999999', response)),
      'location',
      'GET of it gets 404',
    ],
    [
      'a Location of something else',
      replacing(shop, 201, (response) => withLine('Location', '/stones/0', response)),
      'location',
      'the server did not store what was sent',
    ],
    ['another status', replacing(shop, 201, (response) => ({ ...response, status: 200 })), 'status', 'got 200'],
  ],
}

/** The faults of a reply without a body. */
const bodiless = (word: string, response: unknown, value: unknown, status: number): Planted => {
  const api = returning(response)
  const server = serving(api, () => value)
  return {
    words: [word],
    api,
    at: 'it',
    right: [server],
    options: { requests: 150 },
    faults: [
      ['another success', replacing(server, status, () => plain('a')), 'status', 'got 200'],
      ['another redirection', replacing(server, status, () => ({ ...bare(307), headers: ['Location', '/'] })), 'status', 'got 307'],
      ['an error', replacing(server, status, () => plain('gone', 410)), 'status', 'got 410'],
    ],
  }
}

const named = rangePagination(Stone, { name: { codec: text, get: ({ name }) => name } }, { key: ({ name }) => name, default: 'name' })
const stones = ['Agate', 'Beryl', 'Citrine', 'Diamond', 'Emerald'].map((name): Stone => ({ name, hardness: 7 }))
const paging = { it: endpoint('GET /it', { ...named.declaration }) }
const paged = serve(paging, { it: (input) => named.page(input, stones, { link: (range) => `/it?range=${encodeURIComponent(range)}` }) })
const pages: Planted = {
  words: ['pagination', 'partialContent'],
  api: paging,
  at: 'it',
  right: [paged],
  faults: [
    [
      'no link to the next page',
      changing(paged, (response) => without('link', response)),
      'pagination',
      'has Next-Range, but no link to the next page',
    ],
    [
      'no Next-Range',
      changing(paged, (response) => without('next-range', response)),
      'pagination',
      'has a link to the next page, but no Next-Range',
    ],
    [
      'another count',
      changing(paged, (response) => withLine('Total-Count', '6', response)),
      'pagination',
      'Total-Count is 6, the pages have',
    ],
    ['the whole in place of a part', replacing(paged, 206, (response) => ({ ...response, status: 200 })), 'status', 'got 200'],
  ],
}

export const responses: readonly Planted[] = [
  negotiation,
  successes,
  constants,
  deprecated,
  rateLimits,
  creations,
  bodiless('noContent', noContent, undefined, 204),
  bodiless('seeOther', seeOther, withHeaders({ Location: '/' }), 303),
  pages,
  mediaFaults(['ok', 'json'], ok(Stone), agate, '{"name":7}'),
  mediaFaults(['text'], ok(text), 'text', Uint8Array.of(0xff)),
  mediaFaults(['bytes'], ok(bytes), Uint8Array.of(1)),
  mediaFaults(['byteStream'], ok(byteStream('image/png')), [Uint8Array.of(1)]),
  mediaFaults(['ndjson'], ok(ndjson(Stone)), [agate], '{"name":7}\n'),
  mediaFaults(['list'], ok(list(Stone)), [agate], '[{"name":7}]'),
  mediaFaults(['mediaType'], ok(content(Stone, csv)), agate, 'Agate'),
]
