/** `fromOpenApi`: what each part of a document becomes, and which limit says what an API cannot say. */
import { fromOpenApi, type LimitKind } from '@lapidary/openapi'
import { type ApiManifest, type EndpointManifest, manifest } from '@lapidary/testing'
import { describe, expect, test } from 'vitest'

type Json = Readonly<Record<string, unknown>>

const noContent = { responses: { 204: { description: '' } } }

const createDocument = (paths: Json, rest: Json = {}): Json => ({ openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths, ...rest })

const read = (paths: Json, rest?: Json): { readonly endpoints: ApiManifest['endpoints']; readonly limits: readonly LimitKind[] } => {
  const { api, limits } = fromOpenApi(createDocument(paths, rest))
  return { endpoints: manifest(api).endpoints, limits: limits.map(({ kind }) => kind) }
}

/** The only endpoint of a document, and its limits. */
function readOne(
  operation: Json,
  rest?: Json,
  path = '/a',
): { readonly endpoint: EndpointManifest; readonly limits: readonly LimitKind[] } {
  const { endpoints, limits } = read({ [path]: { post: operation } }, rest)
  const [endpoint] = Object.values(endpoints)
  if (endpoint === undefined) throw new Error(`no endpoint; limits: ${limits.join()}`)
  return { endpoint, limits }
}

const json = (schema: unknown): Json => ({ content: { 'application/json': { schema } } })

describe('names', () => {
  test.each([
    ['listPets', undefined, 'listPets'],
    ['repos/get', undefined, 'repos.get'],
    ['actions/list-artifacts-for-repo', 'actions', 'actions.listArtifactsForRepo'],
    ['usersList', 'users', 'users.list'],
    ['PetsController_findAll', undefined, 'petsController_findAll'],
    [undefined, 'pets', 'postA'],
    ['users', 'users', 'users'],
  ])('%s of the tag %s is %s', (operationId, tag, expected) => {
    const { endpoints } = read({ '/a': { post: { operationId, ...(tag && { tags: [tag] }), ...noContent } } })
    expect(Object.keys(endpoints)).toEqual([expected])
  })

  test('a name that is taken gets a number, and no endpoint is a group', () => {
    const operation = (operationId: string): Json => ({ get: { operationId, ...noContent } })
    const { endpoints } = read({
      '/a': operation('a'),
      '/b': operation('a'),
      '/c': operation('a/b'),
      '/d': operation('c/d'),
      '/e': operation('c'),
    })
    expect(Object.keys(endpoints).sort()).toEqual(['a', 'a2', 'aB', 'c.d', 'c2'])
  })

  test('each operationId has the name of its endpoint; of two with one id, the first', () => {
    const operation = (operationId?: string, ...tags: readonly string[]): Json => ({ get: { operationId, tags, ...noContent } })
    const { operationIds } = fromOpenApi({
      ...{ openapi: '3.1.0', info: { title: 'T', version: '1' } },
      paths: {
        '/a': operation('listPets'),
        '/b': operation('repos/get'),
        '/c': operation('usersList', 'users'),
        '/d': operation('listPets'),
        '/e': operation(),
      },
    })
    expect([...operationIds]).toEqual([
      ['listPets', 'listPets'],
      ['repos/get', 'repos.get'],
      ['usersList', 'users.list'],
    ])
  })

  test('names of inherited members are names, and none reaches a prototype', () => {
    const ids = ['__proto__/polluted', 'constructor.prototype.then', '__proto__', 'toString', 'a.toString.b', 'valueOf/c']
    const { endpoints } = read(
      Object.fromEntries(ids.map((operationId, index) => [`/${'abcdef'[index]}`, { get: { operationId, ...noContent } }])),
    )
    expect(Object.keys(endpoints).sort()).toEqual([
      ...['a.toString.b', 'constructor.prototype.then', 'proto.polluted', 'proto2', 'toString', 'valueOf.c'],
    ])
    expect([Reflect.get({}, 'polluted'), Reflect.get(Object, 'then'), Reflect.get(Object.prototype.toString, 'b')]).toEqual([
      ...[undefined, undefined, undefined],
    ])
  })
})

describe('paths', () => {
  test.each<[path: string, expected: string | undefined, limits: readonly LimitKind[]]>([
    ['/users/{id}', '/users/:id', []],
    ['/', '/', []],
    ['/users/', '/users/', []],
    ['/users/{id}/', '/users/:id/', []],
    ['/users/{user-id}', '/users/:userId', ['parameter-name']],
    ['/users/{2}', '/users/:_2', ['parameter-name']],
    ['/caf%C3%A9', '/café', []],
    ['/files/{name}.json', undefined, ['path']],
    ['/operations/{name}:cancel', undefined, ['path']],
    ['/a//b', undefined, ['path']],
    ['/a%2Fb', undefined, ['path']],
    ['/a?x=1', undefined, ['path']],
    ['/{a}/{a}', undefined, ['path']],
    ['a', undefined, ['path']],
  ])('%s is %s', (path, expected, limits) => {
    const found = read({ [path]: { get: noContent } })
    expect([Object.values(found.endpoints)[0]?.path, found.limits]).toEqual([expected, limits])
  })

  test('methods that the server answers itself are left out, and others stay', () => {
    const item = {
      get: noContent,
      head: noContent,
      options: noContent,
      trace: noContent,
      query: noContent,
      additionalOperations: { REPORT: noContent, 'NO SUCH': noContent },
    }
    const { endpoints, limits } = read({ '/a': item })
    expect(Object.values(endpoints).map(({ method }) => method)).toEqual(['GET', 'QUERY', 'REPORT'])
    expect(limits).toEqual(['method', 'method', 'method', 'method'])
  })

  test('of two operations with one route, the first is read', () => {
    const { endpoints, limits } = read({ '/{a}': { get: noContent }, '/{b}': { get: noContent } })
    expect([Object.keys(endpoints).length, limits]).toEqual([1, ['endpoint']])
  })
})

describe('parameters', () => {
  const strings = { type: 'array', items: { type: 'string' } }
  const point = { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } }, required: ['x'] }

  test.each<[name: string, parameter: Json, expected: Json, limits: readonly LimitKind[]]>([
    ['an integer', { in: 'query', schema: { type: 'integer' } }, { p: 'integer' }, []],
    ['a list', { in: 'query', schema: strings }, { p: 'list of text' }, []],
    ['a list in one text', { in: 'query', schema: strings, explode: false }, { p: 'list of text' }, []],
    ['a list with spaces', { in: 'query', schema: strings, style: 'spaceDelimited' }, { p: 'list of text' }, []],
    ['a list with pipes', { in: 'query', schema: strings, style: 'pipeDelimited' }, { p: 'list of text' }, []],
    ['a deep object', { in: 'query', schema: point, style: 'deepObject' }, { 'p[x]': 'integer', 'p[y]': 'integer' }, []],
    ['an object of the query', { in: 'query', schema: point }, { x: 'integer', y: 'integer' }, []],
    ['an object in one text', { in: 'query', schema: point, explode: false }, { p: 'text' }, ['parameter-style']],
    ['a deep object without names', { in: 'query', schema: { type: 'object' }, style: 'deepObject' }, { p: 'text' }, ['parameter-form']],
    ['JSON', { in: 'query', ...json(point) }, { p: 'text' }, ['parameter-form']],
    ['any value', { in: 'query', schema: {} }, { p: 'text' }, ['parameter-form']],
    ['no schema', { in: 'query' }, { p: 'text' }, []],
    ['a flag', { in: 'query', schema: { type: 'boolean', const: true }, allowEmptyValue: true }, { p: 'flag' }, []],
    ['reserved characters', { in: 'query', schema: { type: 'string' }, allowReserved: true }, { p: 'text' }, ['allow-reserved']],
    ['a header', { in: 'header', schema: { type: 'boolean' } }, { p: 'boolean' }, []],
    ['a list in a header', { in: 'header', schema: strings }, { p: 'list of text' }, []],
    ['a cookie', { in: 'cookie', schema: { type: 'string', enum: ['a', 'b'] } }, { p: 'choice' }, []],
    ['a list in a cookie', { in: 'cookie', schema: strings }, { p: 'text' }, ['parameter-style']],
    ['another place', { in: 'body', schema: strings }, {}, ['parameter-form']],
  ])('%s', (_, parameter, expected, limits) => {
    const { endpoint, limits: found } = readOne({ parameters: [{ name: 'p', ...parameter }], ...noContent })
    const all = { ...endpoint.query, ...endpoint.headers, ...endpoint.cookies }
    expect([Object.fromEntries(Object.entries(all).map(([name, { codec }]) => [name, codec])), found]).toEqual([expected, limits])
  })

  test.each<[style: string | undefined, schema: Json, codec: string, limits: readonly LimitKind[]]>([
    [undefined, { type: 'integer' }, 'integer', []],
    ['matrix', { type: 'integer' }, 'text', ['parameter-style']],
    ['label', { type: 'integer' }, 'text', ['parameter-style']],
    ['simple', strings, 'text', ['parameter-style']],
  ])('a capture in the style %s of %j is %s', (style, schema, codec, limits) => {
    const { endpoint, limits: found } = readOne(
      { parameters: [{ name: 'id', in: 'path', required: true, style, schema }], ...noContent },
      {},
      '/{id}',
    )
    expect([endpoint.captures['id']?.codec, found]).toEqual([codec, limits])
  })

  test('defaults, required parameters and those of the path count', () => {
    const { endpoints } = read({
      '/a': {
        parameters: [
          { name: 'p', in: 'query', schema: { type: 'string' } },
          { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
        ],
        get: { parameters: [{ name: 'p', in: 'query', schema: { type: 'integer', default: 3 } }], ...noContent },
      },
    })
    const { p, q } = endpoints['getA']?.query ?? {}
    expect([p, q?.required]).toEqual([{ codec: 'integer', required: false, repeats: false, schema: { type: 'integer' }, default: 3 }, true])
  })

  test.each<[name: string, limits: readonly LimitKind[]]>([
    ['Authorization', ['header']],
    ['Content-Length', ['header']],
    ['Vary', []],
    ['no name', ['parameter-name']],
  ])('the header %s is left out', (name, limits) => {
    const { endpoint, limits: found } = readOne({ parameters: [{ name, in: 'header', schema: { type: 'string' } }], ...noContent })
    expect([endpoint.headers, found]).toEqual([{}, limits])
  })
})

test.each<[name: string, rest: Json]>([
  ['an operation is null', { paths: { '/a': { get: null } } }],
  ['a parameter is null', { paths: { '/a': { get: { parameters: [null] } } } }],
  ['the media types are a number', { consumes: 5, paths: { '/a': { post: { parameters: [{ in: 'body', name: 'b' }] } } } }],
])('a document of Swagger 2.0 that cannot be converted is refused with a sentence: %s', (_, rest) => {
  expect(() => fromOpenApi({ swagger: '2.0', info: { title: 'Test', version: '1' }, ...rest })).toThrow(
    /^expected a valid document of Swagger 2\.0: it cannot be converted to OpenAPI 3\.0 \(.+\)$/,
  )
})

describe('a part with a value that it cannot have is a limit at its place, and the rest is read', () => {
  const media = (schema: unknown): Json => ({ 'multipart/form-data': { schema } })

  test.each<[operation: Json, place: string]>([
    [{ responses: { 200: null, 204: {} } }, '/responses/200'],
    [{ responses: { 204: {}, default: null } }, '/responses/default'],
    [{ responses: { 204: {}, '4XX': 5 } }, '/responses/4XX'],
    [{ responses: { 204: { headers: { X: null } } } }, '/responses/204/headers/X'],
    [{ ...noContent, parameters: 5 }, '/parameters'],
    [{ ...noContent, parameters: [null] }, '/parameters/0'],
    [{ ...noContent, requestBody: [] }, '/requestBody'],
    [{ ...noContent, requestBody: { content: { 'text/plain': 5 } } }, '/requestBody/content/text~1plain'],
    [{ ...noContent, security: 5 }, '/security'],
  ])('%j', (operation, place) => {
    const { api, limits } = fromOpenApi(createDocument({ '/a': { post: operation } }))
    expect(Object.keys(manifest(api).endpoints)).toEqual(['postA'])
    expect(limits).toMatchObject([{ kind: 'malformed-part', pointer: `/paths/~1a/post${place}` }])
  })

  test.each<[paths: unknown, openapi: string, places: readonly string[]]>([
    [[1, 2], '3.1.0', ['/paths']],
    ['x', '3.1.0', ['/paths']],
    [undefined, '3.1.0', []],
    [undefined, '3.0.3', ['/paths']],
    [{ '/a': [], '/b': { get: 5, put: null } }, '3.1.0', ['/paths/~1a', '/paths/~1b/get', '/paths/~1b/put']],
    [{ 'x-note': 5, '/a': { post: { ...noContent, responses: { ...noContent.responses, 'x-note': 5 } } } }, '3.1.0', []],
  ])('paths: %j of %s', (paths, openapi, places) => {
    const { limits } = fromOpenApi({ openapi, info: { title: 'Test', version: '1' }, paths })
    expect(limits.map(({ kind, pointer }) => `${kind} ${pointer}`)).toEqual(places.map((place) => `malformed-part ${place}`))
  })

  test('the message says what was expected', () => {
    const [limit] = fromOpenApi(createDocument({ '/a': [] })).limits
    expect(limit?.message).toBe('Expected an object, got an array. It is left out.')
  })

  test.each<[content: Json, place: string]>([
    [media({ type: 'object', properties: { a: null, b: { type: 'string' } } }), '/properties/a'],
    [media({ $ref: null, type: 'object', properties: { b: { type: 'string' } } }), '/$ref'],
  ])('a schema in %j', (content, place) => {
    const { api, limits } = fromOpenApi(createDocument({ '/a': { post: { ...noContent, requestBody: { required: true, content } } } }))
    expect(Object.keys(manifest(api).endpoints)).toEqual(['postA'])
    const pointer = `/paths/~1a/post/requestBody/content/multipart~1form-data/schema${place}`
    expect(limits).toMatchObject([{ kind: 'malformed-schema', pointer }])
  })
})
