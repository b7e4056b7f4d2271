/** Changes that are made on condition of a tag: what the GET of their path answers is what they are compared with. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Precondition } from '../describe/etag.ts'
import { Refusal } from '../describe/refusal.ts'
import type { WithHeaders } from '../describe/reply.ts'
import { isPromise } from '../server/promise.ts'
import type { Given, Handle } from './handle.ts'
import type { Named } from './shapes.ts'
import { replyOf } from './success.ts'

/** A request of a GET with nothing but captures. */
function plainly({ query }: AnyEndpoint, { params, user }: Given): Given {
  const values = Object.entries(query).map(([name, parameter]) => {
    const value: unknown = parameter.read({ texts: [], named: false })
    return [name, value instanceof Refusal ? undefined : value] as const
  })
  return { params, query: Object.fromEntries(values), headers: {}, body: undefined, user }
}

/** The same handler, which first looks whether what is there is what the request takes it for; `get` answers for what is there. @throws HttpError 412 */
export function conditional(handle: Handle, { endpoint }: Named, get: Handle): Handle {
  const hasHeaders = Object.keys(replyOf(endpoint).headers).length > 0
  const check = (precondition: Precondition, value: unknown): void =>
    precondition(hasHeaders ? (value as WithHeaders<unknown, unknown>).body : value)
  return (given, incoming) => {
    const { precondition } = given
    if (precondition === undefined) return handle(given, incoming)
    const value = get(plainly(endpoint, given), incoming)
    if (isPromise(value))
      return value.then((late) => {
        check(precondition, late)
        return handle(given, incoming)
      })
    // Where nothing is waited for, nobody can write in between.
    check(precondition, value)
    return handle(given, incoming)
  }
}
