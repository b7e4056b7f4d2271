/** Providers and guards: what the handlers of a group share, around each of them or before its input is decoded. */
import { type Api, isMount, isOperation, operations } from '../contract/api.ts'
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import { describeKind, requireFunction } from '../http/functions.ts'
import { type HttpError, isHttpError } from '../http/httpError.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { type Awaitable, andThen, silenceRejection } from '../http/promises.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { Handlers, OperationHandler } from './handlers.ts'
import { type UntypedProvider, wrapHandler } from './wrapHandler.ts'

/** The result of `next`. Only `next` makes one, so that a provider cannot forget to call it. */
export interface NextResult<Added> {
  readonly '~added': Added
}

/**
 * Runs the handler, with these members added to its input. Resolves when the handler is done, and rejects with the error that it threw or
 * returned. Where the handler returns a stream, it resolves when the stream has ended, and rejects when the client leaves before.
 */
export interface Next {
  (): Promise<NextResult<unknown>>
  <Added extends object>(added: Added): Promise<NextResult<Added>>
}

/** Runs around handlers: takes a part of their input, and adds values to it. */
export type Provider<Needs, Added> = (input: Needs, next: Next, request: HttpRequest) => Promise<NextResult<Added>>

/** The inputs of the handlers of a group: a provider can use the members that all of them have. */
type InputsOf<A> = A extends unknown
  ? {
      readonly [Name in keyof A]: '~types' extends keyof A[Name]
        ? TypeOf<A[Name]['~types'], 'input'>
        : '~kind' extends keyof A[Name]
          ? never
          : InputsOf<A[Name]>
    }[keyof A]
  : never

/** The endpoint of a request. A guard reads its `meta` and its `route`. */
interface EndpointInput {
  readonly endpoint: AnyEndpoint
}

/** What is known when a guard runs: the parts of the input that all handlers of a group have, and that come before negotiation. */
type GuardInput<Input> = { readonly [Name in keyof Input & ('params' | 'user' | 'fail')]: Input[Name] } & EndpointInput

/** What a guard or a provider needs that the inputs of its group do not have: it comes from an outer one. */
type NeedsOfOuter<Needs, Input> = keyof Needs extends keyof Input | 'endpoint'
  ? unknown
  : { readonly [Name in Exclude<keyof Needs, keyof Input | 'endpoint'>]: Needs[Name] }

/** Whether the inputs of a group fit what a guard or a provider takes of them. */
type RequireFit<Needs, Input> = { readonly [Name in keyof Needs & keyof Input]: Input[Name] } extends {
  readonly [Name in keyof Needs & keyof Input]: Needs[Name]
}
  ? unknown
  : 'the inputs of this group have members of these names, but of other types'

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

type HandlerRecord = Readonly<Record<string, unknown>>

/** The handlers of a group, each one replaced by another. What is not in the API stays: `serve` reports it. */
function mapHandlers(
  api: Api,
  handlers: HandlerRecord,
  mapHandler: (handler: OperationHandler, endpoint: AnyEndpoint) => OperationHandler,
): HandlerRecord {
  const mapped = Object.entries(handlers).map(([key, handler]) => {
    const part = Object.hasOwn(api, key) ? api[key] : undefined
    if (part === undefined) return [key, handler]
    if (!isOperation(part)) return [key, mapHandlers(part, Object(handler), mapHandler)]
    return [key, typeof handler !== 'function' || isMount(part) ? handler : mapHandler(handler as OperationHandler, part)]
  })
  return Object.fromEntries(mapped)
}

/**
 * A mount has no input: its requests would bypass a provider or a guard that checks who calls.
 *
 * @throws TypeError for a group with a mount.
 */
function requireNoMounts(caller: string, api: Api): void {
  for (const { name, operation } of operations(api))
    if (isMount(operation)) throw new TypeError(developerErrors.mountInGroup(caller, name, operation.prefix))
}

// `provide` and `guard` return `NoInfer<Handlers<…>>`: nested in each other, the compiler would else infer the API of the inner one backwards from
// the handlers of the outer one, and give up. What the outer one adds is inferred after the inner one is checked for the first time. Until then it
// is `any`, the default of `Added`, which an inner one can need anything of.

/**
 * Handlers of a group, each with what a provider adds to its input: a transaction, the tenant of the path, a connection. The provider runs
 * around each handler, after its input is decoded. An error that the handler throws or returns rejects `next`.
 *
 * Providers and guards nest. An inner one names what it and the handlers within it take from the outer ones, in the type of its input. A
 * provider stands within the guards, since it runs after them.
 *
 * @param api the group: `api.stones`
 * @param provider calls `next` once, with what it adds; `chain` makes one of two
 * @param handlers the handlers of the group
 * @throws TypeError for a group with a mount: a mount has no input, and its requests would bypass a provider that checks who calls; and for
 * handlers with a guard. During a request (a reported 500), for a provider that does not call `next`, or calls it twice.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { type Next, provide, serve } from 'lapidary/server'
 *
 * const api = { words: { first: endpoint('GET /words/first', { response: ok(text) }) } }
 * const timed = async (_input: unknown, next: Next) => next({ start: performance.now() })
 * const server = serve(api, { words: provide(api.words, timed, { first: ({ start }) => `at ${start} ms` }) })
 * ```
 */
// biome-ignore lint/suspicious/noExplicitAny: only until the compiler has inferred it, see above
export function provide<const A extends Api, Needs, Added = any>(
  api: A,
  provider: Provider<InputsOf<A> & EndpointInput & Needs, Added> & RequireFit<Needs, InputsOf<A>>,
  handlers: NoInfer<Handlers<A, NeedsOfOuter<Needs, InputsOf<A>> & Added>>,
): NoInfer<Handlers<A, NeedsOfOuter<Needs, InputsOf<A>>>> {
  requireFunction('provide(): provider', provider)
  requireNoMounts('provide()', api)
  const mapHandler = (handler: OperationHandler, endpoint: AnyEndpoint): OperationHandler => {
    if (splitGuards(handler).guards.length > 0) throw new TypeError(developerErrors.guardInProvider(endpoint.route))
    return wrapHandler(endpoint, provider as unknown as UntypedProvider, handler)
  }
  // The types allow only handlers in the shape of the API.
  return mapHandlers(api, handlers as HandlerRecord, mapHandler) as Handlers<A, NeedsOfOuter<Needs, InputsOf<A>>>
}

/**
 * Makes one provider from two: the second runs within the first, and gets the values that the first adds.
 *
 * @example
 * ```ts
 * import { chain, type Next } from 'lapidary/server'
 *
 * const tenant = async ({ params }: { readonly params: { readonly tenant: string } }, next: Next) =>
 *   next({ tenant: { name: params.tenant } })
 * const shop = async ({ tenant }: { readonly tenant: { readonly name: string } }, next: Next) => next({ shop: `the shop of ${tenant.name}` })
 * const both = chain(tenant, shop)
 * ```
 */
export function chain<Needs, Added, InnerNeeds, More>(
  outer: Provider<Needs, Added>,
  inner: Provider<InnerNeeds, More>,
): Provider<Needs & Omit<InnerNeeds, keyof Added>, Added & More> {
  requireFunction('chain(): outer', outer)
  requireFunction('chain(): inner', inner)
  return (input, next, request) =>
    outer(
      input,
      // The types of `next` follow from what it is called with.
      ((added: object = {}) =>
        // The outer one may wait for it later, or never.
        silenceRejection(
          inner({ ...input, ...added } as InnerNeeds, ((more: object = {}) => next({ ...added, ...more })) as unknown as Next, request),
        )) as unknown as Next,
      request,
    ) as unknown as Promise<NextResult<Added & More>>
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
