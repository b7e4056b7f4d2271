/** The errors of queries and mutations, narrowed to those that their endpoints declare. */
import type { HttpError } from 'lapidary'
import { declaredForms } from 'lapidary/internal'
import type { CallError } from './calls.ts'

/** The errors of a status. */
type WithStatus<Declared, Status> = Declared extends { readonly status: Status } ? Declared : never

/**
 * Whether the error of a query or a mutation is one that its endpoint declares, in its status and its form. It narrows the error, so that
 * `error.body` and `error.headers` have the types of the description. Any other error is one of the connection, of the server, or a
 * response that the description does not allow.
 *
 * @param error The error of a query, a mutation or a callback of them; `null` is none.
 * @param status Only the errors of this status. @default all that are declared
 * @example
 * ```ts
 * import { QueryClient } from '@tanstack/query-core'
 * import { isDeclared, queryOptions } from '@lapidary/tanstack-query'
 * import { endpoint, ok, reply, text } from 'lapidary'
 * import { client } from 'lapidary/client'
 * import { z } from 'zod'
 *
 * const api = {
 *   stone: endpoint('GET /stones/:id', { response: ok(text), errors: [reply(404, z.object({ nearest: z.string() }))] }),
 * }
 * const call = client(api, 'http://127.0.0.1:8081')
 * const options = queryOptions(call.stone, { params: { id: 'opal' } })
 * await new QueryClient().prefetchQuery(options)
 * const { error } = new QueryClient().getQueryState(options.queryKey) ?? {}
 * if (isDeclared(error, 404)) console.log(error.body.nearest)
 * ```
 */
export const isDeclared = <Declared extends HttpError, const Status extends Declared['status'] = Declared['status']>(
  error: CallError<Declared> | null | undefined,
  status?: Status,
): error is CallError<Declared> & WithStatus<Declared, Status> =>
  declaredForms.has(Object(error)) && (status === undefined || (error as { readonly status?: unknown }).status === status)
