/** `queryOptions(call, input)`: the options of a query that makes a call. */
import type { DataTag, QueryFunction, SkipToken } from '@tanstack/query-core'
import type { DeclaredErrorOf } from 'lapidary/client'
import { type AnyCall, type CallData, type CallError, type InputArguments, type SharedCallOptions, toCallFunction } from './calls.ts'
import { type AnyInput, type CallKey, createKey } from './queryKey.ts'

/** The options of a query, for `useQuery`, `useSuspenseQuery`, `prefetchQuery` and what else takes them. */
export interface CallQueryOptions<Data, Failure, Skip = never> {
  readonly queryKey: DataTag<CallKey, Data, Failure>
  readonly queryFn: QueryFunction<Data, CallKey> | Skip
  /** Absent; it tells the type of the error. */
  readonly retryDelay?: (failureCount: number, error: Failure) => number
}

/** A call whose response is no stream. */
type SingleCall<Input, Output, Replies> = AnyCall<Input, Output, Replies> &
  ([Extract<Output, AsyncIterable<unknown>>] extends [never]
    ? unknown
    : { readonly 'The response is a stream: use streamedQueryOptions': never })

/**
 * The options of a query that makes a call: `useQuery(queryOptions(call.stone, { params: { id } }))`. The key is the URL of the call (see
 * `queryKey`). The query cancels its call, and has the types of the response and of the declared errors (see `isDeclared`). Spread the
 * options to add others: `{ ...queryOptions(call.stone, input), select, staleTime: 60_000 }`.
 *
 * @param input The input of the call; `skipToken` as long as there is none.
 * @param options Options of the call, such as `timeout`. They are not a part of the key.
 * @throws TypeError for bytes, a file or a stream in the input, and for a function that is no call of a client.
 * @example
 * ```ts
 * import { queryOptions } from '@lapidary/tanstack-query'
 * import { QueryClient } from '@tanstack/query-core'
 * import { endpoint, int, ok, text } from 'lapidary'
 * import { client } from 'lapidary/client'
 *
 * const api = { stone: endpoint('GET /stones/:id', { params: { id: int }, response: ok(text) }) }
 * const call = client(api, 'http://127.0.0.1:8081')
 * console.log(await new QueryClient().fetchQuery(queryOptions(call.stone, { params: { id: 7 } })))
 * ```
 */
export function queryOptions<Input, Output, Replies>(
  call: SingleCall<Input, Output, Replies>,
  ...[input, options]: InputArguments<Input, readonly [options?: SharedCallOptions]>
): CallQueryOptions<CallData<Output>, CallError<DeclaredErrorOf<Replies>>>
export function queryOptions<Input, Output, Replies>(
  call: SingleCall<Input, Output, Replies>,
  input: Input | SkipToken,
  options?: SharedCallOptions,
): CallQueryOptions<CallData<Output>, CallError<DeclaredErrorOf<Replies>>, SkipToken>
export function queryOptions(call: AnyCall<unknown, unknown, unknown>, input?: unknown, options?: SharedCallOptions): object {
  const run = toCallFunction('queryOptions()', call)
  // Not compared with the token: there can be several copies of TanStack Query.
  if (typeof input === 'symbol') return { queryKey: createKey('queryOptions()', call, {}, 'skipped'), queryFn: input }
  return {
    queryKey: createKey('queryOptions()', call, input as AnyInput | undefined),
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
      const data = await run(input, { ...options, signal })
      if (Symbol.asyncIterator in Object(data))
        throw new TypeError(`${call['~route'].route}: the response is a stream, which no cache can keep. Use streamedQueryOptions().`)
      return data ?? null
    },
  }
}
