/** The versions of OpenAPI: what each of them calls the same thing, and what the older ones leave out. */
import {
  type AnyAuth,
  type AnyEndpoint,
  type Api,
  authScheme,
  bearer,
  bytes,
  codec,
  content,
  endpoint,
  events,
  file,
  flag,
  json,
  mediaType,
  multipart,
  ndjson,
  noContent,
  ok,
  optional,
  reply,
  text,
  webhook,
} from 'lapidary'
import {
  type OpenApiDocument,
  type OpenApiOptions,
  type OpenApiVersion,
  type OperationObject,
  openapi,
  type PathItemObject,
  type ResponseObject,
} from 'lapidary/openapi'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Book = z.object({ title: z.string(), pages: z.int().nullable() })
const book = { $ref: '#/components/schemas/Book' }

const document = <Version extends OpenApiVersion>(
  api: Api,
  version: Version,
  options: Partial<OpenApiOptions<Version>> = {},
): Promise<OpenApiDocument<Version>> => openapi(api, { title: 'Test', version: '1.0.0', schemas: { Book }, ...options, openapi: version })

/** A part of the documents of one API, in each version. */
async function inVersions<Part>(
  api: Api,
  select: (document: OpenApiDocument<OpenApiVersion>) => Part,
  options: Partial<OpenApiOptions> = {},
) {
  const [of30, of31, of32] = await Promise.all((['3.0', '3.1', '3.2'] as const).map((version) => document(api, version, options as object)))
  return [of30, of31, of32].map((one) => (one === undefined ? undefined : select(one)))
}

/** The operations of a path, in any version. */
const operationsOf = (item: PathItemObject<OpenApiVersion>): readonly OperationObject<OpenApiVersion>[] =>
  Object.entries(item).flatMap(([key, value]) => (key.endsWith('dditionalOperations') ? Object.values(value) : [value]))

const bare = { response: noContent }
const one = (endpoint: AnyEndpoint): Api => ({ one: endpoint })

/** The body of the first success. */
const contentOf = ({ paths }: OpenApiDocument<OpenApiVersion>): ResponseObject<OpenApiVersion>['content'] => {
  const success = paths['/']?.get?.responses['200'] as ResponseObject<OpenApiVersion>
  return success.content
}

test('a document names its version; 3.1 is the default', async () => {
  expect(await inVersions({}, ({ openapi: release }) => release)).toEqual(['3.0.4', '3.1.1', '3.2.0'])
  expect(await openapi({}, { title: 'Test', version: '1.0.0' })).toEqual(await document({}, '3.1', { schemas: {} }))
})

test('another version is a mistake', async () => {
  // @ts-expect-error: the option is a version of the specification, without its last number
  await expect(openapi({}, { title: 'Test', version: '1.0.0', openapi: '3.1.0' })).rejects.toThrow(
    new TypeError(
      `openapi(): openapi is "3.1.0", expected a version of the OpenAPI Specification. Write one of '3.0', '3.1', '3.2', or remove the option.`,
    ),
  )
})

test('methods: QUERY is one of 3.2, and others are additional operations', async () => {
  const api = {
    get: endpoint('GET /', bare),
    query: endpoint('QUERY /', bare),
    purge: endpoint('PURGE /', bare),
    other: endpoint('QUERY /other', bare),
  }
  const keys = await inVersions(api, ({ paths }) =>
    Object.values(paths).map((item) =>
      Object.entries(item).map(([key, value]) => [key, Object.keys(value)].slice(0, /[A-Z]/.test(key) ? 2 : 1)),
    ),
  )
  const extension = [[['get'], ['x-additionalOperations', ['QUERY', 'PURGE']]], [['x-additionalOperations', ['QUERY']]]]
  expect(keys).toEqual([extension, extension, [[['get'], ['query'], ['additionalOperations', ['PURGE']]], [['query']]]])
})

test('3.0 has no webhooks: they are in an extension', async () => {
  const api = { paid: webhook('order.paid', { body: z.object({ id: z.int(), note: z.string().nullable() }) }) }
  const documents = await inVersions(api, (all) => all)
  expect(documents.map((one) => Object.keys(one ?? {}).filter((key) => key.endsWith('webhooks')))).toEqual([
    ['x-webhooks'],
    ['webhooks'],
    ['webhooks'],
  ])
  const [of30, of31, of32] = documents.map((one) => Object(one?.webhooks ?? one?.['x-webhooks'])['order.paid'].post)
  expect(of32).toEqual(of31)
  const noteOf = ({ requestBody }: OperationObject): unknown => Object(requestBody?.content['application/json']?.schema).properties.note
  expect(noteOf(of30)).toEqual({ type: 'string', nullable: true })
  expect(noteOf(of31)).toEqual({ type: ['string', 'null'] })
  expect([of30.security, documents[0]?.components.securitySchemes]).toEqual([of31.security, documents[1]?.components.securitySchemes])
})

test('a stream has the schema of one value', async () => {
  const stream = endpoint('GET /', {
    response: ok(ndjson(Book)),
    examples: { response: [{ title: 'The Waves', pages: null }] },
  })
  const line = '{"title":"The Waves","pages":null}\n'
  const string = { type: 'string', description: expect.stringContaining('`x-itemSchema` describes one value.') }
  const older = { schema: string, example: line, 'x-itemSchema': book }
  const types = (media: object) => ({ 'application/x-ndjson': media, 'application/jsonl': media })
  expect(await inVersions(one(stream), contentOf)).toEqual([
    types(older),
    types(older),
    types({ itemSchema: book, examples: { example: { serializedValue: line } } }),
  ])
})

test('the named examples of a stream are texts', async () => {
  const named = { many: { summary: 'All.', response: [{ title: 'a', pages: 1 }] }, none: { response: [] } }
  const { paths } = await document(one(endpoint('GET /', { response: ok(ndjson(Book)), examples: named })), '3.2')
  expect(paths['/']?.get?.responses['200']).toMatchObject({
    content: {
      'application/jsonl': {
        examples: { many: { summary: 'All.', serializedValue: '{"title":"a","pages":1}\n' }, none: { serializedValue: '' } },
      },
    },
  })
})

test('the stream of a request says how it is written', async () => {
  const api = one(endpoint('POST /', { body: ndjson(Book), response: noContent }))
  const bodies = await inVersions(api, ({ paths }) => paths['/']?.post?.requestBody)
  const description = 'One JSON value per line, ended by a line feed. Each line is sent as soon as its value is available.'
  expect(bodies.map((body) => body?.description)).toEqual([description, description, description])
  expect(bodies[2]?.content['application/x-ndjson']).toEqual({ itemSchema: book, examples: expect.anything() })
})

test('an event is described as it is sent', async () => {
  const event = { event: { type: 'string', const: 'added' }, id: { type: 'string' }, retry: { type: 'integer', minimum: 0 } }
  const data = { type: 'string', contentMediaType: 'application/json', contentSchema: book }
  const item = { anyOf: [{ type: 'object', properties: { ...event, data }, required: ['event', 'data'] }] }
  const item30 = {
    anyOf: [
      {
        type: 'object',
        properties: { ...event, event: { type: 'string', enum: ['added'] }, data: { type: 'string' } },
        required: ['event', 'data'],
      },
    ],
  }
  const [of30, of31, of32] = await inVersions(one(endpoint('GET /', { response: ok(events({ added: Book })) })), contentOf)
  expect(of30).toMatchObject({ 'text/event-stream': { 'x-itemSchema': item30 } })
  expect(of31).toMatchObject({ 'text/event-stream': { 'x-itemSchema': item } })
  expect(of32).toMatchObject({ 'text/event-stream': { itemSchema: item } })
})

test('tags and servers have members that only 3.2 knows', async () => {
  const tags = () => [{ name: 'books', summary: 'Books', description: 'To read.', parent: 'things', kind: 'nav' }]
  const servers = [{ url: '/', name: 'main', description: 'The one.' }]
  const found = await inVersions(one(endpoint('GET /', bare)), (all) => ({ tags: all.tags, servers: all.servers }), { tags, servers })
  const older = { tags: [{ name: 'books', description: 'To read.' }], servers: [{ url: '/', description: 'The one.' }] }
  expect(found).toEqual([older, older, { tags: tags(), servers }])
})

const scheme = (name: string, openapi: Readonly<Record<string, unknown>>) =>
  authScheme<string, string, 'read'>({ name, challenge: 'Key', credentials: () => undefined, openapi })
const flows = { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: { read: '' } } }
const deviceAuthorization = { deviceAuthorizationUrl: 'https://a.example/device', tokenUrl: 'https://a.example/token', scopes: {} }
const oauth = scheme('oauth', {
  type: 'oauth2',
  flows: { ...flows, deviceAuthorization },
  oauth2MetadataUrl: 'https://a.example/.well-known/oauth-authorization-server',
  deprecated: true,
})

test('security schemes have members that only 3.2 knows', async () => {
  const api = one(endpoint('GET /', { auth: oauth.scopes('read'), ...bare }))
  const older = { oauth: { type: 'oauth2', flows } }
  expect(await inVersions(api, ({ components }) => components.securitySchemes)).toEqual([older, older, { oauth: oauth.openapi }])
  expect(await inVersions(api, ({ paths }) => paths['/']?.get?.security)).toEqual(Array(3).fill([{ oauth: ['read'] }]))
})

test.each<[string, AnyAuth, unknown, unknown]>([
  ['3.0 has no mutualTLS', scheme('card', { type: 'mutualTLS' }), [{}], [{ card: [] }]],
  ['3.0 has scopes for OAuth and OpenID Connect alone', bearer<string, 'read'>('b').scopes('read'), [{ b: [] }], [{ b: ['read'] }]],
  [
    '3.0 has scopes for OpenID Connect',
    scheme('id', { type: 'openIdConnect', openIdConnectUrl: 'https://a.example/' }).scopes('read'),
    [{ id: ['read'] }],
    [{ id: ['read'] }],
  ],
])('security: %s', async (_what, auth, of30, newer) => {
  for (const method of ['GET', 'PURGE'] as const) {
    const api = one(endpoint(`${method} /`, { auth, ...bare }))
    const found = await inVersions(api, ({ paths }) => operationsOf(paths['/'] ?? {})[0]?.security)
    expect(found).toEqual([of30, newer, newer])
  }
  const schemes = await inVersions(one(endpoint('GET /', { auth, ...bare })), ({ components }) => Object.keys(components.securitySchemes))
  expect(schemes[0]).toEqual(JSON.stringify(of30) === '[{}]' ? [] : schemes[1])
})

test('3.0: schemas are translated wherever they stand', async () => {
  const Nullable = z.string().nullable()
  const nullable = { type: 'string', nullable: true }
  const blank = codec<string>({ ...text, schema: { type: ['string', 'null'] }, example: 'a' })
  const yaml = mediaType<unknown>({ types: ['application/yaml'], writer: () => () => '' })
  const api = {
    one: endpoint('POST /', {
      query: { loud: flag, word: blank },
      headers: { 'X-Word': blank },
      body: multipart({ title: text, scan: file(), pages: optional(file({ types: ['image/*'] })) }),
      response: ok(json, { headers: { 'X-Word': blank } }),
      errors: [reply(409, Book)],
    }),
    purge: endpoint('PURGE /', { body: content(Nullable, json), response: ok(bytes) }),
    yaml: endpoint('GET /', { response: ok(yaml) }),
  }
  const { paths, components } = await document(api, '3.0')
  const { post, get, 'x-additionalOperations': others } = paths['/'] ?? {}
  expect(post?.parameters).toMatchObject([
    { name: 'loud', schema: { type: 'boolean', enum: [true] } },
    { name: 'word', schema: nullable },
    { name: 'X-Word', schema: nullable },
  ])
  const file30 = { type: 'string', format: 'binary' }
  expect(post?.requestBody?.content['multipart/form-data']).toMatchObject({
    schema: { properties: { title: { type: 'string' }, scan: file30, pages: file30 } },
    encoding: { pages: { contentType: 'image/*' } },
  })
  expect(post?.responses['200']).toMatchObject({
    headers: { 'X-Word': { schema: nullable } },
    content: { 'application/json': { schema: {} } },
  })
  expect(others?.['PURGE']).toMatchObject({
    requestBody: { content: { 'application/json': { schema: nullable } } },
    responses: { 200: { content: { 'application/octet-stream': { schema: file30 } } } },
  })
  expect(get?.responses['200']).toMatchObject({ content: { 'application/yaml': { schema: file30 } } })
  expect(components.schemas['Book']).toMatchObject({ properties: { pages: { type: 'integer', nullable: true } } })
})

test('3.0: the examples of a schema are one, which an optional parameter does not have', async () => {
  const word = { examples: ['a', 'b'] }
  const { paths } = await document(one(endpoint('GET /', { query: { x: text(word), y: optional(text(word)) }, ...bare })), '3.0')
  expect(paths['/']?.get?.parameters).toEqual([
    { name: 'x', in: 'query', required: true, schema: { type: 'string', example: 'a' }, example: 'a' },
    { name: 'y', in: 'query', schema: { type: 'string' } },
  ])
})
