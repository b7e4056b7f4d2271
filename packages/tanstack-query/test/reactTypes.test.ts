/** The types that a component of React gets: data, errors, variables, and what is a mistake. Hooks run in components only, so this calls none. */
import {
  infiniteQueryOptions,
  isDeclared,
  listItems,
  mutationOptions,
  queryKey,
  queryOptions,
  streamedQueryOptions,
} from '@lapidary/tanstack-query'
import { skipToken, useInfiniteQuery, useMutation, useQueries, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import type { HttpError } from 'lapidary'
import { resume } from 'lapidary/client'
import { expect, expectTypeOf, test } from 'vitest'
import { type Stone, stoneClients } from './support/stones.ts'

const [, createClient] = stoneClients[0] ?? expect.unreachable()
const call = createClient('http://stones.test')
const input = { params: { name: 'opal' } }

interface Tagged {
  readonly body: Stone
  readonly headers: { readonly ETag: string }
}

function Queries(): void {
  const { data, error } = useQuery(queryOptions(call.stones.one, input))
  expectTypeOf(data).toExtend<Tagged | undefined>()
  if (isDeclared(error, 404)) expectTypeOf(error.body).toEqualTypeOf<{ nearest: string }>()
  if (isDeclared(error)) expectTypeOf(error.status).toEqualTypeOf<404 | 304 | 412>()
  // @ts-expect-error: the endpoint declares no 418.
  isDeclared(error, 418)
  // Any error has a message.
  expectTypeOf(error?.message).toEqualTypeOf<string | undefined>()

  expectTypeOf(useSuspenseQuery(queryOptions(call.stones.list)).data).toEqualTypeOf<Stone[]>()
  expectTypeOf(useSuspenseQuery(queryOptions(call.nothing)).data).toEqualTypeOf<null>()
  const named = useQuery({ ...queryOptions(call.stones.one, input), select: ({ body }) => body.name, staleTime: 1 })
  expectTypeOf(named.data).toEqualTypeOf<string | undefined>()
  if (isDeclared(named.error, 404)) expectTypeOf(named.error.body.nearest).toEqualTypeOf<string>()
  expectTypeOf(useQuery(queryOptions(call.stones.one, skipToken as typeof skipToken | typeof input)).data).toExtend<Tagged | undefined>()
  const [first, second] = useQueries({ queries: [queryOptions(call.stones.list), queryOptions(call.greet)] })
  expectTypeOf(first.data).toEqualTypeOf<Stone[] | undefined>()
  expectTypeOf(second.data).toEqualTypeOf<string | undefined>()

  // @ts-expect-error: a suspense query has its input.
  useSuspenseQuery(queryOptions(call.stones.one, skipToken))
  // @ts-expect-error: the capture is missing.
  queryOptions(call.stones.one)
  // @ts-expect-error: it is no number.
  queryOptions(call.stones.one, { params: { name: 7 } })
  // @ts-expect-error: a stream is no data.
  queryOptions(call.lines)
  // @ts-expect-error: a function around a call has no key.
  queryOptions(() => call.greet())
}

function Pages(): void {
  const { data } = useInfiniteQuery(infiniteQueryOptions(call.cursors, { query: { limit: 5 } }))
  expectTypeOf(data?.pages[0]?.body).toEqualTypeOf<Stone[] | undefined>()
  const items = useInfiniteQuery({ ...infiniteQueryOptions(call.cursors), select: listItems })
  expectTypeOf(items.data).toEqualTypeOf<Stone[] | undefined>()
}

function Streams(): void {
  expectTypeOf(useQuery(streamedQueryOptions(call.lines)).data).toEqualTypeOf<{ line: number }[] | undefined>()
  const latest = streamedQueryOptions(call.ticks, {}, { resume, initial: 0, reduce: (_last, { data }) => data })
  expectTypeOf(useQuery(latest).data).toEqualTypeOf<number | undefined>()
}

function Mutations(): void {
  const queryClient = useQueryClient()
  const remove = useMutation({
    ...mutationOptions(call.stones.remove),
    onMutate: ({ params }) => queryClient.getQueryData(queryKey(call.stones.one, { params })),
    onError: (error, { params }, old) => {
      expectTypeOf(old).toExtend<Tagged | undefined>()
      queryClient.setQueryData(queryKey(call.stones.one, { params }), old)
      if (isDeclared(error, 409)) expectTypeOf(error).toExtend<HttpError<409>>()
    },
  })
  expectTypeOf(remove.mutate).parameter(0).toEqualTypeOf<{ readonly params: { readonly name: string } }>()
  if (isDeclared(remove.error, 409)) expectTypeOf(remove.error.body.type).toEqualTypeOf<'/set-in-gold'>()
  useMutation(mutationOptions(call.nothing)).mutate()
  // @ts-expect-error: the input is missing.
  remove.mutate()
  // @ts-expect-error: the data of this key is a stone.
  queryClient.setQueryData(queryKey(call.stones.one, input), 'opal')
}

test('components get the types of the description', () => {
  for (const component of [Queries, Pages, Streams, Mutations]) expect(component).toBeTypeOf('function')
})
