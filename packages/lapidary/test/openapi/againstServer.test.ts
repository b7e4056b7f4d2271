/** The document against the server: a client that has only the document calls every operation, and every response is as documented. */
import { HttpError, type JsonSchema, operations, withHeaders } from 'lapidary'
import {
  type HeaderObject,
  type MediaTypeObject,
  type OpenApiDocument,
  type OperationObject,
  openapi,
  type ResponseObject,
} from 'lapidary/openapi'
import { type Handlers, type HttpRequest, serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isInMediaRange } from '../../src/http/mediaTypes.ts'
import { isValid } from '../../src/json-schema/invalidPlaces.ts'
import { parseSchema } from '../../src/json-schema/schemaNode.ts'
import { keyInUse, keyOfAnother, plannedKeys } from '../support/documented/plannedKeys.ts'
import { splitEvents } from '../support/eventFields.ts'
import { api, checks, everything, maxBodySize, Person } from '../support/everything.ts'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'

const document: OpenApiDocument = await openapi(api, { title: 'Everything', version: '1.0.0', schemas: { Person } })

/** An operation at its place. */
interface Operation extends OperationObject {
  readonly method: string
  readonly path: string
}

const described: readonly Operation[] = Object.entries(document.paths).flatMap(([path, { 'x-additionalOperations': others, ...item }]) =>
  Object.entries({ ...item, ...others }).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
)

/** What a reference stands for. */
function referred<T extends object>(given: T): T {
  if (!('$ref' in given)) return given
  const target = String(given.$ref)
    .split('/')
    .slice(1)
    .reduce<unknown>((here, step) => (here as Record<string, unknown>)[step], document)
  return target as T
}

const responseOf = ({ responses }: Operation, status: number): ResponseObject => referred(responses[status] ?? {}) as ResponseObject

// The client.

interface PlainRequest {
  readonly method: string
  readonly target: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
}

const credentials: Readonly<Record<string, Record<string, string>>> = {
  members: { Authorization: `Basic ${btoa("ann:ann's word")}` },
  partners: { Authorization: 'Bearer seventy-seven' },
  machines: { 'X-Api-Key': 'lathe' },
  visit: { Cookie: 'visit=first' },
  robots: { Authorization: 'Bearer r2' },
}

/** The only example, or the first of several. */
const exampleOf = (media?: MediaTypeObject): unknown => media?.example ?? Object.values(media?.examples ?? {})[0]?.value
const queryCredentials: Readonly<Record<string, [string, string]>> = { counter: ['counter', 'key'] }

/** How a client writes the example of a body that is not JSON. */
const writers: Readonly<Record<string, (example: unknown) => string>> = {
  'application/json': (example) => JSON.stringify(example ?? null),
  'application/merge-patch+json': (example) => JSON.stringify(example),
  'application/x-www-form-urlencoded': (example) =>
    `${new URLSearchParams(Object.entries(example as object).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])))}`,
  'text/plain': String,
  'application/octet-stream': () => '\0\u0001',
  'multipart/form-data': () => '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nOpal\r\n--b--\r\n',
}

/** The request that the document shows, with everything that is required and nothing else. */
function buildExample(
  { method, path, parameters = [], requestBody, security = [] }: Operation,
  type = firstOf(requestBody?.content),
): PlainRequest {
  const required = parameters.filter((parameter) => parameter.required)
  const texts = (place: string): [string, string][] =>
    required
      .filter((parameter) => parameter.in === place)
      // A list has its name once for each value. An enumeration is its own example.
      .flatMap(({ name, example, schema }) =>
        [example ?? (schema['enum'] as readonly unknown[] | undefined)?.[0]].flat().map((value): [string, string] => [name, String(value)]),
      )
  // Of alternatives the first.
  const schemes = Object.keys(security[0] ?? {})
  const query = new URLSearchParams([
    ...texts('query'),
    ...schemes.flatMap((name) => (queryCredentials[name] ? [queryCredentials[name]] : [])),
  ])
  // OpenAPI itself has no way to say that slashes stay: the description of the parameter does.
  const rests = required.flatMap(({ name, description }) => (description?.includes('separated by slashes') ? [name] : []))
  const filled = texts('path').reduce((here, [name, text]) => {
    const encoded = encodeURIComponent(text)
    return here.replace(`{${name}}`, rests.includes(name) ? encoded.replaceAll('%2F', '/') : encoded)
  }, path)
  return {
    method,
    target: `${filled}?${query}`,
    headers: {
      ...Object.fromEntries(texts('header')),
      ...(texts('cookie').length > 0 && {
        Cookie: texts('cookie')
          .map((pair) => pair.join('='))
          .join('; '),
      }),
      ...Object.assign({}, ...schemes.map((name) => credentials[name])),
      ...(type === undefined ? {} : { 'Content-Type': type === 'multipart/form-data' ? `${type}; boundary=b` : type }),
    },
    body: type === undefined ? undefined : writers[type]?.(exampleOf(requestBody?.content[type])),
  }
}

const firstOf = (content: object = {}): string | undefined => Object.keys(content)[0]
const addHeaders = (request: PlainRequest, headers: Record<string, string>): PlainRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
})

const without = (request: PlainRequest, name: string): PlainRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers).filter(([other]) => other !== name)),
})

// The servers: the real one, and one whose handlers raise what the request says.

/** A request header: the status that a handler is to raise and the body that goes with it, as JSON; 500 is an unexpected error. */
const order = 'X-Raise'

/** What the real handlers never answer, by the names of their endpoints. */
const rare: Readonly<Record<string, unknown>> = {
  visitors: withHeaders([], { 'X-Count': 0, 'X-Names': ['Ann', 'Ben'], 'X-Day': '2024-02-29' }),
}

const obedient =
  (name: string) =>
  (_input: unknown, incoming: HttpRequest): unknown => {
    const { status, body } = JSON.parse(incoming.header(order.toLowerCase()) ?? '{}') as { status?: number; body?: unknown }
    if (status === undefined) return rare[name]
    // Only what comes too late is answered 503 with `Retry-After`.
    if (status === 503) return new Promise(() => {})
    throw status === 500 ? new Error('planned') : new HttpError(status, { body })
  }

/** Handlers in the shape of the API. */
function obedience(): Handlers<typeof api> {
  const handlers: Record<string, unknown> = { empty: {} }
  for (const { path, name } of operations(api)) {
    const folder = path.slice(0, -1).reduce((here, key) => {
      here[key] ??= {}
      return here[key] as Record<string, unknown>
    }, handlers)
    folder[path.at(-1) ?? ''] = obedient(name)
  }
  // Built by the keys of the API itself; each handler takes what its endpoint gives.
  return handlers as Handlers<typeof api>
}

let real: RunningAdapter
let planned: RunningAdapter
beforeAll(async () => {
  const socket = adapters.find(({ name }) => name === 'over a socket')
  if (socket === undefined) throw new Error('There is no adapter over a socket.')
  const idempotency = { store: plannedKeys }
  real = await socket.startAdapter(everything({ idempotency }))
  // Uses up the quota: what costs nothing passes all the same.
  await real.fetch('/tally', { headers: { 'X-Cost': '10' } })
  planned = await socket.startAdapter(serve(api, obedience(), { auth: checks, maxBodySize, idempotency, onError: () => {} }))
})
afterAll(async () => {
  await real.close()
  await planned.close()
})

// What is compared.

const framing = new Set([
  'content-type',
  'x-content-type-options',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'date',
])

/** The text of a body, or of one of its lines, as the value that its schema describes. */
const valued = (type: string, text: string): unknown => (/json$/.test(type) ? JSON.parse(text) : text)

/** The items of a stream, as `x-itemSchema` describes them. */
const readItems = (type: string, text: string): readonly unknown[] =>
  type === 'text/event-stream'
    ? splitEvents(text)
    : text
        .split('\n')
        .slice(0, -1)
        .map((line): unknown => JSON.parse(line))

/** What an answer had, after it was found to be as the document says. */
interface Seen {
  readonly status: number
  readonly headers: readonly string[]
}

/** Sends a request and holds the answer against the document. */
async function sendAndCheck(
  operation: Operation,
  { fetch }: RunningAdapter,
  { target, method, headers, body }: PlainRequest,
): Promise<Seen> {
  const response = await fetch(target, { method, headers, ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }) })
  const { status } = response
  const text = await response.text()
  expect({ text, described: Object.keys(operation.responses) }).toEqual({ text, described: expect.arrayContaining([`${status}`]) })

  const declared = responseOf(operation, status)
  const type = response.headers.get('content-type')?.split(';')[0]
  if (type === undefined) expect(declared.content).toBe(undefined)
  else {
    // The type of a file may be one of a range.
    const key = Object.keys(declared.content ?? {}).find((range) => isInMediaRange(type, range))
    expect({ type, keys: Object.keys(declared.content ?? {}), key }).toMatchObject({ key: expect.any(String) })
    const { schema = {}, 'x-itemSchema': item } = declared.content?.[key ?? ''] ?? {}
    // References start at the document, as they do at the root of a schema.
    const root = document as unknown as JsonSchema
    const value = item === undefined ? valued(type, text) : text
    expect({ value, fits: isValid(parseSchema(schema, root), value) }).toEqual({ value, fits: true })
    const items = item === undefined ? [] : readItems(type, text)
    expect(items.length > 0).toBe(item !== undefined)
    for (const one of items) expect({ one, fits: isValid(parseSchema(item ?? {}, root), one) }).toEqual({ one, fits: true })
  }

  const sent = [...response.headers.keys()].filter((name) => !framing.has(name))
  const described = new Map(Object.entries(declared.headers ?? {}).map(([name, header]) => [name.toLowerCase(), header]))
  expect(sent.filter((name) => !described.has(name))).toEqual([])
  const isRequired = ([, { required }]: readonly [string, HeaderObject]): boolean => required === true
  expect(sent).toEqual(expect.arrayContaining([...described].filter(isRequired).map(([name]) => name)))
  return { status, headers: sent }
}

const isOptional = ({ security = [] }: Operation): boolean => security.some((schemes) => Object.keys(schemes).length === 0)

/** A request with this key, if the operation takes keys. */
const withKey = (operation: Operation, key: string): readonly PlainRequest[] =>
  operation.parameters?.some(({ name }) => name === 'Idempotency-Key')
    ? [addHeaders(buildExample(operation), { 'Idempotency-Key': key })]
    : []

/** What the toolkit refuses for every handler. */
const refused: Readonly<Record<number, (operation: Operation) => readonly PlainRequest[]>> = {
  304: (operation) => [addHeaders(buildExample(operation), { 'If-None-Match': '*' })],
  400: (operation) => [{ ...buildExample(operation), target: `${buildExample(operation).target}&name=%FF` }],
  401: (operation) => [
    isOptional(operation) ? addHeaders(buildExample(operation), { Cookie: 'visit=second' }) : buildExample({ ...operation, security: [] }),
  ],
  403: ({ security = [], ...operation }) => [
    addHeaders(buildExample({ ...operation, security: security.filter((schemes) => 'robots' in schemes) }), { Authorization: 'Bearer r1' }),
  ],
  406: (operation) => [addHeaders(buildExample(operation), { Accept: 'video/mp4' })],
  412: (operation) => [addHeaders(buildExample(operation), { 'If-Match': '"other"' })],
  409: (operation) => withKey(operation, keyInUse),
  413: (operation) => [{ ...buildExample(operation), body: operation.method === 'GET' ? undefined : ' '.repeat(maxBodySize + 1) }],
  416: (operation) =>
    ['report', 'picture'].includes(operation.operationId) ? [addHeaders(buildExample(operation), { Range: 'bytes=99-' })] : [],
  415: (operation) => [
    addHeaders(buildExample(operation), { 'Content-Type': 'image/png' }),
    addHeaders(buildExample(operation), { 'Content-Encoding': 'gzip' }),
  ],
  422: (operation) => withKey(operation, keyOfAnother),
  428: (operation) => [without(buildExample(operation), 'If-Match')],
  429: (operation) => [addHeaders(buildExample(operation), { 'X-Cost': '1' })],
}

/** What a request needs to get those headers that are not always sent. */
const further: Readonly<Record<string, Record<string, string>>> = {
  'page 206': { Range: 'name; limit 1' },
  'report 206': { Range: 'bytes=0-4' },
  'picture 206': { Range: 'bytes=0-4' },
}

/** The request bodies that get a response of success which is not the usual one. */
const unusual: Readonly<Record<string, string>> = {
  'checkout 202': '{"item":"opal","count":100,"tags":[]}',
  'checkout 303': '{"item":"opal","tags":["again"]}',
}

/** One request for each type that may be sent, and for each that may come back. */
function succeeding(operation: Operation, status: number): readonly PlainRequest[] {
  const sent = Object.keys(operation.requestBody?.content ?? {}).map((type) => buildExample(operation, type))
  const got = Object.keys(responseOf(operation, status).content ?? {}).map((type) => addHeaders(buildExample(operation), { Accept: type }))
  const body = unusual[`${operation.operationId} ${status}`]
  const headers = further[`${operation.operationId} ${status}`]
  const all = [...sent, ...got, buildExample(operation)].map((request) => addHeaders(request, headers ?? {}))
  return body === undefined ? all : all.map((request) => ({ ...request, body }))
}

/** The request that makes an obedient handler raise an error with the body that the document shows. */
function raising(operation: Operation, status: number): PlainRequest {
  const [type, media] = Object.entries(responseOf(operation, status).content ?? {})[0] ?? []
  // Problem details of a declared type have an example.
  const body = type === 'application/problem+json' && media?.example === undefined ? undefined : exampleOf(media)
  return addHeaders(buildExample(operation), { [order]: JSON.stringify({ status, body }) })
}

describe.each(described)('$method $path', (operation) => {
  test.each(Object.keys(operation.responses).map(Number))('gets %i as documented', async (status) => {
    const requests =
      status < 300 || unusual[`${operation.operationId} ${status}`] !== undefined
        ? succeeding(operation, status)
        : (refused[status]?.(operation) ?? [])
    const responses = requests.map((request) => sendAndCheck(operation, real, request))
    if (requests.length === 0) responses.push(sendAndCheck(operation, planned, raising(operation, status)))
    if (status < 300 && rare[operation.operationId] !== undefined) responses.push(sendAndCheck(operation, planned, buildExample(operation)))
    const all = await Promise.all(responses)
    expect(all.map((one) => one.status)).toEqual(all.map(() => status))
    // An unknown header is no header.
    const headers = Object.keys(responseOf(operation, status).headers ?? {}).map((name) => name.toLowerCase())
    const isSeen = (name: string): boolean => all.some((one) => one.headers.includes(name))
    // What costs nothing is not limited.
    expect(headers.filter((name) => !isSeen(name) && (name !== 'ratelimit' || status === 429))).toEqual([])
  })

  test('any wrong request gets a documented response', async () => {
    const requests = Object.values(refused).flatMap((create) => create(operation))
    await Promise.all([
      ...requests.map((request) => sendAndCheck(operation, real, request)),
      sendAndCheck(operation, planned, raising(operation, 500)),
    ])
  })
})

test.each<[string, string, Partial<PlainRequest>, number]>([
  ['colour', '/colours/000000', {}, 404],
  ['peopleItem', '/people/2', {}, 404],
  ['peopleRemove', '/people/2', {}, 404],
  ['order', '/orders', { body: '{"item":"nothing","tags":[]}' }, 409],
  ['page', '/page', { headers: { Range: 'size' } }, 416],
  ['page', '/page', { headers: { Range: 'name; limit many' } }, 400],
  ['peopleItem', '/people/one', {}, 400],
  ['point', '/points/1/two', {}, 400],
  ['search', '/search?word=a&size=large', {}, 400],
  ['ledger', '/ledgers/f81d4fae-7dec-11d0-a765-00a0c91e6bf6?account=7&limit=101', {}, 400],
  ['almanac', '/almanacs/north/2026?page=0', {}, 400],
  ['depth', '/depth', { headers: { 'X-Depth': 'deep' } }, 400],
  ['basket', '/basket', { headers: { Cookie: 'session=s; visits=many' } }, 400],
  ['job', '/jobs', { body: '{"task":1}' }, 400],
])('the error of %s with %s is documented', async (id, target, more, status) => {
  const operation = described.find(({ operationId }) => operationId === id)
  if (operation === undefined) throw new Error(`There is no operation ${id}.`)
  expect((await sendAndCheck(operation, real, { ...buildExample(operation), ...more, target })).status).toBe(status)
})
