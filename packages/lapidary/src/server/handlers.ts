/** The handlers of an API: the same record, with a function for each endpoint and an `HttpHandler` for each mount. */
import { type Api, isMount, isOperation, type Mount, type NamedOperation } from '../contract/api.ts'
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import type { HandlerOutput } from '../contract/endpointTypes.ts'
import { isWebhook } from '../contract/webhook.ts'
import type { HttpHandler, HttpRequest } from '../http/httpHandler.ts'
import * as developerErrors from '../messages/developerErrors.ts'

/**
 * The handler of an endpoint: takes the input that the endpoint declares (`params`, `query`, `headers`, `body`, `user`), and returns the
 * value of its reply, or a promise of it. The second argument is the request itself, for its `signal` or its `remoteAddress`.
 */
export type Handler<In, Out> = (input: In, request: HttpRequest) => Out | Promise<Out>

/** A handler of any endpoint. */
export type OperationHandler = (input: object, request: HttpRequest) => unknown

/** The input of a handler: those of `params`, `query`, `headers`, `cookies`, `body` and `user` that its endpoint declares. */
export type HandlerInput<E extends AnyEndpoint> = TypeOf<E['~types'], 'input'>

/** One handler for each endpoint of an API, in the same shape as the API. `Added` is what a provider adds to the inputs. */
// A conditional type, so that editors and messages show the handlers and not the API that they come from. Keys tell what a member is; `TypeOf` says
// why.
export type Handlers<A, Added = unknown> = A extends unknown
  ? // Names that are left out cost the compiler a fifth of what an endpoint costs.
    [WebhookNames<A>] extends [never]
    ? { readonly [Name in keyof A]: HandlerOf<A[Name], Added> }
    : { readonly [Name in keyof A as Name extends WebhookNames<A> ? never : Name]: HandlerOf<A[Name], Added> }
  : never

/** What a member of an API has as its handler, or as its handlers. */
type HandlerOf<Member, Added> = '~types' extends keyof Member
  ? string extends keyof Member
    ? Unknown
    : Handler<
        TypeOf<Member['~types'], 'input'> & Added,
        HandlerOutput<TypeOf<Member['~types'], 'response'>, TypeOf<Member['~types'], 'errors'>>
      >
  : // A union of endpoints and mounts has only the keys that they share.
    '~kind' extends keyof Member
    ? keyof Mount extends keyof Member
      ? HttpHandler
      : Handlers<Api>
    : Handlers<Member, Added>

/** The names of the members that are webhooks. In a record of endpoints alone, the compiler looks at no name. */
type WebhookNames<A> = '~types' extends keyof A[keyof A] ? never : FindWebhooks<A>
type FindWebhooks<A, Name extends keyof A = keyof A> = Name extends unknown
  ? '~types' extends keyof A[Name]
    ? never
    : IsWebhook<A[Name]> extends true
      ? Name
      : never
  : never

/** Whether a member is a webhook, or a group of nothing else: an API has no handlers for them. The keys of `any` are all texts. */
type IsWebhook<Member> = '~kind' extends keyof Member
  ? '~sends' extends keyof Member
    ? string extends keyof Member
      ? false
      : true
    : false
  : [keyof Member] extends [never]
    ? false
    : Member[keyof Member] extends { readonly '~kind': 'webhook' }
      ? true
      : false

/** The handlers of an API of type `any`. */
type Unknown = Handler<unknown, unknown> | HttpHandler | { readonly [name: string]: Unknown }

/** Finds the handler of an operation. @throws TypeError if there is none. */
export function findHandler(handlers: unknown, { path, name, operation }: NamedOperation): unknown {
  let found: unknown = handlers
  for (const key of path)
    found = typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined
  if (typeof found === 'function') return found
  throw new TypeError(developerErrors.missingHandler(name, isMount(operation) ? `the mount ${operation.prefix}` : operation.route))
}

/** @throws TypeError for a handler without an endpoint, such as a misspelled one in plain JavaScript. */
export function checkStrayHandlers(handlers: unknown, api: Api, path: readonly string[] = []): void {
  for (const [key, value] of Object.entries(handlers ?? {})) {
    const part = Object.hasOwn(api, key) ? api[key] : undefined
    if (part === undefined || isWebhook(part)) throw new TypeError(developerErrors.unknownHandler([...path, key].join('.')))
    if (typeof value === 'object' && !isOperation(part)) checkStrayHandlers(value, part, [...path, key])
  }
}
