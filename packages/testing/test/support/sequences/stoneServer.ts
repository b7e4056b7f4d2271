/** A server of stones that is right, and whose parts can be replaced by wrong ones: it stands for a server in any language. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NewStone, Stone, StoneChange } from './stonesApi.ts'

/** What a server remembers. */
export interface StoneStore {
  readonly items: Map<number, Stone>
  /** The responses to requests with an Idempotency-Key. */
  readonly replays: Map<string, StoredResponse>
  /** The identifiers of the stones in the order of their creation: the events of the server. */
  readonly log: number[]
  lastId: number
  /** The number of requests so far. */
  requests: number
}

export interface StoredResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The parts of the server. `client` is the number of the connection. */
export interface StoneParts {
  readonly newId: (store: StoneStore) => number
  readonly read: (store: StoneStore, id: number, client: number) => Stone | undefined
  readonly list: (store: StoneStore, client: number) => readonly Stone[]
  readonly page: (
    stones: readonly Stone[],
    cursor: string,
    limit: number,
  ) => { readonly page: readonly Stone[]; readonly next?: string | undefined }
  readonly insert: (store: StoneStore, stone: Stone) => void
  /** Stores a changed stone, and returns what the response shows. */
  readonly update: (store: StoneStore, stone: Stone, previous: Stone) => Stone | Promise<Stone>
  readonly remove: (store: StoneStore, id: number) => void
  readonly replace: (stone: Stone, body: NewStone) => Stone
  readonly merge: (stone: Stone, body: StoneChange) => Stone
  readonly etag: (stone: Stone, store: StoneStore) => string
  /** Whether the condition of a change holds. */
  readonly isCurrent: (tag: string, etag: string, store: StoneStore, stone: Stone) => boolean
  /** Whether a GET gets 304. */
  readonly isFresh: (tag: string, etag: string, store: StoneStore, stone: Stone) => boolean
  /** Waits between the test of a condition and the change. */
  readonly beforeChange: () => Promise<void> | undefined
  /** Waits between the test of a key and the creation. */
  readonly beforeCreate: () => Promise<void> | undefined
  readonly findReplay: (store: StoneStore, key: string) => StoredResponse | undefined | Promise<StoredResponse | undefined>
  /** The number of the event after which a stream begins. */
  readonly resumeFrom: (store: StoneStore, lastEventId: string | undefined) => number
  /** The events after one. */
  readonly listEvents: (store: StoneStore, after: number) => readonly { readonly id: number; readonly stone: number }[]
}

const hash = (value: unknown): string => `"${createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)}"`

/** The entity tags of a condition. */
const listTags = (condition: string): readonly string[] => condition.split(',').map((tag) => tag.trim())

export const rightParts: StoneParts = {
  newId: (store) => store.lastId + 1,
  read: ({ items }, id) => items.get(id),
  list: ({ items }) => [...items.values()],
  page: (stones, cursor, limit) => {
    const rest = stones.filter(({ id }) => id > Number(cursor))
    const page = rest.slice(0, limit)
    return { page, next: rest.length > limit ? String(page.at(-1)?.id) : undefined }
  },
  insert: (store, stone) => {
    store.items.set(stone.id, stone)
    store.log.push(stone.id)
  },
  update: (store, stone) => {
    store.items.set(stone.id, stone)
    return stone
  },
  remove: ({ items }, id) => void items.delete(id),
  replace: ({ id, revision }, body) => ({ ...body, id, revision: revision + 1 }),
  merge: (stone, body) => ({ ...stone, ...body, revision: stone.revision + 1 }) as Stone,
  etag: (stone) => hash(stone),
  isCurrent: (tag, etag) => tag === '*' || listTags(tag).includes(etag),
  isFresh: (tag, etag) => tag === '*' || listTags(tag).some((one) => one.replace('W/', '') === etag),
  beforeChange: () => undefined,
  beforeCreate: () => undefined,
  findReplay: (store, key) => store.replays.get(key),
  resumeFrom: ({ log }, lastEventId) => Number(lastEventId ?? log.length),
  listEvents: ({ log }, after) => log.map((stone, index) => ({ id: index + 1, stone })).filter(({ id }) => id > after),
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const createProblem = (status: number): StoredResponse => ({
  status,
  headers: { 'Content-Type': 'application/problem+json' },
  body: { type: 'about:blank', title: STATUS_CODES[status], status },
})

async function createStone(parts: StoneParts, store: StoneStore, request: IncomingMessage, body: NewStone): Promise<StoredResponse> {
  const key = request.headers['idempotency-key']
  const replay = typeof key === 'string' ? await parts.findReplay(store, key) : undefined
  if (replay !== undefined) return replay
  const pause = parts.beforeCreate()
  if (pause !== undefined) await pause
  const id = parts.newId(store)
  store.lastId = Math.max(store.lastId, id)
  const stone: Stone = { id, ...body, revision: 1 }
  parts.insert(store, stone)
  const response = { status: 201, headers: { Location: `/stones/${id}` }, body: stone }
  if (typeof key === 'string') store.replays.set(key, response)
  return response
}

async function changeStone(
  parts: StoneParts,
  store: StoneStore,
  request: IncomingMessage,
  body: unknown,
  stone: Stone,
): Promise<StoredResponse> {
  const tag = request.headers['if-match']
  const current = store.items.get(stone.id)
  if (current === undefined) return createProblem(404)
  if (tag !== undefined && !parts.isCurrent(tag, parts.etag(current, store), store, current)) return createProblem(412)
  const pause = parts.beforeChange()
  if (pause !== undefined) await pause
  if (request.method === 'DELETE') {
    parts.remove(store, stone.id)
    return { status: 204 }
  }
  const next = request.method === 'PUT' ? parts.replace(current, body as NewStone) : parts.merge(current, body as StoneChange)
  return { status: 200, body: await parts.update(store, next, current) }
}

async function respond(
  parts: StoneParts,
  store: StoneStore,
  request: IncomingMessage,
  bytes: Buffer,
  client: number,
): Promise<StoredResponse> {
  const body: unknown = bytes.length === 0 ? undefined : JSON.parse(bytes.toString())
  const url = new URL(request.url ?? '/', 'http://localhost')
  store.requests += 1
  if (url.pathname === '/stones' && request.method === 'POST') return createStone(parts, store, request, body as NewStone)
  if (url.pathname === '/stones') {
    const limit = Number(url.searchParams.get('limit') ?? 20)
    const { page, next } = parts.page(parts.list(store, client), url.searchParams.get('cursor') ?? '0', limit)
    const link = next === undefined ? {} : { Link: `</stones?cursor=${next}&limit=${limit}>; rel="next"` }
    return { status: 200, headers: link, body: page }
  }
  const id = Number(url.pathname.replace('/stones/', ''))
  const isRead = request.method === 'GET'
  const stone = isRead ? parts.read(store, id, client) : store.items.get(id)
  if (stone === undefined) return createProblem(404)
  if (!isRead) return changeStone(parts, store, request, body, stone)
  const etag = parts.etag(stone, store)
  const expected = request.headers['if-match']
  if (expected !== undefined && !rightParts.isCurrent(expected, etag, store, stone)) return createProblem(412)
  const tag = request.headers['if-none-match']
  if (tag !== undefined && parts.isFresh(tag, etag, store, stone)) return { status: 304, headers: { ETag: etag } }
  return { status: 200, headers: { ETag: etag }, body: stone }
}

/** Sends the events so far, and new ones until the client leaves. */
function sendEvents(parts: StoneParts, store: StoneStore, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  response.flushHeaders()
  let after = parts.resumeFrom(store, request.headers['last-event-id']?.toString())
  const timer = setInterval(() => {
    for (const { id, stone } of parts.listEvents(store, after)) {
      response.write(`event: created\nid: ${id}\ndata: {"id":${stone}}\n\n`)
      after = id
    }
  }, 5)
  response.once('close', () => clearInterval(timer))
}

/** Returns the response to a request that the server does not serve. */
export type RefuseRequest = (request: IncomingMessage, body: Buffer) => Promise<StoredResponse | undefined>

/** Starts a server with these parts in place of the right ones. It validates no request, except by `refuse`. */
export async function startStoneServer(
  wrong: Partial<StoneParts> = {},
  refuse: RefuseRequest = () => Promise.resolve(undefined),
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const parts = { ...rightParts, ...wrong }
  const store: StoneStore = { items: new Map(), replays: new Map(), log: [], lastId: 0, requests: 0 }
  const clients = new WeakMap<object, number>()
  let clientCount = 0
  const server = createServer((request, response) => {
    const client = clients.get(request.socket) ?? clientCount++
    clients.set(request.socket, client)
    if (request.url === '/changes') return sendEvents(parts, store, request, response)
    const handle = async (): Promise<StoredResponse> => {
      const body = await readBody(request)
      return (await refuse(request, body)) ?? respond(parts, store, request, body, client)
    }
    void handle().then(({ status, headers, body }) => {
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
      response.writeHead(status, { ...type, ...headers }).end(body === undefined ? undefined : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
