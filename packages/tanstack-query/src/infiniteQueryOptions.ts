/** `infiniteQueryOptions(call, input)`: the options of a query that gets the pages of a collection. */
import type { DataTag, InfiniteData, QueryFunction } from '@tanstack/query-core'
import type { DeclaredErrorOf } from 'lapidary/client'
import { getNextInput, getPageItems, mergeParts } from 'lapidary/internal'
import type { NextPageInput, PageItem } from 'lapidary/pagination'
import { type AnyCall, type CallError, type InputArguments, type SharedCallOptions, toCallFunction } from './calls.ts'
import { type AnyInput, type CallKey, createKey } from './queryKey.ts'

/** What the input of a page has in place of that of the first one. It is empty for the first page. */
export type PageParam = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** How to get from a page to the next one, and options of the calls. */
export interface PagesOptions<Input, Page> extends SharedCallOptions {
  /**
   * Returns what the input of the next page has in place of that of the first one; `undefined` after the last page. For the servers of others:
   * `({ nextToken }) => nextToken && { query: { token: nextToken } }`.
   *
   * @default as `paginate`: the `cursor`, `range` or `page` of the `Link` to the next page, then `Next-Range`, then `next` of the body
   */
  readonly next?: (page: Page) => NextPageInput<Input> | undefined
}

/** The options of an infinite query, for `useInfiniteQuery`, `prefetchInfiniteQuery` and what else takes them. */
export interface CallPagesOptions<Page, Failure> {
  readonly queryKey: DataTag<CallKey, InfiniteData<Page, PageParam>, Failure>
  readonly queryFn: QueryFunction<Page, CallKey, PageParam>
  readonly initialPageParam: PageParam
  readonly getNextPageParam: (page: Page) => PageParam | undefined
  /** Absent; it tells the type of the error. */
  readonly retryDelay?: (failureCount: number, error: Failure) => number
}

/**
 * The options of an infinite query that gets the pages of a collection: `useInfiniteQuery(infiniteQueryOptions(call.stones))`. It finds the
 * next page as `paginate` does, so it works for ranges, cursors, page numbers and links. Each page is what the call returns; `listItems`
 * joins their items.
 *
 * @param input The input of the first page: `{ query: { limit: 50 } }`. The other pages get the same, and what the page before them tells.
 * @throws TypeError for a function that is no call of a client. A page whose `Link` does not say how to request the next one throws an Error.
 * @example
 * ```ts
 * import { infiniteQueryOptions, listItems } from '@lapidary/tanstack-query'
 * import { QueryClient } from '@tanstack/query-core'
 * import { endpoint } from 'lapidary'
 * import { client } from 'lapidary/client'
 * import { pagePagination } from 'lapidary/pagination'
 * import { z } from 'zod'
 *
 * const pages = pagePagination(z.object({ name: z.string() }))
 * const api = { stones: endpoint('GET /stones', { ...pages.declaration }) }
 * const call = client(api, 'http://127.0.0.1:8081')
 * const options = infiniteQueryOptions(call.stones, { query: { limit: 50 } })
 * const data = await new QueryClient().fetchInfiniteQuery({ ...options, pages: 3 })
 * for (const { name } of listItems(data)) console.log(name)
 * ```
 */
export function infiniteQueryOptions<Input, Page, Replies>(
  call: AnyCall<Input, Page, Replies>,
  ...[input, options]: InputArguments<Input, readonly [options?: PagesOptions<NoInfer<Input>, NoInfer<Page>>]>
): CallPagesOptions<Page, CallError<DeclaredErrorOf<Replies>>> {
  const run = toCallFunction('infiniteQueryOptions()', call)
  const { next, ...shared } = options ?? {}
  const first = (input ?? {}) as AnyInput & Readonly<Record<string, unknown>>
  return {
    queryKey: createKey('infiniteQueryOptions()', call, first, 'pages') as CallPagesOptions<
      Page,
      CallError<DeclaredErrorOf<Replies>>
    >['queryKey'],
    queryFn: ({ pageParam, signal }) => run(mergeParts(first, pageParam), { ...shared, signal }) as Promise<Page>,
    initialPageParam: {},
    getNextPageParam: (page) => (next === undefined ? getNextInput(page) : next(page)) as PageParam | undefined,
  }
}

/**
 * The items of all pages of an infinite query: `select: listItems`. They are the body of each page, or the only member of its body that is an
 * array.
 *
 * @throws TypeError if it is not clear which member of a body has the items.
 * @example
 * ```ts
 * import { listItems } from '@lapidary/tanstack-query'
 *
 * console.log(listItems({ pages: [['opal'], ['ruby']], pageParams: [{}, { query: { page: 2 } }] })) // ['opal', 'ruby']
 * ```
 */
export const listItems = <Page>({ pages }: InfiniteData<Page, unknown>): PageItem<Page>[] => pages.flatMap(getPageItems) as PageItem<Page>[]
