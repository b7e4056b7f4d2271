/** Credentials, webhooks, servers and versions of documents. */
import { fromOpenApi, type LimitKind } from '@lapidary/openapi'
import { type AuthManifest, manifest } from '@lapidary/testing'
import { describe, expect, test } from 'vitest'

type Json = Readonly<Record<string, unknown>>

const info = { title: 'Test', version: '1' }
const noContent = { responses: { 204: { description: '' } } }

describe('credentials', () => {
  const flows = { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: { read: 'Reads.' } } }
  const securitySchemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'The key.' },
    query: { type: 'apiKey', in: 'query', name: 'key' },
    session: { type: 'apiKey', in: 'cookie', name: 'sid' },
    basic: { type: 'http', scheme: 'basic' },
    token: { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' },
    oauth: { type: 'oauth2', flows },
    oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://login.example' },
    digest: { type: 'http', scheme: 'digest' },
    tls: { type: 'mutualTLS' },
    broken: { type: 'apiKey', in: 'body', name: 'key' },
  }

  function read(
    security: unknown,
    used: readonly string[],
    parameters: readonly Json[] = [],
  ): { readonly auth: unknown; readonly limits: readonly LimitKind[] } {
    const schemes = Object.fromEntries(used.map((name) => [name, securitySchemes[name as 'key']]))
    const { api, limits } = fromOpenApi({
      openapi: '3.1.0',
      info,
      paths: { '/a': { get: { security, parameters, ...noContent } } },
      components: { securitySchemes: schemes },
    })
    const { auth, query } = manifest(api).endpoints['getA'] ?? {}
    expect(query).toEqual({})
    const shorten = ({ name, scopes }: AuthManifest): string => [name, ...scopes].join(':')
    return { auth: auth?.map((all) => all.map(shorten).join('+')) ?? null, limits: limits.map(({ kind }) => kind) }
  }

  test.each<[security: unknown, used: readonly string[], expected: readonly string[] | null, limits: readonly LimitKind[]]>([
    [undefined, [], null, []],
    [[], [], null, []],
    [[{ key: [] }], ['key'], ['key'], []],
    [[{ query: [] }], ['query'], ['query'], []],
    [[{ session: [] }, {}], ['session'], ['session', ''], []],
    [[{}, { basic: [] }], ['basic'], ['basic', ''], []],
    [[{ key: [], token: [] }], ['key', 'token'], ['key+token'], []],
    [[{ key: [] }, { token: [] }], ['key', 'token'], ['key', 'token'], []],
    [[{ oauth: ['write', 'read'] }], ['oauth'], ['oauth:read:write'], []],
    [[{ oauth: ['has space'] }], ['oauth'], ['oauth'], ['security']],
    [[{ oidc: [] }], ['oidc'], ['oidc'], []],
    [[{ digest: [] }], ['digest'], ['digest'], ['auth-form']],
    [[{ tls: [] }], ['tls'], null, ['security']],
    [[{ key: [] }, { tls: [] }], ['key', 'tls'], ['key'], ['security']],
    [[{ broken: [] }], ['broken'], null, ['security']],
    [[{ missing: [] }], [], null, ['reference']],
    [[{ token: [] }, { oauth: [] }], ['token', 'oauth'], ['token'], ['security']],
    [[{ token: [], oauth: [] }], ['token', 'oauth'], ['token'], ['security']],
  ])('%j of %j is %j', (security, used, auth, limits) => {
    expect(read(security, used)).toEqual({ auth, limits })
  })

  test('a parameter that is the credentials is declared once', () => {
    expect(read([{ query: [] }], ['query'], [{ name: 'key', in: 'query', schema: { type: 'string' } }]).auth).toEqual(['query'])
  })

  test('the requirements of the document count where an operation has none', () => {
    const document = { openapi: '3.1.0', info, security: [{ key: [] }], components: { securitySchemes: { key: securitySchemes.key } } }
    const { api } = fromOpenApi({ ...document, paths: { '/a': { get: noContent, post: { ...noContent, security: [] } } } })
    const { getA, postA } = manifest(api).endpoints
    expect([getA?.auth, postA?.auth]).toEqual([
      [[{ name: 'key', kind: { in: 'header', name: 'X-Key', type: 'apiKey' }, challenge: 'ApiKey in="header", name="X-Key"', scopes: [] }]],
      null,
    ])
  })
})

describe('webhooks', () => {
  const body = { content: { 'application/json': { schema: { type: 'object', properties: { id: { type: 'integer' } } } } } }

  test.each<[name: string, item: Json, expected: readonly string[], limits: readonly LimitKind[]]>([
    ['order.paid', { post: { requestBody: { ...body, required: true }, responses: { '2XX': {} } } }, ['order.paid'], []],
    ['order.paid', { post: { requestBody: body, ...noContent } }, ['order.paid'], ['webhook', 'webhook']],
    ['order.paid', { post: { ...noContent } }, [], ['webhook']],
    ['order.paid', { put: { requestBody: body, ...noContent } }, [], ['webhook']],
    ['order paid', { post: { requestBody: body, ...noContent } }, [], ['webhook']],
  ])('%s', (name, item, expected, limits) => {
    for (const member of ['webhooks', 'x-webhooks']) {
      const { api, limits: found } = fromOpenApi({ openapi: '3.1.0', info, [member]: { [name]: item } })
      expect([Object.keys(manifest(api).webhooks ?? {}), found.map(({ kind }) => kind)]).toEqual([expected, limits])
    }
  })

  test('callbacks are limits', () => {
    const callbacks = { done: { '{$request.query.url}': { post: { requestBody: body, ...noContent } } } }
    const { limits } = fromOpenApi({ openapi: '3.1.0', info, paths: { '/a': { post: { callbacks, ...noContent } } } })
    expect(limits.map(({ kind, pointer }) => [kind, pointer])).toEqual([['callback', '/paths/~1a/post/callbacks/done']])
  })
})

test('servers have the defaults of their variables', () => {
  const servers = [
    { url: 'https://{region}.example/{base}', variables: { region: { default: 'eu' } }, description: 'The usual one.' },
    { url: '/v1' },
  ]
  const {
    servers: found,
    title,
    version,
    limits,
  } = fromOpenApi({ openapi: '3.1.0', info, servers, paths: { '/a': { servers, get: noContent } } })
  expect([title, version, found]).toEqual([
    'Test',
    '1',
    [{ url: 'https://eu.example/{base}', description: 'The usual one.' }, { url: '/v1' }],
  ])
  expect(limits.map(({ kind }) => kind)).toEqual(['server'])
})

describe('versions', () => {
  test.each<[document: unknown, message: string]>([
    [undefined, 'got undefined'],
    ['openapi: 3.1.0', 'got a string'],
    [[], 'got an array'],
    [{}, 'it has neither "openapi" nor "swagger"'],
    [{ openapi: '4.0.0' }, 'got "4.0.0"'],
    [{ swagger: '1.2' }, 'got "1.2"'],
  ])('%j is refused', (document, message) => {
    expect(() => fromOpenApi(document)).toThrow(message)
  })

  test.each<[document: object, operation: object, types: readonly string[]]>([
    [{}, { produces: ['text/x-yaml'] }, ['text/x-yaml;charset=utf-8']],
    [{ produces: ['application/json'] }, { produces: ['text/x-yaml'] }, ['text/x-yaml;charset=utf-8']],
    [{ produces: ['text/plain'] }, { produces: ['application/json'] }, ['application/json;charset=utf-8', 'application/json']],
    [{ produces: ['text/plain'] }, {}, ['text/plain;charset=utf-8']],
  ])('the media types of an operation of Swagger 2.0 replace those of the document: %j, %j', (document, operation, types) => {
    const get = { operationId: 'get', ...operation, responses: { 200: { description: 'It.', schema: { type: 'string' } } } }
    const { api } = fromOpenApi({ swagger: '2.0', info, ...document, paths: { '/it': { get, parameters: [] } } })
    const { endpoints } = manifest(api)
    const responses = Object.values(endpoints).flatMap((endpoint) => endpoint.responses)
    expect(responses.flatMap(({ body }) => body?.media.flatMap((medium) => medium.types) ?? [])).toEqual(types)
  })

  test('Swagger 2.0 is read as OpenAPI 3.0, and stays as it is', () => {
    const document = {
      swagger: '2.0',
      info,
      host: 'pets.example',
      basePath: '/v1',
      schemes: ['https'],
      consumes: ['application/json'],
      produces: ['application/json'],
      securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      paths: {
        '/pets': {
          post: {
            operationId: 'addPet',
            security: [{ key: [] }],
            parameters: [
              { name: 'dry', in: 'query', type: 'boolean' },
              { name: 'tags', in: 'query', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
              { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
            ],
            responses: { 200: { description: 'ok', schema: { $ref: '#/definitions/Pet' } } },
          },
        },
      },
      definitions: { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
    }
    const before = JSON.stringify(document)
    const { api, servers, limits } = fromOpenApi(document)
    expect([servers, limits, JSON.stringify(document) === before]).toEqual([[{ url: 'https://pets.example/v1' }], [], true])
    const pet = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
    expect(manifest(api).endpoints['addPet']).toMatchObject({
      query: { dry: { codec: 'boolean' }, tags: { codec: 'list of text' } },
      body: { schema: pet },
      responses: [{ status: 200, body: { schema: pet } }],
      auth: [[{ name: 'key' }]],
    })
  })
})
