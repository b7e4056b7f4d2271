/** Values survive the way between client and server: the handler gets the input of the call, and the call returns, or throws, what the handler did. */
import fc from 'fast-check'
import { type AnyEndpoint, HttpError, isHttpError, operations, type Precondition, respond, withHeaders } from 'lapidary'
import { type Client, credentials } from 'lapidary/client'
import { type Handlers, serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { concatBytes } from '../../src/http/chunks.ts'
import { clients } from '../support/client/clients.ts'
import { type Exchange, exchanges } from '../support/client/exchanges.ts'
import { type Connection, transports } from '../support/client/transports.ts'
import { api, checks, counters, machines, members, partners, robots, visits } from '../support/everything.ts'

type AnyCall = (input: object, options?: object) => Promise<unknown>

const endpoints = operations(api).flatMap(({ name, path, operation }) =>
  operation['~kind'] === 'mount' ? [] : [{ name, path, operation }],
)

/** A record like the API, with something in the place of each operation, and without webhooks. */
function placed(make: (name: string) => unknown, record: object = api, above = ''): object {
  const entries = Object.entries(record).flatMap(([key, value]) => {
    const name = above + key
    if (value['~kind'] === 'webhook') return []
    return [[key, typeof value['~kind'] === 'string' ? make(name) : placed(make, value, `${name}.`)] as const]
  })
  return Object.fromEntries(entries)
}

/** What the handler of any endpoint is given, and what it answers to that. */
const handler: { given: { readonly body: unknown; readonly precondition?: Precondition }; respond: () => unknown } = {
  given: { body: undefined },
  respond: () => undefined,
}

const server = serve(
  api,
  // One for all: what it returns is generated for the endpoint that is called.
  placed(() => async (given: typeof handler.given) => {
    handler.given = given
    // A stream ends with its request.
    if (isStream(given.body)) handler.given = { ...given, body: joined(await gathered(given.body)) }
    given.precondition?.('')
    return handler.respond()
  }) as Handlers<typeof api>,
  { auth: checks, onError: () => {} },
)

const auth = [
  credentials(members, { username: 'Ann', password: "Ann's word" }),
  credentials(partners, 'seventy-seven'),
  credentials(machines, 'lathe'),
  credentials(visits, 'first'),
  credentials(robots, 'r2'),
  credentials(counters, 'key'),
]

const callAt = (calls: Client<typeof api>, path: readonly string[]): AnyCall =>
  // The names are those of the API, whose shape a client has.
  path.reduce<unknown>((here, key) => Reflect.get(here as object, key), calls) as AnyCall

/** The parts of a form that is read part by part, in the declared order. */
const listParts = (names: readonly string[], values: Readonly<Record<string, unknown>>): readonly object[] =>
  names.flatMap((name) => [values[name] ?? []].flat().map((value) => ({ name, value })))

/** What the schema of the endpoint makes of a body: defaults, for one. */
async function bodyOf({ body }: AnyEndpoint, { body: source }: { readonly body?: unknown }): Promise<unknown> {
  const given = joined(await gathered(source))
  const parts = body?.media.find(({ isPartStream }) => isPartStream)?.parts
  if (parts !== undefined) return listParts(Object.keys(parts), given as Readonly<Record<string, unknown>>)
  if (Array.isArray(given)) return given
  const verdict = await body?.schema?.['~standard'].validate(given)
  return verdict === undefined || verdict.issues !== undefined ? given : verdict.value
}

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** A stream as the list of its items, a Blob as its type and its bytes. */
async function gathered(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return { type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) }
  if (!isStream(value)) return value
  const items: unknown[] = []
  for await (const item of value) items.push(item)
  return items
}

/** Chunks as one: how a network cuts bytes is its own affair. */
const joined = (items: unknown): unknown =>
  Array.isArray(items) && items.every((item) => item instanceof Uint8Array) && items.length > 0 ? concatBytes(items) : items

/** What a handler returns where the toolkit adds the tag. */
const untagged = (got: unknown): unknown => (got as { readonly body: unknown }).body

interface StatusOutput {
  readonly status: number
  readonly body: unknown
  readonly headers?: object
}

/** What a handler returns for the value that a client gets. */
function toReturnValue({ etag, responses }: AnyEndpoint, output: unknown): unknown {
  if (etag === true) return untagged(output)
  if (responses.length === 1) return output
  const { status, body, headers } = output as StatusOutput
  return respond(status, headers === undefined ? body : withHeaders(body, headers))
}

/** Any kind of bytes as a Uint8Array. */
const bytesOf = (value: unknown): unknown => (value instanceof Uint8Array ? Uint8Array.from(value) : value)

test('every endpoint has its values, and every declared error its body', () => {
  expect(Object.keys(exchanges).sort()).toEqual(endpoints.map(({ name }) => name).sort())
  const declared = Object.entries(exchanges).map(([name, { errors }]) => [name, Object.keys(errors).map(Number)] as const)
  expect(Object.fromEntries(declared)).toEqual(
    Object.fromEntries(endpoints.map(({ name, operation }) => [name, operation.errors.map(({ status }) => status)])),
  )
})

const bothClients = clients.flatMap((one) => transports.map((transport) => ({ ...one, ...transport })))

describe.each(bothClients)('$kind, $transport', ({ transport, connect, createClient, isDeclared }) => {
  const numRuns = transport === 'in memory' ? 30 : 10
  let connection: Connection
  let calls: Client<typeof api>
  beforeAll(async () => {
    connection = await connect(server)
    calls = createClient(api, connection.base, { ...connection.options, auth })
  })
  afterAll(() => connection.close())

  const cases = endpoints.map(({ name, path, operation }) => ({ name, path, operation, exchange: exchanges[name] as Exchange }))

  test.each(cases)('$name', async ({ path, operation, exchange: { input, output, types } }) => {
    const call = callAt(calls, path)
    const property = fc.asyncProperty(input, output, fc.constantFrom(...types), async (given, returned, contentType) => {
      handler.respond = () => toReturnValue(operation, returned)
      const got = await gathered(await call(given, contentType === undefined ? {} : { contentType }))
      expect(joined(got)).toEqual(
        operation.etag === true
          ? { body: untagged(returned), headers: { ETag: expect.stringMatching(/^"/) } }
          : joined(await gathered(returned)),
      )
      expect({ ...handler.given, body: bytesOf(handler.given.body) }).toEqual({
        params: {},
        query: {},
        headers: operation.idempotent === undefined ? {} : { 'Idempotency-Key': expect.stringMatching(/^[0-9a-f]{32}$/) },
        cookies: {},
        ...given,
        body: await bodyOf(operation, given),
        precondition: handler.given.precondition,
        fail: expect.any(Function),
        rawBody: operation.rawBody && expect.any(Uint8Array),
        user: operation.auth === undefined ? undefined : expect.anything(),
      })
    })
    await fc.assert(property, { numRuns })
  })

  const errors = cases.flatMap(({ exchange, ...rest }) =>
    Object.entries(exchange.errors).map(([status, body]) => ({ ...rest, input: exchange.input, status: Number(status), body })),
  )

  test.each(errors)('$name responds with the declared error $status', async ({ path, operation, input, status, body }) => {
    const call = callAt(calls, path)
    const property = fc.asyncProperty(input, body, fc.string({ unit: 'binary' }), async (given, value, detail) => {
      handler.respond = () => {
        // The ETag of a 304 is declared by the toolkit.
        throw new HttpError(status, {
          ...(value === undefined ? { detail } : { body: value }),
          headers: status === 304 ? { ETag: '"a"' } : {},
        })
      }
      const error: unknown = await call(given).catch((thrown: unknown) => thrown)
      if (!(isDeclared(operation, error) && isHttpError(error))) throw error
      expect({ status: error.status, body: error.body, detail: error.detail }).toEqual({
        status,
        body: value,
        // A 304 has no body to say it in.
        detail: value === undefined && status !== 304 ? detail : undefined,
      })
    })
    await fc.assert(property, { numRuns: 10 })
  })
})
