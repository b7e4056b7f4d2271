/** `@lapidary/tanstack-query`: options and keys for TanStack Query, made of the calls of a client. */
export type { AnyCall, CallData, CallError, SharedCallOptions } from './calls.ts'
export { type CallPagesOptions, infiniteQueryOptions, listItems, type PageParam, type PagesOptions } from './infiniteQueryOptions.ts'
export { isDeclared } from './isDeclared.ts'
export { type CallMutationOptions, type MutationVariables, mutationOptions } from './mutationOptions.ts'
export { type CallKey, type KeyInput, type KeyParts, pathKey, queryKey } from './queryKey.ts'
export { type CallQueryOptions, queryOptions } from './queryOptions.ts'
export { type CallStreamOptions, type StreamOptions, streamedQueryOptions } from './streamedQueryOptions.ts'
