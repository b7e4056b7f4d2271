/** An API with what the service has no use for: cookies, redirects, PATCH, CORS, compression, caching and the headers for browsers. */
import { cookie, endpoint, mergePatch, noContent, ok, reply, setCookie, text, withHeaders } from 'lapidary'
import { cacheControl, compression, cors, securityHeaders } from 'lapidary/middleware'
import { serve } from 'lapidary/server'

const redirects = /** @type {const} */ ([300, 301, 302, 303, 307, 308])
const origin = 'http://a.example'

/** The requests to it. @type {import('./exchanges.mjs').Plan} */
export const plan = {
  targets: ['/cookies', ...redirects.map((status) => `/to/${status}`), '/page', '/reset'],
  special: [
    ['GET', '/page', { origin, 'accept-encoding': 'gzip' }],
    ['HEAD', '/page', { origin, 'accept-encoding': 'gzip' }],
    ['OPTIONS', '/page', { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'content-type' }],
    ['PATCH', '/page', { 'content-type': 'application/merge-patch+json' }, '{}'],
    ['PATCH', '/page', { 'content-type': 'text/plain' }, 'a'],
    ['GET', '/page', { 'upgrade-insecure-requests': '1' }],
  ],
}

const location = { headers: { Location: text } }
const anything = {
  '~standard': {
    version: 1,
    vendor: 'conformance',
    validate: (value) => ({ value }),
    jsonSchema: { input: () => ({}), output: () => ({}) },
  },
}

const api = {
  start: endpoint('GET /', { response: ok(text) }),
  cookies: endpoint('GET /cookies', {
    response: reply(204, undefined, {
      headers: { 'Set-Cookie': setCookie({ theme: cookie(text, { maxAge: 60 }), session: cookie(text) }) },
    }),
  }),
  ...Object.fromEntries(
    redirects.map((status) => [`to${status}`, endpoint(`GET /to/${status}`, { response: reply(status, text, location) })]),
  ),
  page: endpoint('GET /page', { response: ok(text), etag: true }),
  change: endpoint('PATCH /page', { body: mergePatch(anything), response: noContent }),
  reset: endpoint('GET /reset', { response: reply(205) }),
}

export const server = serve(
  api,
  {
    start: () => 'Start.',
    cookies: () => withHeaders({ 'Set-Cookie': { theme: 'dark', session: 'a' } }),
    ...Object.fromEntries(redirects.map((status) => [`to${status}`, () => withHeaders('Go on.', { Location: '/page' })])),
    page: () => 'A page. '.repeat(1_000),
    change: () => undefined,
    reset: () => undefined,
  },
  {
    middleware: [
      cors({ origins: [origin], credentials: true, exposeHeaders: ['ETag'] }),
      securityHeaders({ 'Permissions-Policy': 'camera=()', 'Cross-Origin-Embedder-Policy': 'require-corp' }),
      cacheControl(),
      compression(),
    ],
  },
)
