/** Documents of other programs promise no conventions of the toolkit, and what is derived from them says none. */
import { endpoint, ok, prefix, text } from 'lapidary'
import { markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { expect, test } from 'vitest'
import { fromOpenApi } from '../src/index.ts'

const stone = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const content = { 'application/json': { schema: stone } }
const document = {
  openapi: '3.1.0',
  info: { title: 'Stones', version: '1' },
  security: [{ key: [] }, { token: [] }],
  paths: {
    '/stones/{id}': {
      get: {
        operationId: 'one',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'It.', content }, 404: { description: 'None.' } },
      },
      put: {
        operationId: 'replace',
        deprecated: true,
        security: [{}, { key: [] }],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        requestBody: { required: true, content },
        responses: { 204: { description: 'Replaced.' }, 409: { description: 'Twice.', content } },
      },
    },
    '/news': {
      get: {
        operationId: 'news',
        security: [],
        responses: { 200: { description: 'News.', content: { 'text/event-stream': { schema: { type: 'string' } } } } },
      },
    },
  },
  webhooks: { sold: { post: { requestBody: { content }, responses: { 200: { description: 'Got it.' } } } } },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, token: { type: 'http', scheme: 'bearer' } },
  },
}

const { api, conventions } = fromOpenApi(document)
const options = { title: 'Stones', version: '1' }

/** The statuses and the headers that a document says of its responses. */
const listResponses = (derived: { readonly paths: object; readonly webhooks?: object | undefined }): unknown =>
  Object.fromEntries(
    Object.entries({ ...derived.paths, ...derived.webhooks } as Readonly<Record<string, object>>).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { responses }]) => [
        `${method} ${path}`,
        Object.entries(responses as Readonly<Record<string, { headers?: object; content?: object }>>).map(
          ([status, { headers = {}, content: types = {} }]) => [status, ...Object.keys(headers), ...Object.keys(types)].join(' '),
        ),
      ]),
    ),
  )

const ownResponses = {
  'get /stones/{id}': ['200 application/json', '404'],
  'put /stones/{id}': ['204', '409 application/json'],
  'get /news': ['200 text/event-stream'],
  'post sold': ['2XX'],
}

test('openapi says what the document says', async () => {
  expect(conventions).toBe(false)
  const derived = await openapi(api, options)
  expect(listResponses(derived)).toEqual(ownResponses)
  expect(Object.keys(derived.components.schemas)).not.toContain('Problem')
  expect(JSON.stringify(derived)).not.toMatch(/webhook-id|Vary|heartbeat|WWW-Authenticate/)
  expect(derived.webhooks?.['sold']?.post?.security).toBeUndefined()
})

test('an endpoint keeps it below a prefix, and beside one of the toolkit', async () => {
  const derived = await openapi({ shop: prefix('/shop', api), own: endpoint('GET /own', { response: ok(text) }) }, options)
  expect(listResponses(derived)).toMatchObject({
    'get /shop/stones/{id}': ['200 application/json', '404'],
    'get /own': ['200 text/plain', '400 application/problem+json', '406 Vary application/problem+json', '500 application/problem+json'],
  })
})

test('a server of the toolkit has its conventions', async () => {
  const derived = await openapi(api, { ...options, conventions: true })
  // Errors of several endpoints are components.
  expect(listResponses(derived)).toMatchObject({
    'get /news': ['200 text/event-stream', '400', '406 Vary application/problem+json', '500'],
  })
  expect(fromOpenApi(derived).conventions).toBe(true)
})

test('Markdown says what the document says', async () => {
  const words =
    /HEAD|OPTIONS|nosniff|RFC 9457|problem|Status code (?:400|401|406|413|415|500)|wrong credentials|is verified|webhook-id|Standard Webhooks|charset|comment is sent/
  expect(markdown(await outline(api))).not.toMatch(words)
  expect(markdown(await outline(api, { conventions: true }))).toMatch(words)
})

test('a derived document is read as the same API', async () => {
  const derived = fromOpenApi(await openapi(api, options))
  expect(derived.conventions).toBe(false)
  expect(listResponses(await openapi(derived.api, options))).toEqual(ownResponses)
})
