/** What `guard` and `provide` share: the types of a group, and its handlers, each replaced by another. */
import { type Api, isMount, isOperation, operations } from '../contract/api.ts'
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { checkStrayHandlers, type OperationHandler } from './handlers.ts'

// `provide` and `guard` return `NoInfer<Handlers<…>>`: nested in each other, the compiler would else infer the API of the inner one backwards from
// the handlers of the outer one, and give up. What the outer one adds is inferred after the inner one is checked for the first time. Until then it
// is `any`, the default of `Added`, which an inner one can need anything of.

/** The inputs of the handlers of a group: a provider can use the members that all of them have. */
export type InputsOf<A> = A extends unknown
  ? {
      readonly [Name in keyof A]: '~types' extends keyof A[Name]
        ? TypeOf<A[Name]['~types'], 'input'>
        : '~kind' extends keyof A[Name]
          ? never
          : InputsOf<A[Name]>
    }[keyof A]
  : never

/** The endpoint of a request. A guard reads its `meta` and its `route`. */
export interface EndpointInput {
  readonly endpoint: AnyEndpoint
}

/** What a guard or a provider needs that the inputs of its group do not have: it comes from an outer one. */
export type NeedsOfOuter<Needs, Input> = keyof Needs extends keyof Input | 'endpoint'
  ? unknown
  : { readonly [Name in Exclude<keyof Needs, keyof Input | 'endpoint'>]: Needs[Name] }

/** Whether the inputs of a group fit what a guard or a provider takes of them. */
export type RequireFit<Needs, Input> = { readonly [Name in keyof Needs & keyof Input]: Input[Name] } extends {
  readonly [Name in keyof Needs & keyof Input]: Needs[Name]
}
  ? unknown
  : 'the inputs of this group have members of these names, but of other types'

export type HandlerRecord = Readonly<Record<string, unknown>>

/**
 * The handlers of a group, each one replaced by another.
 *
 * @throws TypeError for a handler that is not in the group: the API that is served may have its endpoint, and it would have no guard.
 */
export function mapHandlers(
  api: Api,
  handlers: HandlerRecord | undefined,
  mapHandler: (handler: OperationHandler, endpoint: AnyEndpoint) => OperationHandler,
): HandlerRecord {
  checkStrayHandlers(handlers, api)
  // Without handlers, serve reports what is missing.
  const mapped = Object.entries(handlers ?? {}).map(([key, handler]) => {
    const part = api[key] as AnyEndpoint | Api
    if (!isOperation(part)) return [key, mapHandlers(part, Object(handler), mapHandler)]
    return [key, typeof handler === 'function' ? mapHandler(handler as OperationHandler, part) : handler]
  })
  return Object.fromEntries(mapped)
}

/**
 * A mount has no input: its requests would bypass a provider or a guard that checks who calls.
 *
 * @throws TypeError for a group with a mount.
 */
export function requireNoMounts(caller: string, api: Api): void {
  for (const { name, operation } of operations(api))
    if (isMount(operation)) throw new TypeError(developerErrors.mountInGroup(caller, name, operation.prefix))
}
