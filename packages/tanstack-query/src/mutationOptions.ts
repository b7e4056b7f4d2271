/** `mutationOptions(call)`: the options of a mutation that makes a call. */
import type { DeclaredErrorOf } from 'lapidary/client'
import type { Nothing } from 'lapidary/internal'
import { type AnyCall, type CallError, type SharedCallOptions, toCallFunction } from './calls.ts'

/** What `mutate` takes: the input of the call, or nothing if no part of it is required. */
// biome-ignore lint/suspicious/noConfusingVoidType: `mutate()` without an argument is what a void parameter allows
export type MutationVariables<Input> = Nothing extends Input ? Input | void : Input

/** The options of a mutation, for `useMutation` and what else takes them. */
export interface CallMutationOptions<Data, Failure, Variables> {
  /** Method and path: `['PUT /books/:id']`. */
  readonly mutationKey: readonly [route: string]
  readonly mutationFn: (variables: Variables) => Promise<Data>
  /** Absent; it tells the type of the error. */
  readonly retryDelay?: (failureCount: number, error: Failure) => number
}

/**
 * The options of a mutation that makes a call: `useMutation(mutationOptions(call.add))`. `mutate` takes the input of the call. Spread the
 * options to add others: `{ ...mutationOptions(call.add), onSuccess }`.
 *
 * @param options Options of the calls, such as `timeout`.
 * @throws TypeError for a function that is no call of a client.
 * @example
 * ```ts
 * import { mutationOptions, pathKey } from '@lapidary/tanstack-query'
 * import { MutationObserver, QueryClient } from '@tanstack/query-core'
 * import { created, endpoint, text } from 'lapidary'
 * import { client } from 'lapidary/client'
 *
 * const api = { add: endpoint('POST /stones', { body: text, response: created(text) }) }
 * const call = client(api, 'http://127.0.0.1:8081')
 * const queryClient = new QueryClient()
 * const mutation = new MutationObserver(queryClient, {
 *   ...mutationOptions(call.add),
 *   onSuccess: () => queryClient.invalidateQueries({ queryKey: pathKey(call.add) }),
 * })
 * await mutation.mutate({ body: 'opal' })
 * ```
 */
export function mutationOptions<Input, Output, Replies>(
  call: AnyCall<Input, Output, Replies>,
  options: SharedCallOptions = {},
): CallMutationOptions<Output, CallError<DeclaredErrorOf<Replies>>, MutationVariables<Input>> {
  const run = toCallFunction('mutationOptions()', call)
  return {
    mutationKey: [call['~route'].route],
    mutationFn: (variables) => run(variables ?? undefined, options) as Promise<Output>,
  }
}
