/** Faults of changes: what is made twice, lost, stored in part, or still there. */
import { type AnyEndpoint, collection, created, endpoint, int, noContent, ok, prefix, withHeaders } from 'lapidary'
import { type HttpHandler, type IdempotencyOptions, type IdempotencyStore, memoryIdempotencyStore, serve } from 'lapidary/server'
import { z } from 'zod'
import { agate, bare, changing, type Planted, replacing, Stone, silent, withLine, without } from './planted.ts'

const Coin = z.object({ worth: z.int().min(1).max(50) })
const adding = { body: Coin, response: created(Coin) }
const coins = prefix('/coins', {
  list: endpoint('GET /', { response: ok(z.array(Coin)) }),
  add: endpoint('POST /', { ...adding, idempotent: 'required' }),
})
const serveCoins = (
  add: AnyEndpoint = coins.add,
  idempotency: IdempotencyOptions = {},
  worth = (coin: number, _count: number) => coin,
): HttpHandler => {
  const all: z.infer<typeof Coin>[] = []
  const handlers = {
    list: () => all,
    add: ({ body }: { readonly body: z.infer<typeof Coin> }) => {
      all.push(body)
      return withHeaders({ worth: worth(body.worth, all.length) }, { Location: '/coins' })
    },
  }
  return serve({ ...coins, add: add as typeof coins.add }, handlers, { idempotency, ...silent })
}
const wrap = (change: (store: IdempotencyStore) => Partial<IdempotencyStore>): IdempotencyOptions => {
  const store = memoryIdempotencyStore()
  return { store: { ...store, ...change(store) } }
}
const idempotent: Planted = {
  words: ['idempotent'],
  api: coins,
  at: 'add',
  right: [serveCoins()],
  options: { requests: 600 },
  faults: [
    [
      'a key that need not be there',
      serveCoins(endpoint('POST /coins', { ...adding, idempotent: 'optional' })),
      'idempotent',
      'there is no Idempotency-Key: expected 400, got 201',
    ],
    [
      'a key that is ignored',
      serveCoins(endpoint('POST /coins', adding)),
      'idempotent',
      'there is no Idempotency-Key: expected 400, got 201',
    ],
    [
      'a second effect',
      serveCoins(
        undefined,
        wrap(({ begin }) => ({ begin: async (claim) => (await begin(claim)) && undefined, complete: () => {} })),
      ),
      'idempotent',
      'the same request again has a second effect',
    ],
    [
      'another response',
      serveCoins(
        undefined,
        wrap(() => ({ begin: () => undefined })),
        (_, count) => count % 50,
      ),
      'idempotent',
      'the same request again gets another body',
    ],
    [
      'a body that nothing compares',
      serveCoins(
        undefined,
        wrap(({ begin }) => ({
          begin: async (claim) => {
            const known = await begin(claim)
            return known && { ...known, fingerprint: claim.fingerprint }
          },
        })),
      ),
      'idempotent',
      'the same key with another body: expected 422, got 201',
    ],
  ],
}

const one = { params: { id: int }, errors: [] }
const tagged = prefix('/stones', {
  read: endpoint('GET /:id', { ...one, response: ok(Stone), etag: true }),
  replace: endpoint('PUT /:id', { ...one, body: Stone, response: noContent, etag: 'required' }),
})
/** A server of one stone, and what changes it without a look at what the request names. */
function shelf() {
  let current: Stone = agate
  const server = serve(
    tagged,
    {
      read: () => current,
      replace: async ({ body, precondition }) => {
        await precondition(current)
        current = body
      },
    },
    silent,
  )
  const put = (next: Stone): void => {
    current = next
  }
  return { server, put }
}
function changingRefused(): HttpHandler {
  const { server, put } = shelf()
  let made = 0
  return async (request) => {
    const response = await server(request)
    if (request.method === 'PUT' && response.status === 412) {
      made += 1
      put({ name: `Opal ${made}`, hardness: 6 })
    }
    return response
  }
}
const tags: Planted = {
  words: ['etag'],
  api: tagged,
  at: 'read',
  right: [shelf().server],
  options: { requests: 600 },
  faults: [
    ['a change that is refused and made', changingRefused(), 'lost-updates', 'a refused change has changed the resource', 'replace'],
    [
      'a change without its condition',
      replacing(shelf().server, 428, () => bare(204)),
      'lost-updates',
      'there is no If-Match: expected 428, got 204',
      'replace',
    ],
    ['no tag', changing(shelf().server, (response) => without('etag', response)), 'headers', 'the header ETag is not as declared'],
    [
      'a weak tag',
      changing(shelf().server, (response) => (response.status === 200 ? withLine('ETag', 'W/"a"', response) : response)),
      'etag',
      'expected a strong ETag, got W/"a"',
    ],
    [
      'a 304 with another tag',
      changing(shelf().server, (response) => (response.status === 304 ? withLine('ETag', '"other"', response) : response)),
      'etag',
      /^expected the 304 to have ETag "[0-9a-f]{32}", got "other"$/,
    ],
    [
      'the whole in place of a 304',
      replacing(shelf().server, 304, ({ headers }) => ({
        status: 200,
        headers: [...headers, 'Content-Type', 'application/json'],
        body: JSON.stringify(agate),
      })),
      'etag',
      'expected 304, got 200',
    ],
  ],
}

const kept = prefix('/stones', collection(Stone, { one: 'stone', all: 'stones' }))
type Shelf = Map<number, Stone>
/** A collection in memory, with a fault. */
function keeping(fault: 'none' | 'keeps' | 'stores half' | 'adds' = 'none'): HttpHandler {
  const items: Shelf = new Map([[1, agate]])
  let last = 1
  const has = ({ params, fail }: { params: { id: number }; fail: (status: number) => unknown }): unknown =>
    items.has(params.id) ? undefined : fail(404)
  return serve(
    kept,
    {
      list: () => [...items.values()],
      create: ({ body }: { body: Stone }) => {
        last += 1
        items.set(last, body)
        return withHeaders(undefined, { Location: `/stones/${last}` })
      },
      item: (input: never) => has(input) ?? items.get((input as { params: { id: number } }).params.id),
      replace: (input: { params: { id: number }; body: Stone }) => {
        const missing = has(input as never)
        if (missing !== undefined) return missing
        const before = items.get(input.params.id)
        const name = fault === 'adds' ? `${before?.name.slice(0, 20)}${input.body.name.slice(0, 1)}` : input.body.name
        items.set(input.params.id, fault === 'stores half' ? { ...agate, name: input.body.name } : { ...input.body, name })
        return undefined
      },
      remove: (input: { params: { id: number } }) => {
        const missing = has(input as never)
        if (missing === undefined && fault !== 'keeps') items.delete(input.params.id)
        return missing
      },
    } as never,
    silent,
  )
}
const collections: Planted = {
  words: ['collection'],
  api: kept,
  at: 'replace',
  right: [keeping()],
  options: { requests: 600 },
  faults: [
    ['an item that is still there', keeping('keeps'), 'delete', 'and GET then gets 200', 'remove'],
    ['an item that is stored in part', keeping('stores half'), 'put', 'the server did not store what was sent'],
    ['a PUT that adds', keeping('adds'), 'put', 'the server did not store what was sent'],
    [
      'a new item that is nowhere',
      replacing(keeping(), 201, (response) => withLine('Location', '/stones/0', response)),
      'location',
      'GET of it gets 404',
      'create',
    ],
  ],
}

export const changes: readonly Planted[] = [idempotent, tags, collections]
