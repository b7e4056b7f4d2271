/** `provide(api.shops, provider, handlers)`: runs a provider around each handler of a group, after its input is decoded. */
import type { Api } from '../contract/api.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { requireFunction } from '../http/functions.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { silenceRejection } from '../http/promises.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { splitGuards } from './guard.ts'
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
