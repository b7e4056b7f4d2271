/** `securityHeaders`: what a response gets, and what it keeps. */
import { endpoint, ok, text } from 'lapidary'
import { compose, securityHeaders } from 'lapidary/middleware'
import { fromNodeListener } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { createRequest } from '../support/httpRequest.ts'
import { listen, onNode } from '../support/matrix/adapters.ts'

const policy = "default-src 'self'"
const api = {
  hello: endpoint('GET /hello', { response: ok(text) }),
  page: endpoint('GET /page', { response: ok(text), responseHeaders: { 'content-security-policy': policy } }),
  broken: endpoint('GET /broken', { response: ok(text) }),
}
const handlers = {
  hello: () => 'Hello',
  page: () => 'page',
  broken: () => {
    throw new Error('broken')
  },
}
const defaults = {
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

async function getHeaders(target: string, options?: Parameters<typeof securityHeaders>[0]): Promise<Record<string, string>> {
  const server = serve(api, handlers, { middleware: [securityHeaders(options)], onError: () => {} })
  const { headers } = await server.fetch(new Request(`http://test.invalid${target}`))
  // Headers of one name would be joined by a comma.
  return Object.fromEntries(headers)
}

test.each(['/hello', '/nowhere', '/broken'])('each response has them, an error too: %s', async (target) => {
  expect(await getHeaders(target)).toMatchObject(defaults)
})

test('a header that an endpoint declares stays, in any case', async () => {
  expect(await getHeaders('/page')).toMatchObject({ ...defaults, 'content-security-policy': policy })
})

test('a header can have another value, be left out, or be added, in any case', async () => {
  const options = { 'x-frame-options': 'SAMEORIGIN', 'Strict-Transport-Security': false, 'Permissions-Policy': 'camera=()' } as const
  const { 'strict-transport-security': _, ...others } = defaults
  const found = await getHeaders('/hello', options)
  expect(found).toMatchObject({ ...others, 'x-frame-options': 'SAMEORIGIN', 'permissions-policy': 'camera=()' })
  expect(found).not.toHaveProperty('strict-transport-security')
})

test.each<[string, unknown, string]>([
  ['Strict Transport', 'x', 'securityHeaders(): a name is "Strict Transport", expected the name of a header.'],
  [
    'Referrer-Policy',
    'a\r\nSet-Cookie: a=b',
    'securityHeaders(): Referrer-Policy is "a\\r\\nSet-Cookie: a=b", expected the text of a header',
  ],
  ['Referrer-Policy', '', 'securityHeaders(): Referrer-Policy is "", expected the text of a header'],
  ['Referrer-Policy', true, 'securityHeaders(): Referrer-Policy is true, expected the text of a header, or false to leave it out.'],
])('%s: %j is refused', (name, value, message) => {
  expect(() => securityHeaders({ [name]: value as string })).toThrow(message)
})

test('a middleware that was not called is refused', () => {
  expect(() => securityHeaders((() => {}) as never)).toThrow('securityHeaders() takes its options, but got a function.')
})

test.runIf(onNode)('a response that a mounted listener has sent itself is left alone', async () => {
  const handler = compose(
    [securityHeaders()],
    fromNodeListener((_request, response) => void response.end('foreign')),
  )
  const running = await listen(handler)
  onTestFinished(() => running.close({ drain: 0 }))
  expect(await (await fetch(running.url)).text()).toBe('foreign')
})

test('the handler behind it may respond at once or later', async () => {
  const response = { status: 204, headers: [], body: null }
  for (const handler of [() => response, async () => response])
    expect((await compose([securityHeaders({})], handler)(createRequest('/'))).headers).toContain('nosniff')
})
