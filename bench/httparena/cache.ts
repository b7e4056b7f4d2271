/** One cache for all processes, in the primary process: an item that one worker changes is stale in no other. */
import cluster, { type Worker } from 'node:cluster'
import type { Item } from './api.ts'

const lifetime = 200 // milliseconds

type Request = { readonly call: number } & (
  | { readonly get: number }
  | { readonly set: number; readonly item: Item }
  | { readonly delete: number }
)
type Response = { readonly call: number; readonly item?: Item | undefined }

/** Answers the workers. */
export function keepCache(): void {
  const entries = new Map<number, { readonly item: Item; readonly timer: NodeJS.Timeout }>()
  const remove = (id: number): void => {
    clearTimeout(entries.get(id)?.timer)
    entries.delete(id)
  }
  cluster.on('message', (worker: Worker, request: Request) => {
    const respond = (item?: Item): void => void worker.send({ call: request.call, item } satisfies Response)
    if ('get' in request) return respond(entries.get(request.get)?.item)
    if ('delete' in request) remove(request.delete)
    else {
      remove(request.set)
      entries.set(request.set, { item: request.item, timer: setTimeout(remove, lifetime, request.set) })
    }
    respond()
  })
}

/** The cache, as a worker uses it. */
export function connectToCache() {
  const waiting = new Map<number, (item: Item | undefined) => void>()
  let calls = 0
  process.on('message', ({ call, item }: Response) => {
    waiting.get(call)?.(item)
    waiting.delete(call)
  })
  const send = (question: object): Promise<Item | undefined> =>
    new Promise((resolve) => {
      calls += 1
      waiting.set(calls, resolve)
      process.send?.({ call: calls, ...question })
    })
  return {
    get: (id: number) => send({ get: id }),
    set: (id: number, item: Item) => send({ set: id, item }),
    delete: (id: number) => send({ delete: id }),
  }
}

export type Cache = ReturnType<typeof connectToCache>
