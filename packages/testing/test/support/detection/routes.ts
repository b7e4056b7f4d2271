/** Faults of routes: paths, methods and mounts. */
import { type AnyEndpoint, type Api, endpoint, healthEndpoints, int, list, mount, noContent, ok, prefix, text } from 'lapidary'
import { type HttpHandler, healthHandlers, serve } from 'lapidary/server'
import { z } from 'zod'
import { agate, bare, changing, type Planted, plain, replacing, Stone, silent, withLine, without } from './planted.ts'

const files = { file: endpoint('GET /files/*path', { response: ok(text) }) }
const fileServer = serve(files, { file: ({ params }) => params.path })
const others = { ...files, one: endpoint('GET /files/:id', { response: ok(text) }) }
/** The same server, with another response to some targets. */
const withOtherResponse =
  (isFaulty: (target: string) => boolean, status: number): HttpHandler =>
  (request) =>
    isFaulty(request.target) ? plain('text', status) : fileServer(request)
const rest: Planted = {
  words: ['*path'],
  api: files,
  at: 'file',
  right: [fileServer],
  faults: [
    ['an encoded slash that is read', withOtherResponse((target) => /%2f/i.test(target), 200), 'captures', /\*path contains %2F/],
    ['a second segment that is not read', withOtherResponse((target) => /^\/files\/[^/]+\/./.test(target), 404), 'status', /404/],
    ['an encoded segment that is not read', withOtherResponse((target) => /%(?!2f)/i.test(target), 500), 'no-server-error', /500/],
  ],
}
const restAndOne: Planted = {
  words: ['*path'],
  api: others,
  at: 'file',
  right: [serve(others, { file: ({ params }) => params.path, one: ({ params }) => params.id })],
  faults: [],
}

const shops = (shop = int({ min: 1 })) => prefix('/shops/:shop', { shop }, { name: endpoint('GET /name', { response: ok(text) }) })
const inShops = (nameOf: (shop: number) => string, shop?: ReturnType<typeof int>): HttpHandler =>
  serve(shops(shop), { name: ({ params }) => nameOf(params.shop) }, silent)
const anyShop = prefix('/shops/:shop', { name: endpoint('GET /name', { response: ok(text) }) })
const first = { name: endpoint('GET /shops/1/name', { response: ok(text) }) }
const prefixes: Planted = {
  words: ['prefix'],
  api: shops(),
  at: 'name',
  right: [inShops((shop) => `Shop ${shop}`)],
  options: { requests: 200 },
  faults: [
    ['any text is a shop', serve(anyShop, { name: () => 'a' }), 'captures', /:shop is ".*": expected 400 or 404, got 200/],
    ['one shop alone is there', serve(first, { name: () => 'Shop 1' }), 'status', 'got 404'],
    ['no bound is known', inShops(() => 'a', int), 'captures', ':shop is "0": expected 400 or 404, got 200'],
    [
      'a shop that fails',
      inShops((shop) => {
        if (shop > 3) throw new Error('planted')
        return 'a'
      }),
      'no-server-error',
      'got 500',
    ],
  ],
}

const Filter = z.object({ word: z.string().min(1) })
const search = { it: endpoint('QUERY /stones', { body: Filter, response: ok(list(z.string())) }) }
const searching = serve(search, { it: ({ body }) => [body.word] })
const queries: Planted = {
  words: ['QUERY'],
  api: search,
  at: 'it',
  right: [searching],
  options: { requests: 200, write: false },
  faults: [
    [
      'a failure',
      serve(
        search,
        {
          it: () => {
            throw new Error('planted')
          },
        },
        silent,
      ),
      'no-server-error',
      'got 500',
    ],
    ['a method that is not known', (request) => (request.method === 'QUERY' ? plain('', 405) : searching(request)), 'status', 'got 405'],
    ['a wrong response', replacing(searching, 200, (response) => ({ ...response, body: '[7]' })), 'body', 'the body is not as declared'],
    [
      'an invalid body that is taken',
      replacing(searching, 400, () => ({ ...bare(200), headers: ['Content-Type', 'application/json'], body: '[]' })),
      'request-body',
      'expected 400, got 200',
    ],
    [
      'Allow without it',
      changing(searching, (response) => (response.status === 405 ? withLine('Allow', 'OPTIONS', response) : response)),
      'methods',
      'expected Allow to be QUERY, got OPTIONS',
    ],
  ],
}

const purge = (method: 'PURGE' | 'POST' = 'PURGE') => ({
  it: endpoint(`${method} /cache/:name`, { params: { name: text }, response: noContent }) as AnyEndpoint,
})
const purging = serve(purge() as Api, { it: () => {} } as never)
const methods: Planted = {
  words: ['further methods'],
  api: purge(),
  at: 'it',
  right: [purging],
  options: { requests: 200 },
  faults: [
    ['another method in its place', serve(purge('POST') as Api, { it: () => {} } as never), 'status', 'got 405'],
    [
      'Allow without it',
      changing(purging, (response) => (response.status === 405 ? withLine('Allow', 'OPTIONS', response) : response)),
      'methods',
      'expected Allow to be PURGE, got OPTIONS',
    ],
    [
      'it serves other methods',
      (request) => purging(request.method === 'GET' ? { ...request, method: 'PURGE' } : request),
      'methods',
      'GET is not declared: expected 405',
    ],
    [
      'OPTIONS without it',
      changing(purging, (response, { method }) => (method === 'OPTIONS' ? without('allow', response) : response)),
      'options',
      'expected Allow to be PURGE',
    ],
  ],
}

const stone = { stone: endpoint('GET /stones/:id', { params: { id: int }, response: ok(Stone) }) }
const site = { ...stone, pages: mount('/') }
const page = plain('A page.')
const siteServer = serve(site, { stone: () => agate, pages: () => page })
const hiding =
  (isHidden: (method: string, target: string) => boolean): HttpHandler =>
  (request) =>
    isHidden(request.method, request.target) ? page : siteServer(request)
const fallback: Planted = {
  words: ['mount'],
  api: site,
  at: 'stone',
  right: [siteServer],
  options: { requests: 200 },
  faults: [
    [
      'it hides an endpoint',
      hiding((method, target) => method === 'GET' && /^\/stones\/-?\d+$/.test(target)),
      'body',
      'expected Content-Type to be application/json',
    ],
    [
      'it takes other methods of an endpoint',
      serve(stone, { stone: () => agate }, { fallback: () => page }),
      'methods',
      'is not declared: expected 405',
    ],
    [
      'it takes invalid captures',
      hiding((_, target) => /^\/stones\/(?!-?\d+(?:$|\?))[^/]*$/.test(target)),
      'captures',
      'expected 400 or 404, got 200',
    ],
  ],
}

const endpoints: Planted = {
  words: ['endpoint'],
  api: files,
  at: 'file',
  right: [],
  faults: [
    ['a path that is nowhere', () => plain('', 404), 'status', 'got 404'],
    ['every path is served', () => plain('a'), 'methods', 'expected 405, got 200'],
    [
      'HEAD is another',
      (request) => (request.method === 'HEAD' ? plain('', 404) : fileServer(request)),
      'head',
      'GET has status 200, HEAD has 404',
    ],
  ],
}

const healthServer = serve(healthEndpoints(), healthHandlers())
const health: Planted = {
  words: ['healthEndpoints'],
  api: healthEndpoints(),
  at: 'ready',
  right: [healthServer],
  faults: [
    ['it has another type', replacing(healthServer, 200, () => plain('ready')), 'body', 'expected Content-Type to be'],
    [
      'the body has another status',
      replacing(healthServer, 200, (response) => ({ ...response, body: '{"status":"fine"}' })),
      'body',
      'the body is not as declared',
    ],
    ['a process that is ready has no body', replacing(healthServer, 200, () => bare(204)), 'status', 'got 204'],
  ],
}

export const routes: readonly Planted[] = [health, rest, restAndOne, prefixes, queries, methods, fallback, endpoints]
