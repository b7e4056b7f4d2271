/** The OpenAPI document of an API: the object of each part of a description, and rules for the whole document. */
import {
  type AnyAuth,
  type AnyEndpoint,
  type Api,
  array,
  authScheme,
  basic,
  bearer,
  bool,
  bytes,
  codec,
  content,
  endpoint,
  flag,
  form,
  html,
  int,
  json,
  mediaType,
  mount,
  ndjson,
  noContent,
  ok,
  oneOf,
  optional,
  parseError,
  prefix,
  reply,
  text,
  webhook,
} from 'lapidary'
import {
  type OpenApiDocument,
  type OpenApiOptions,
  type OperationObject,
  openapi,
  type ParameterObject,
  type ResponseObject,
} from 'lapidary/openapi'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Colour, api as everything, Job, Order, Person, Point, Receipt } from '../support/everything.ts'

/** What `int` reads. */
const integer = { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }

const documented = (api: Api, options: Partial<OpenApiOptions> = {}): Promise<OpenApiDocument> =>
  openapi(api, { title: 'Test', version: '1.0.0', ...options })

const everythingDocumented = (): Promise<OpenApiDocument> =>
  documented(everything, { title: 'Everything', schemas: { Point, Colour, Person, Order, Receipt, Job } })

/** JSON as this repository formats it: what fits in a line stands in a line. */
function printed(value: unknown, indent = '', used = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const members = Object.entries(value).map(([name, one]): [string, unknown] => [isList ? '' : `${JSON.stringify(name)}: `, one])
  const [open, close, space] = isList ? ['[', ']', ''] : ['{', '}', ' ']
  if (members.length === 0) return open + close
  const line = open + space + members.map(([name, one]) => name + printed(one, '', Number.NEGATIVE_INFINITY)).join(', ') + space + close
  if (used + line.length < 140) return line
  const below = `${indent}  `
  return `${open}\n${members.map(([name, one]) => below + name + printed(one, below, below.length + name.length)).join(',\n')}\n${indent}${close}`
}

test('the document of everything', async () => {
  await expect(`${printed(await everythingDocumented())}\n`).toMatchFileSnapshot('../golden/openapi.json')
})

// What holds for all of a document.

/** Every object and list in a value, with its key. */
function* inside(value: unknown, key = ''): Generator<readonly [key: string, value: object]> {
  if (typeof value !== 'object' || value === null) return
  yield [key, value]
  for (const [name, one] of Object.entries(value)) yield* inside(one, name)
}

const operationsOf = ({ paths }: OpenApiDocument): readonly (readonly [path: string, operation: OperationObject])[] =>
  Object.entries(paths).flatMap(([path, { 'x-additionalOperations': others, ...item }]) =>
    [...Object.values(item), ...Object.values(others ?? {})].map((operation) => [path, operation] as const),
  )

test('every reference has a target', async () => {
  const document = await everythingDocumented()
  const references = [...inside(document)].flatMap(([, value]) => ('$ref' in value ? [String(value.$ref)] : []))
  expect(references.length).toBeGreaterThan(100)
  const lost = references.filter((reference) => {
    const [root, ...steps] = reference.split('/')
    return root !== '#' || steps.reduce<unknown>((here, step) => Reflect.get(Object(here), step), document) === undefined
  })
  expect(lost).toEqual([])
})

test('every component is referred to, every tag described, every security scheme declared', async () => {
  const document = await everythingDocumented()
  const whole = JSON.stringify(document)
  const { schemas, responses, securitySchemes } = document.components
  const names = [...Object.keys(schemas).map((name) => `schemas/${name}`), ...Object.keys(responses).map((name) => `responses/${name}`)]
  expect(names.filter((name) => !whole.includes(`"#/components/${name}"`))).toEqual([])
  const sent = Object.values(document.webhooks ?? {}).flatMap(({ post }) => post ?? [])
  const operations = [...operationsOf(document).map(([, operation]) => operation), ...sent]
  expect(new Set(operations.flatMap(({ tags = [] }) => tags))).toEqual(new Set(document.tags?.map(({ name }) => name)))
  const required = operations.flatMap(({ security = [] }) => security.flatMap((requirement) => Object.keys(requirement)))
  expect(new Set(required)).toEqual(new Set(Object.keys(securitySchemes)))
})

test('every operation has a unique id, and a parameter for each capture', async () => {
  const operations = operationsOf(await everythingDocumented())
  expect(operations.length).toBeGreaterThan(20)
  expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length)
  for (const [path, { parameters = [] }] of operations) {
    const captures = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(captures).toEqual([...path.matchAll(/\{(.+?)\}/g)].map(([, name]) => name))
  }
})

test('it is plain JSON, the same each time, and can be changed', async () => {
  const document = await everythingDocumented()
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  const seen = new Set<object>()
  for (const [, value] of inside(document)) {
    expect(seen.has(value) || Object.isFrozen(value)).toBe(false)
    seen.add(value)
  }
  expect(seen.size).toBeGreaterThan(100)
  const before = JSON.stringify(document)
  for (const value of seen) for (const key of Object.keys(value)) Reflect.deleteProperty(value, key)
  expect(JSON.stringify(await everythingDocumented())).toBe(before)
})

// The whole.

test('an API without endpoints has a document', async () => {
  expect(await documented({})).toEqual({
    openapi: '3.1.1',
    info: { title: 'Test', version: '1.0.0' },
    security: [],
    paths: {},
    components: { schemas: {}, responses: {}, securitySchemes: {} },
  })
})

test('title, version, description, servers and mounts are members of the document', async () => {
  const api = { files: mount('/files', { description: 'Scans of pages.' }), deep: prefix('/v1', { raw: mount('/raw') }) }
  const servers = [{ url: 'https://example.org/', description: 'The one.' }, { url: '/' }]
  expect(await documented(api, { description: 'Books.', servers })).toMatchObject({
    info: { title: 'Test', version: '1.0.0', description: 'Books.' },
    servers,
    'x-mounts': [{ prefix: '/files', description: 'Scans of pages.' }, { prefix: '/v1/raw' }],
  })
})

const bare = endpoint('GET /', { response: noContent })

test.each<[string, Api, readonly string[]]>([
  ['the keys that lead to it', { a: { b: { c: bare } }, top: prefix('/top', { bare }) }, ['aBC', 'topBare']],
  ['words without their signs', { 'list-all': bare, 'x.y z': prefix('/x', { Bare: bare }) }, ['listAll', 'xYZBare']],
  [
    'a number where it would not be its own',
    { a: { b: bare }, aB: prefix('/x', { bare }).bare, 'a-b': prefix('/y', { bare }).bare },
    ['aB', 'aB2', 'aB3'],
  ],
  ['a word where there is none', { 東京: bare, 大阪: prefix('/x', { bare }).bare }, ['operation', 'operation2']],
])('the id of an operation is %s', async (_what, api, ids) => {
  expect(operationsOf(await documented(api)).map(([, { operationId }]) => operationId)).toEqual(ids)
})

test('operations below a key have it as their tag, and those at the top have none', async () => {
  const document = await documented({ top: bare, books: prefix('/books', { list: bare, copies: { all: prefix('/all', { bare }).bare } }) })
  expect(document.tags).toEqual([{ name: 'books' }])
  expect(operationsOf(document).map(([, { tags }]) => tags)).toEqual([undefined, ['books'], ['books']])
})

test('custom tags have descriptions, in the order of their first use', async () => {
  const about: Readonly<Record<string, string>> = { books: 'What there is to read.' }
  const document = await documented(
    { top: bare, books: prefix('/books', { list: bare, one: prefix('/one', { bare }).bare }) },
    { tags: ({ path: [key = ''], name }) => (name === 'top' ? ['start'] : ['all', { name: key, description: `${about[key]}` }]) },
  )
  expect(document.tags).toEqual([{ name: 'start' }, { name: 'all' }, { name: 'books', description: 'What there is to read.' }])
  expect(operationsOf(document).map(([, { tags }]) => tags)).toEqual([['start'], ['all', 'books'], ['all', 'books']])
})

test('a tag has what any endpoint tells of it, the last of several descriptions', async () => {
  const tags = [
    ['all', { name: 'books', description: 'Old.' }],
    [{ name: 'all', description: 'All.' }, 'books'],
    ['all', { name: 'books', description: 'New.' }],
  ]
  const api = Object.fromEntries(tags.map((_, index) => [`of${index}`, endpoint(`GET /${index}`, { response: noContent })]))
  const document = await documented(api, { tags: ({ name }) => tags[Number(name.slice(2))] ?? [] })
  expect(document.tags).toEqual([
    { name: 'all', description: 'All.' },
    { name: 'books', description: 'New.' },
  ])
})

test('all methods of one path are in one item, also those that OpenAPI does not know', async () => {
  const { paths } = await documented({
    purge: endpoint('PURGE /a', { response: noContent }),
    get: endpoint('GET /a', { response: noContent }),
    query: endpoint('QUERY /a', { response: noContent }),
    put: endpoint('PUT /a', { response: noContent }),
  })
  const { 'x-additionalOperations': others, ...item } = paths['/a'] ?? {}
  expect([Object.keys(item), Object.keys(others ?? {})]).toEqual([
    ['get', 'put'],
    ['PURGE', 'QUERY'],
  ])
})

test('a schema that refers to its own parts is a component wherever it stands', async () => {
  const { $defs, ...rest } = { $ref: '#/$defs/word', $defs: { word: { type: 'string', pattern: '^a' } } }
  const word = codec<string>({ ...text, schema: { ...rest, $defs }, example: 'a' })
  const reference = { $ref: '#/components/schemas/word' }
  const Tree = z.object({
    get next() {
      return z.array(Tree)
    },
  })
  const one = endpoint('GET /', {
    cookies: { c: word },
    response: ok(ndjson(Tree), { headers: { 'X-Word': word } }),
    errors: [reply(404, undefined, { headers: { 'X-Other': word } })],
  })
  for (const api of [{ one }, { cookies: endpoint('GET /', { cookies: { c: word }, response: noContent }) }]) {
    const { paths, components } = await documented(api)
    expect(paths['/']?.get?.parameters).toEqual([expect.objectContaining({ name: 'c', schema: reference })])
    expect(components.schemas).toMatchObject({ word: { type: 'string', pattern: '^a' } })
  }
  const header = await documented({ one: endpoint('GET /', { response: ok(text, { headers: { 'X-Word': word } }) }) })
  expect(header.paths['/']?.get?.responses['200']).toMatchObject({ headers: { 'X-Word': { schema: reference } } })
  const error = await documented({
    one: endpoint('GET /', { response: noContent, errors: [reply(404, undefined, { headers: { 'X-Other': word } })] }),
  })
  expect(error.paths['/']?.get?.responses['404']).toMatchObject({ headers: { 'X-Other': { schema: reference } } })
  const { paths, components } = await documented({ one: endpoint('GET /', { response: ok(ndjson(Tree)) }) })
  expect(paths['/']?.get?.responses['200']).toMatchObject({
    content: { 'application/x-ndjson': { 'x-itemSchema': { $ref: '#/components/schemas/Schema' } } },
  })
  expect(components.schemas).toHaveProperty('Schema')
})

test('different schemes with one name have two names, and equal ones have one', async () => {
  const get = (path: `/${string}`, auth?: AnyAuth) => endpoint(`GET ${path}`, { response: noContent, ...(auth && { auth }) })
  const key = authScheme<string, string>({
    name: 'staff only',
    challenge: 'Key',
    credentials: (header) => header('x-key'),
    openapi: { type: 'apiKey', in: 'header', name: 'X-Key' },
  })
  const { components, paths } = await documented({
    open: get('/open'),
    one: get('/one', basic('staff')),
    same: get('/same', basic('staff')),
    other: get('/other', bearer('staff')),
    own: get('/own', key),
  })
  expect(components.securitySchemes).toEqual({
    staff: { type: 'http', scheme: 'basic' },
    staff2: { type: 'http', scheme: 'bearer' },
    StaffOnly: { type: 'apiKey', in: 'header', name: 'X-Key' },
  })
  const security = Object.entries(paths).map(([path, { get: operation }]) => [path, operation?.security])
  expect(security).toEqual([
    ['/open', undefined],
    ['/one', [{ staff: [] }]],
    ['/same', [{ staff: [] }]],
    ['/other', [{ staff2: [] }]],
    ['/own', [{ StaffOnly: [] }]],
  ])
})

test('paths that differ only in the names of their captures are one, with the names of the first', async () => {
  const api = {
    item: endpoint('GET /users/:id/books/:isbn', { params: { id: int }, response: noContent }),
    remove: endpoint('DELETE /users/:user/books/:book', {
      params: { book: text({ description: 'the number' }), user: int },
      response: noContent,
    }),
    odd: endpoint('GET /$odd/ä', { response: noContent }),
  }
  const { paths } = await documented(api)
  expect(Object.keys(paths)).toEqual(['/users/{id}/books/{isbn}', '/$odd/%C3%A4'])
  expect(paths['/users/{id}/books/{isbn}']?.delete?.parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: integer, example: 42 },
    { name: 'isbn', in: 'path', description: 'the number', required: true, schema: { type: 'string' }, example: 'text' },
  ])
})

test('two endpoints with one route are rejected, as by serve()', async () => {
  const api = { one: endpoint('GET /users/:id', { response: noContent }), other: endpoint('GET /users/:name', { response: noContent }) }
  await expect(documented(api)).rejects.toThrow(
    new TypeError('"one" and "other" both answer GET /users/:name. Change the path or method of one of them.'),
  )
})

test('two endpoints that only a rest tells apart are rejected', async () => {
  const api = { one: endpoint('GET /files/:id', { response: noContent }), all: endpoint('GET /files/*path', { response: noContent }) }
  await expect(documented(api)).rejects.toThrow(
    new TypeError(
      '"one" and "all" are both GET /files/{id} in OpenAPI, which cannot tell one segment from several. Change the path of one of them.',
    ),
  )
})

test('the description of a rest tells of its slashes', async () => {
  const api = {
    plain: endpoint('GET /plain/*path', { response: noContent }),
    file: endpoint('GET /told/*path', { params: { path: text({ description: 'the file', examples: ['a/b'] }) }, response: noContent }),
  }
  const { paths } = await documented(api)
  const sentence = 'One or more segments of the path, separated by slashes; only these slashes are not percent-encoded.'
  expect(paths['/plain/{path}']?.get?.parameters).toEqual([
    { name: 'path', in: 'path', description: sentence, required: true, schema: { type: 'string' }, example: 'text' },
  ])
  expect(paths['/told/{path}']?.get?.parameters).toEqual([
    { name: 'path', in: 'path', description: `the file. ${sentence}`, required: true, schema: { type: 'string' }, example: 'a/b' },
  ])
})

// The operations.

const operationOf = async (one: AnyEndpoint, options?: Partial<OpenApiOptions>): Promise<OperationObject> => {
  const [[, operation] = []] = operationsOf(await documented({ one }, options))
  if (operation === undefined) throw new Error('There is no operation.')
  return operation
}

const version = codec<readonly [number, number]>({
  name: 'version',
  parse: (given) => (/^\d+\.\d+$/.test(given) ? [1, 0] : parseError('a version such as 1.0')),
  print: ([major, minor]) => `${major}.${minor}`,
  schema: { type: ['number', 'null'] },
  example: [1, 5],
})
const titled = codec<string>({ ...text, schema: { $ref: '#/$defs/word', $defs: { word: { type: 'string' } } }, example: 'a word' })

test.each<[string, object, Omit<ParameterObject, 'name' | 'in'>]>([
  ['what must be there shows an example', { query: { x: int } }, { required: true, schema: integer, example: 42 }],
  ['what may be left out keeps it to its schema', { query: { x: optional(int) } }, { schema: { ...integer, examples: [42] } }],
  [
    'several examples are in the schema',
    { query: { x: text({ description: 'whom to greet', examples: ['Ann', 'Ben'] }) } },
    { description: 'whom to greet', required: true, schema: { type: 'string', examples: ['Ann', 'Ben'] }, example: 'Ann' },
  ],
  ['a choice shows itself', { query: { x: oneOf('a', 'b') } }, { required: true, schema: { type: 'string', enum: ['a', 'b'] } }],
  ['a flag is a name alone', { query: { x: flag } }, { allowEmptyValue: true, schema: { type: 'boolean', const: true } }],
  [
    'a list in the query repeats the name',
    { query: { x: array(int, { description: 'sizes', examples: [[1, 2]] }) } },
    { description: 'sizes', style: 'form', explode: true, schema: { type: 'array', items: integer, examples: [[1, 2]] } },
  ],
  [
    'a list in a header has commas',
    { headers: { x: array(text) } },
    { style: 'simple', schema: { type: 'array', items: { type: 'string' }, examples: [['text']] } },
  ],
  [
    'a list of choices needs no examples',
    { query: { x: array(oneOf('a', 'b')) } },
    { style: 'form', explode: true, schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } },
  ],
  [
    'an example is a value of the schema',
    { query: { x: version } },
    { required: true, schema: { type: ['number', 'null'] }, example: 1.5 },
  ],
  ['a truth value is an example', { query: { x: bool } }, { required: true, schema: { type: 'boolean' }, example: true }],
  ...(
    [
      ['integer', 'one'],
      ['integer', ''],
      ['boolean', 'yes'],
    ] as const
  ).map(([type, printed]): [string, object, Omit<ParameterObject, 'name' | 'in'>] => [
    `the text "${printed}" is no example of a schema of the type ${type}`,
    { headers: { x: codec<string>({ ...text, print: () => printed, schema: { type }, example: printed }) } },
    { required: true, schema: { type } },
  ]),
  [
    'false is one, too',
    { headers: { x: codec<string>({ ...text, print: () => 'false', schema: { type: 'boolean' }, example: 'false' }) } },
    { required: true, schema: { type: 'boolean' }, example: false },
  ],
  ['an empty header is no flag', { headers: { x: text({ examples: [''] }) } }, { required: true, schema: { type: 'string' }, example: '' }],
  [
    'references in the schema are followed',
    { headers: { x: titled } },
    { required: true, schema: { $ref: '#/components/schemas/word' }, example: 'a word' },
  ],
])('parameters: %s', async (_what, parts, parameter) => {
  const { parameters } = await operationOf(endpoint('GET /', { response: noContent, ...parts }))
  expect(parameters).toEqual([{ name: 'x', in: 'query' in parts ? 'query' : 'header', ...parameter }])
})

test('the members of an object in the query are one parameter each, with an example where they are needed', async () => {
  const query = {
    filter: z.object({ kind: z.string(), tags: z.array(z.string()), word: z.string().optional() }),
    area: z.object({ x: z.int(), y: z.int() }),
    page: z.object({ size: z.int().optional() }).optional(),
  }
  const { parameters } = await operationOf(endpoint('GET /', { query, response: noContent }))
  const style = { in: 'query', style: 'deepObject', explode: true }
  expect(parameters).toEqual([
    {
      ...style,
      name: 'filter',
      required: true,
      schema: {
        type: 'object',
        properties: { kind: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } }, word: { type: 'string' } },
        required: ['kind'],
      },
      example: { kind: 'text', tags: ['text'], word: 'text' },
    },
    {
      ...style,
      name: 'area',
      required: true,
      schema: { type: 'object', properties: { x: integer, y: integer }, required: ['x', 'y'] },
      example: { x: 42, y: 42 },
    },
    { ...style, name: 'page', schema: { type: 'object', properties: { size: integer } } },
  ])
})

test('a security scheme whose name has no letter that a component may have has the name "scheme"', async () => {
  const auth = authScheme<string, string>({
    name: '鍵',
    challenge: 'Key',
    credentials: () => undefined,
    openapi: { type: 'http', scheme: 'key' },
  })
  const { components } = await documented({ one: endpoint('GET /', { auth, response: noContent }) })
  expect(components.securitySchemes).toEqual({ scheme: { type: 'http', scheme: 'key' } })
})

test('of several named examples, those that are no text are left out', async () => {
  const examples = { words: { response: new TextEncoder().encode('ab') }, noise: { response: Uint8Array.of(0xff) } }
  const { responses } = await operationOf(endpoint('GET /', { response: ok(bytes), examples }))
  expect(responses['200']).toMatchObject({ content: { 'application/octet-stream': { examples: { words: { value: 'ab' } } } } })
  expect(JSON.stringify(responses['200'])).not.toContain('noise')
})

const Book = z.object({ title: z.string(), pages: z.int() })
const waves = { title: 'The Waves', pages: 324 }
const book = { $ref: '#/components/schemas/Book' }
/** What a whole body of lines is to a reader that knows no series. */
const series = {
  type: 'string',
  description:
    'One JSON value per line, ended by a line feed. Each line is sent as soon as its value is available. `x-itemSchema` describes one value.',
}
const yaml = mediaType<z.infer<typeof Book>>({
  types: ['application/yaml', 'application/yaml;version=1.2;charset=utf-8'],
  reader: () => () => waves,
  writer:
    () =>
    ({ title }) =>
      `title: ${title}\n`,
})
const picture = mediaType<unknown>({ types: ['image/png'], writer: () => () => Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0) })

test.each<[string, Parameters<typeof ok>[0], unknown, object]>([
  ['JSON is shown as a value', Book, waves, { 'application/json': { schema: book, example: waves } }],
  ['any JSON has any schema', json, [1], { 'application/json': { schema: {}, example: [1] } }],
  ['text is text', text, 'Hello', { 'text/plain': { schema: { type: 'string' }, example: 'Hello' } }],
  [
    'bytes that are text are an example',
    bytes,
    new TextEncoder().encode('ab'),
    { 'application/octet-stream': { schema: {}, example: 'ab' } },
  ],
  ['other bytes are not', bytes, Uint8Array.of(0), { 'application/octet-stream': { schema: {} } }],
  [
    'a form without a schema has names and lists',
    form,
    { a: ['1', '2'] },
    {
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
        example: { a: ['1', '2'] },
      },
    },
  ],
  [
    'the example of a form is its object',
    content(Book, form),
    waves,
    { 'application/x-www-form-urlencoded': { schema: book, example: waves } },
  ],
  [
    'a media type without a reader is text, or anything',
    content(
      Book,
      json,
      html<object>(() => '<p>'),
      picture,
    ),
    waves,
    {
      'application/json': { schema: book, example: waves },
      'text/html': { schema: { type: 'string' }, example: '<p>' },
      'image/png': { schema: {} },
    },
  ],
  [
    'parameters except the charset distinguish media types',
    content(Book, yaml),
    waves,
    { 'application/yaml': { schema: book, example: waves }, 'application/yaml;version=1.2': { schema: book, example: waves } },
  ],
  [
    'a stream is a text, and has the schema of one line',
    ndjson(Book),
    [waves, waves],
    {
      'application/x-ndjson': { schema: series, example: `${JSON.stringify(waves)}\n`.repeat(2), 'x-itemSchema': book },
      'application/jsonl': { schema: series, example: `${JSON.stringify(waves)}\n`.repeat(2), 'x-itemSchema': book },
    },
  ],
  [
    'an empty stream has an empty example',
    ndjson(Book),
    [],
    {
      'application/x-ndjson': { schema: series, example: '', 'x-itemSchema': book },
      'application/jsonl': { schema: series, example: '', 'x-itemSchema': book },
    },
  ],
  [
    'an alias of a stream is left out: it does not describe a whole body',
    ndjson(Book, { aliases: ['application/json', 'application/vnd.books+json'] }),
    [],
    {
      'application/x-ndjson': {
        schema: { ...series, description: expect.stringContaining('`application/json`, `application/vnd.books+json`') },
        example: '',
        'x-itemSchema': book,
      },
      'application/jsonl': { schema: expect.anything(), example: '', 'x-itemSchema': book },
    },
  ],
  ['without an example, one is made', Book, undefined, { 'application/json': { schema: book, example: { title: 'text', pages: 42 } } }],
])('bodies: %s', async (_what, body, example, types) => {
  const shown = { schemas: { Book } }
  const operation = await operationOf(endpoint('GET /', { response: ok(body), examples: { response: example } }), shown)
  expect((operation.responses['200'] as ResponseObject).content).toEqual(types)
  // What can be sent as well looks the same in a request.
  const isReadable = 'media' in body ? body.media.every(({ reader }) => reader !== undefined) : true
  if (!isReadable) return
  const { requestBody } = await operationOf(endpoint('POST /', { body, response: noContent, examples: { body: example } }), shown)
  expect(requestBody).toEqual({ required: true, content: types })
})

test('webhooks have the headers of their signature, the media type that is sent, and an id of their own', async () => {
  const Order = z.object({ id: z.int() })
  const { paths, webhooks, components, tags } = await documented(
    {
      orderPaid: endpoint('POST /paid', { body: Order, response: noContent }),
      order: {
        paid: webhook('order.paid', { body: content(Order, json, form), deprecated: true, examples: { one: { body: { id: 7 } } } }),
      },
      other: webhook('other', { body: text, tags: ['b'] }),
    },
    { schemas: { Order } },
  )
  expect(paths['/paid']?.post?.operationId).toBe('orderPaid')
  expect(Object.keys(webhooks ?? {})).toEqual(['order.paid', 'other'])
  const { post } = webhooks?.['order.paid'] ?? {}
  expect(post).toMatchObject({
    operationId: 'orderPaid2',
    tags: ['order'],
    deprecated: true,
    security: [{ webhookSignature: [] }],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' }, examples: { one: { value: { id: 7 } } } } },
    },
  })
  expect(Object.keys(post?.requestBody?.content ?? {})).toEqual(['application/json'])
  expect(post?.parameters?.map(({ name, required }) => [name, required])).toEqual([
    ['webhook-id', true],
    ['webhook-timestamp', true],
  ])
  expect(Object.keys(post?.responses ?? {})).toEqual(['410', '2XX', 'default'])
  expect(components.securitySchemes['webhookSignature']).toMatchObject({ type: 'apiKey', in: 'header', name: 'webhook-signature' })
  expect(tags).toEqual([{ name: 'order' }, { name: 'b' }])
  expect((await documented({ a: endpoint('GET /a', { response: noContent }) })).webhooks).toBe(undefined)
})

test('an example of a webhook that its schema does not allow is an error', async () => {
  const wrong = webhook('order.paid', { body: z.object({ id: z.int() }), examples: { body: { id: 'seven' as never } } })
  await expect(documented({ wrong })).rejects.toThrow(/^webhook\("order\.paid"\)/)
})
