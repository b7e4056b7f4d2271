/** `streamedQueryOptions(call, input)`: the options of a query that follows a stream. */
import type { Query, QueryClient, SkipToken } from '@tanstack/query-core'
import type { CallOptions, DeclaredErrorOf } from 'lapidary/client'
import { type AnyCall, type CallError, type InputArguments, type SharedCallOptions, toCallFunction } from './calls.ts'
import { type AnyInput, type CallKey, createKey } from './queryKey.ts'
import type { CallQueryOptions } from './queryOptions.ts'

/** The items of a stream, which can be the body of a response with headers. */
type ItemOf<Output> = Output extends AsyncIterable<infer Item> ? Item : Output extends { readonly body: infer Body } ? ItemOf<Body> : never

/** What a query makes of the items of a stream. */
export interface StreamOptions<Item, Data> extends SharedCallOptions {
  /** Returns the data after an item. `(_, item) => item` keeps the last one. @default a list of all items */
  readonly reduce?: (data: Data, item: Item) => Data
  /** The data before the first item. @default an empty list */
  readonly initial?: Data
  /**
   * Goes on after a connection was cut off: the function `resume` of the client, for server-sent events with ids. A query that is
   * invalidated or fetched again then goes on after its last event, too, and keeps its data.
   *
   * @default the query fails, and TanStack Query starts the stream again, as its `retry` says
   */
  readonly resume?: (
    connect: (options: CallOptions) => Promise<AsyncIterable<Item & object> | undefined>,
    options: { readonly signal: AbortSignal; readonly lastEventId?: string },
  ) => AsyncIterable<Item>
}

/** What a query function gets. */
interface StreamContext {
  readonly client: QueryClient
  readonly queryKey: CallKey
  readonly signal: AbortSignal
}

/** Where a stream that can go on has come to. */
interface StreamPosition {
  readonly lastEventId: string
  readonly data: unknown
}

const positions = new WeakMap<Query, StreamPosition>()

/** The options of a query whose data grows. */
export interface CallStreamOptions<Data, Failure, Skip = never> extends CallQueryOptions<Data, Failure, Skip> {
  /** The data does not get old: the stream renews it. */
  readonly staleTime: number
}

/**
 * The options of a query that follows a stream of lines or server-sent events. Its data is the list of the items so far, or what `reduce`
 * makes of them. The query is `fetching` as long as the stream is open, and ends it when no component uses the query anymore.
 *
 * @param input The input of the call; `skipToken` as long as there is none.
 * @param options What to make of the items, and options of the call.
 * @throws TypeError for a function that is no call of a client, and from the query for a response that is no stream.
 * @example
 * ```ts
 * import { streamedQueryOptions } from '@lapidary/tanstack-query'
 * import { QueryClient } from '@tanstack/query-core'
 * import { endpoint, events, ok } from 'lapidary'
 * import { client, resume } from 'lapidary/client'
 * import { z } from 'zod'
 *
 * const api = { prices: endpoint('GET /prices', { response: ok(events(z.number())) }) }
 * const call = client(api, 'http://127.0.0.1:8081')
 * const latest = streamedQueryOptions(call.prices, {}, { resume, initial: 0, reduce: (_, { data }) => data })
 * console.log(await new QueryClient().fetchQuery(latest))
 * ```
 */
export function streamedQueryOptions<Input, Output, Replies, Data = ItemOf<Output>[]>(
  call: AnyCall<Input, Output, Replies>,
  ...[input, options]: InputArguments<Input, readonly [options?: StreamOptions<ItemOf<Output>, Data>]>
): CallStreamOptions<Data, CallError<DeclaredErrorOf<Replies>>>
export function streamedQueryOptions<Input, Output, Replies, Data = ItemOf<Output>[]>(
  call: AnyCall<Input, Output, Replies>,
  input: Input | SkipToken,
  options?: StreamOptions<ItemOf<Output>, Data>,
): CallStreamOptions<Data, CallError<DeclaredErrorOf<Replies>>, SkipToken>
export function streamedQueryOptions(
  call: AnyCall<unknown, unknown, unknown>,
  input?: unknown,
  {
    reduce = (data, item) => [...(data as readonly unknown[]), item],
    initial = [],
    resume,
    ...shared
  }: StreamOptions<unknown, unknown> = {},
): object {
  const run = toCallFunction('streamedQueryOptions()', call)
  const staleTime = Number.POSITIVE_INFINITY
  if (typeof input === 'symbol') return { queryKey: createKey('streamedQueryOptions()', call, {}, 'skipped'), queryFn: input, staleTime }

  const connect = async (options: CallOptions): Promise<AsyncIterable<object>> => {
    const output = await run(input, { ...shared, ...options, headers: { ...shared.headers, ...options.headers } })
    const stream: unknown = Object(output).body ?? output
    if (Symbol.asyncIterator in Object(stream)) return stream as AsyncIterable<object>
    throw new TypeError(`${call['~route'].route}: the response is no stream. Use queryOptions().`)
  }
  return {
    queryKey: createKey('streamedQueryOptions()', call, input as AnyInput | undefined, 'stream'),
    staleTime,
    queryFn: async ({ client, queryKey, signal }: StreamContext) => {
      const query = client.getQueryCache().find({ queryKey, exact: true }) as Query
      // What was ended before its end is fetched again for the next component that needs it.
      signal.addEventListener('abort', () => query.invalidate())
      const position = positions.get(query)
      // Other data, such as none after a reset, is not that of the event.
      const { lastEventId, data: known } = position?.data === query.state.data ? { ...position } : {}
      let data = lastEventId === undefined ? initial : known
      const stream = resume === undefined ? await connect({ signal }) : resume(connect, { signal, ...(lastEventId && { lastEventId }) })
      for await (const item of stream) {
        data = client.setQueryData(queryKey, reduce(data, item))
        const id: unknown = Object(item).id ?? positions.get(query)?.lastEventId
        if (resume !== undefined && typeof id === 'string') positions.set(query, { lastEventId: id, data })
      }
      return data
    },
  }
}
