/** Providers and guards: what the handlers of a group share, around each of them or before its input is decoded. */
import { type Api, isMount, isOperation, operations } from '../contract/api.ts'
import type { TypeOf } from '../contract/endpoint.ts'
import { requireFunction } from '../http/functions.ts'
import type { HttpHandler, HttpRequest } from '../http/httpHandler.ts'
import { andThen, silenceRejection } from '../http/promises.ts'
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

/**
 * Runs before the input of a request is decoded, and before its credentials are checked. It rejects a request by an error that it throws.
 */
type RequestGuard<Needs> = (input: Needs, request: HttpRequest) => void | Promise<void>

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

/** What is decoded when a guard runs. */
type ParamsOf<Input> = Input extends { readonly params: infer Params } ? { readonly params: Params } : unknown

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
 * Adds guards to a handler. A function of the application can stand around it, and the server does not see the guards there: the handler
 * runs them itself, whenever anything but the server calls it.
 */
function withGuards(handler: OperationHandler, guards: readonly UntypedGuard[]): OperationHandler {
  if (guards.length === 0) return handler
  const run = (input: object, request: HttpRequest): unknown => {
    const { params = {} } = input as { readonly params?: unknown }
    return guards.reduceRight<() => unknown>(
      (next, check) => () => andThen(check({ params }, request), next),
      () => handler(input, request),
    )()
  }
  return Object.assign(run, { [guardedKey]: { handler, guards } satisfies GuardedHandler })
}

type HandlerRecord = Readonly<Record<string, unknown>>

/** The handlers of a group, each endpoint's and each mount's replaced by another one. What is not in the API stays: `serve` reports it. */
function mapHandlers(
  api: Api,
  handlers: HandlerRecord,
  mapEndpoint: (handler: OperationHandler, route: string) => OperationHandler,
  mapMount: (handler: HttpHandler) => HttpHandler,
): HandlerRecord {
  const mapped = Object.entries(handlers).map(([key, handler]) => {
    const part = Object.hasOwn(api, key) ? api[key] : undefined
    if (part === undefined) return [key, handler]
    if (!isOperation(part)) return [key, mapHandlers(part, Object(handler), mapEndpoint, mapMount)]
    if (typeof handler !== 'function') return [key, handler]
    return [key, isMount(part) ? mapMount(handler as HttpHandler) : mapEndpoint(handler as OperationHandler, part.route)]
  })
  return Object.fromEntries(mapped)
}

// `provide` and `guard` return `NoInfer<Handlers<A>>`: nested in each other, the compiler would else infer the API of the inner one backwards from
// the handlers of the outer one, and give up.

/**
 * Handlers of a group, each with what a provider adds to its input: a transaction, the tenant of the path, a connection. The provider runs
 * around each handler, after its input is decoded. An error that the handler throws or returns rejects `next`.
 *
 * @param api the group: `api.stones`
 * @param provider calls `next` once, with what it adds; `chain` makes one of two
 * @param handlers the handlers of the group
 * @throws TypeError for a group with a mount: a mount has no input, and its requests would bypass a provider that checks who calls. Put a
 * `guard` there. During a request (a reported 500), for a provider that does not call `next`, or calls it twice.
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
export function provide<const A extends Api, Added>(
  api: A,
  provider: Provider<InputsOf<A>, Added>,
  handlers: NoInfer<Handlers<A, Added>>,
): NoInfer<Handlers<A>> {
  requireFunction('provide(): provider', provider)
  for (const { name, operation } of operations(api))
    if (isMount(operation)) throw new TypeError(developerErrors.providerAroundMount(name, operation.prefix))
  const mapEndpoint = (given: OperationHandler, route: string): OperationHandler => {
    const { handler, guards } = splitGuards(given)
    return withGuards(wrapHandler(route, provider as unknown as UntypedProvider, handler), guards)
  }
  // The types allow only handlers in the shape of the API.
  return mapHandlers(api, handlers as HandlerRecord, mapEndpoint, (handler) => handler) as Handlers<A>
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
 * Handlers of a group with a guard before them. The guard runs before the server checks the credentials, the query and the body of a
 * request. Use it for a quota, or for a maintenance mode. It gets the decoded captures of the path. An error that it throws is the
 * response. If your own function calls a handler that `guard` has returned, the guard runs at that moment.
 *
 * @example
 * ```ts
 * import { endpoint, errors, ok, text } from 'lapidary'
 * import { guard, serve } from 'lapidary/server'
 *
 * let isClosed = false
 * const requireOpen = (): void => {
 *   if (isClosed) throw errors.serviceUnavailable({ headers: { 'Retry-After': '60' } })
 * }
 * const api = { shop: { name: endpoint('GET /name', { response: ok(text) }) } }
 * const server = serve(api, { shop: guard(api.shop, requireOpen, { name: () => 'Stones' }) })
 * ```
 */
export function guard<const A extends Api>(
  api: A,
  check: RequestGuard<ParamsOf<InputsOf<A>>>,
  handlers: NoInfer<Handlers<A>>,
): NoInfer<Handlers<A>> {
  requireFunction('guard(): check', check)
  const untyped = check as UntypedGuard
  const mapEndpoint = (given: OperationHandler): OperationHandler => {
    const { handler, guards } = splitGuards(given)
    return withGuards(handler, [untyped, ...guards])
  }
  const mapMount =
    (handler: HttpHandler): HttpHandler =>
    (request) =>
      andThen(untyped({ params: {} }, request), () => handler(request))
  // The types allow only handlers in the shape of the API.
  return mapHandlers(api, handlers as HandlerRecord, mapEndpoint, mapMount) as Handlers<A>
}
