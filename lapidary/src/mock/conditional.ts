/** Changes that are made on condition of a tag: what the GET of their path answers is what they are compared with. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Precondition } from '../describe/etag.ts'
import { ParseError } from '../describe/refusal.ts'
import type { WithHeaders } from '../describe/reply.ts'
import { isPromise } from '../server/promise.ts'
import type { AnyMockHandler, MockInput } from './handle.ts'
import type { MockEndpoint } from './shapes.ts'
import { getHandlerReply } from './success.ts'

/** A request of a GET with nothing but captures. */
function toBareInput({ query }: AnyEndpoint, { params, user }: MockInput): MockInput {
  const values = Object.entries(query).map(([name, parameter]) => {
    const value: unknown = parameter.read({ values: [], isPresent: false })
    return [name, value instanceof ParseError ? undefined : value] as const
  })
  return { params, query: Object.fromEntries(values), headers: {}, body: undefined, user }
}

/** The same handler, which first looks whether what is there is what the request takes it for; `get` answers for what is there. @throws HttpError 412 */
export function withPrecondition(handle: AnyMockHandler, { endpoint }: MockEndpoint, get: AnyMockHandler): AnyMockHandler {
  const hasHeaders = Object.keys(getHandlerReply(endpoint).headers).length > 0
  const check = (precondition: Precondition, value: unknown): void =>
    precondition(hasHeaders ? (value as WithHeaders<unknown, unknown>).body : value)
  return (given, incoming) => {
    const { precondition } = given
    if (precondition === undefined) return handle(given, incoming)
    const value = get(toBareInput(endpoint, given), incoming)
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
