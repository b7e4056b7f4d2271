/** `guard(api.shops, check, handlers)`: who may call the endpoints of a group, before anything else of a request is read. */
import type { Api } from '../contract/api.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { describeKind, requireFunction } from '../http/functions.ts'
import { type HttpError, isHttpError } from '../http/httpError.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { type Awaitable, andThen } from '../http/promises.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import {
  type EndpointInput,
  type HandlerRecord,
  type InputsOf,
  mapHandlers,
  type NeedsOfOuter,
  type RequireFit,
  requireNoMounts,
} from './handlerGroups.ts'
import type { Handlers, OperationHandler } from './handlers.ts'

/** What is known when a guard runs: the parts of the input that all handlers of a group have, and that come before negotiation. */
type GuardInput<Input> = { readonly [Name in keyof Input & ('params' | 'user' | 'fail')]: Input[Name] } & EndpointInput

/** What a guard adds to the input: the members of what it returns, if it returns something. An error that it returns rejects the request. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing
type AddedByGuard<Result, Added = Exclude<Result, HttpError | undefined | void>> = [Added] extends [never] ? unknown : Added

/** A guard of any endpoint. */
export type UntypedGuard = (input: object, request: HttpRequest) => unknown

/** A handler, and the guards that run before it, in their order. */
interface GuardedHandler {
  readonly handler: OperationHandler
  readonly guards: readonly UntypedGuard[]
}

const guardedKey = Symbol('guarded')

/** Splits a handler from its guards, which the server runs earlier than the handler. */
export const splitGuards = (handler: OperationHandler): GuardedHandler =>
  (handler as { readonly [guardedKey]?: GuardedHandler })[guardedKey] ?? { handler, guards: [] }

/**
 * Runs a guard. Returns what it adds to the input of the handler.
 *
 * @throws the error that it returns. TypeError for a result such as `false`, which plain JavaScript can return to reject a request.
 */
export const runGuard = (check: UntypedGuard, input: object, request: HttpRequest, { route }: AnyEndpoint): Awaitable<object | undefined> =>
  andThen(check(input, request), (result) => {
    if (isHttpError(result)) throw result
    if (result === undefined || (typeof result === 'object' && result !== null)) return result
    throw new TypeError(developerErrors.invalidGuardResult(route, describeKind(result)))
  })

/**
 * Adds guards to a handler. A function of the application can stand around it, and the server does not see the guards there: the handler
 * runs them itself, whenever anything but the server calls it.
 */
function withGuards(handler: OperationHandler, guards: readonly UntypedGuard[], endpoint: AnyEndpoint): OperationHandler {
  const run = (input: object, request: HttpRequest): unknown =>
    guards.reduceRight<OperationHandler>(
      (next, check) => (known) =>
        andThen(runGuard(check, { ...known, endpoint }, request, endpoint), (added) => next({ ...known, ...added }, request)),
      handler,
    )(input, request)
  return Object.assign(run, { [guardedKey]: { handler, guards } satisfies GuardedHandler })
}

/**
 * Handlers of a group with a guard before them. It decides who may call. A guard runs when the credentials are checked, and before
 * anything else of the request is read: the `Accept` header, the query and the body. It gets the decoded captures of the path, the user, the
 * endpoint with its `meta`, and `fail`. The members of the object that it returns are in the input of all handlers of the group, of the
 * guards and providers within it, and nowhere else. An error that it throws or returns is the response; declare it in the endpoints.
 *
 * Guards nest: the outer one runs first. An inner one names what it and the handlers within it take from the outer ones, in the type of its
 * input: `({ tenant }: { readonly tenant: Tenant }) => …`. If your own function calls a handler that `guard` has returned, the guard runs at that
 * moment.
 *
 * @param api the group: `api.shops`
 * @param check may be asynchronous; it returns an object, or nothing
 * @param handlers the handlers of the group
 * @throws TypeError for a group with a mount: a mount has no input. Put middleware around its handler by `compose`. During a request (a
 * reported 500), for a result that is neither an object nor undefined.
 * @example
 * ```ts
 * import { endpoint, ok, prefix, reply, text } from 'lapidary'
 * import { guard, serve } from 'lapidary/server'
 *
 * const titles = new Map([['acme', 'Acme Stones']])
 * const api = { shops: prefix('/shops/:shop', { title: endpoint('GET /title', { response: ok(text), errors: [reply(404)] }) }) }
 * const handlers = guard(api.shops, ({ params, fail }) => ({ shop: titles.get(params.shop) ?? fail(404) }), { title: ({ shop }) => shop })
 * const server = serve(api, { shops: handlers })
 * ```
 */
// biome-ignore lint/suspicious/noExplicitAny: only until the compiler has inferred it, see above
// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing
export function guard<const A extends Api, Needs, Added extends object | void = any>(
  api: A,
  check: ((input: GuardInput<InputsOf<A>> & Needs, request: HttpRequest) => Added | Promise<Added>) & RequireFit<Needs, InputsOf<A>>,
  handlers: NoInfer<Handlers<A, NeedsOfOuter<Needs, InputsOf<A>> & AddedByGuard<Added>>>,
): NoInfer<Handlers<A, NeedsOfOuter<Needs, InputsOf<A>>>> {
  requireFunction('guard(): check', check)
  requireNoMounts('guard()', api)
  const mapHandler = (given: OperationHandler, endpoint: AnyEndpoint): OperationHandler => {
    const { handler, guards } = splitGuards(given)
    return withGuards(handler, [check as UntypedGuard, ...guards], endpoint)
  }
  // The types allow only handlers in the shape of the API.
  return mapHandlers(api, handlers as HandlerRecord, mapHandler) as Handlers<A, NeedsOfOuter<Needs, InputsOf<A>>>
}
