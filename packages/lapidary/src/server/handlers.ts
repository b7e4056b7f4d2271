/** The shape of the handlers of an API: the same record, with a function for each endpoint and a kernel for each mount. */
import type { Api, Mount, NamedOperation } from '../contract/api.ts'
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import type { ReplyInput } from '../contract/endpointTypes.ts'
import type { HttpHandler, HttpRequest } from '../http/httpHandler.ts'
import * as complaint from '../messages/developerErrors.ts'

/**
 * What an endpoint needs: a function from its input (`params`, `query`, `headers`, `body`, `user`) to what its reply declares, now or later.
 * The second argument is the request itself, for its `signal` and its `remote` address.
 */
export type Handler<In, Out> = (input: In, incoming: HttpRequest) => Out | Promise<Out>

/** What the handler of an endpoint gets: `params`, `query`, `headers`, `body` and `user`, as far as the endpoint declares them. */
export type HandlerInput<E extends AnyEndpoint> = TypeOf<E['~types'], 'input'>

/** One handler for each endpoint of an API, in the same shape as the API. */
// Conditional, so that editors and messages show the handlers rather than the API that they come from. What stands under a name is told by its
// keys, which `TypeOf` has the reason for.
export type Handlers<A> = A extends unknown
  ? {
      readonly [Name in keyof A]: '~types' extends keyof A[Name]
        ? string extends keyof A[Name]
          ? Unknown
          : Handler<TypeOf<A[Name]['~types'], 'input'>, ReplyInput<TypeOf<A[Name]['~types'], 'response'>>>
        : // A union of both has none but the keys that they share.
          '~kind' extends keyof A[Name]
          ? keyof Mount extends keyof A[Name]
            ? HttpHandler
            : Handlers<Api>
          : Handlers<A[Name]>
    }
  : never

/** What may stand where the API is `any`. */
type Unknown = Handler<unknown, unknown> | HttpHandler | { readonly [name: string]: Unknown }

/** The handler that stands at the place of an operation. @throws TypeError where there is none. */
export function findHandler(handlers: unknown, { path, name, operation }: NamedOperation): unknown {
  let here: unknown = handlers
  for (const key of path) here = typeof here === 'object' && here !== null && Object.hasOwn(here, key) ? Reflect.get(here, key) : undefined
  if (typeof here === 'function') return here
  throw new TypeError(complaint.missingHandler(name, operation['~kind'] === 'mount' ? `the mount ${operation.prefix}` : operation.route))
}

/** @throws TypeError for a handler without an endpoint: a typing slip in plain JavaScript. */
export function checkStrayHandlers(handlers: unknown, api: Api, path: readonly string[] = []): void {
  for (const [key, value] of Object.entries(handlers ?? {})) {
    const there = Object.hasOwn(api, key) ? api[key] : undefined
    if (there === undefined) throw new TypeError(complaint.unknownHandler([...path, key].join('.')))
    if (typeof value === 'object' && typeof there['~kind'] !== 'string') checkStrayHandlers(value, there as Api, [...path, key])
  }
}
