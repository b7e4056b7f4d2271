/** `guard(api.shops, check, handlers)`: who may call the endpoints of a group, before anything else of a request is read. */
import type { Api } from '../contract/api.ts'
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import { type Fail, isStatusValue, type statusKey } from '../contract/reply.ts'
import { describeKind, isPlainObject, requireFunction } from '../http/functions.ts'
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

/** The parts of the input that a guard cannot know: it runs before they are read. */
type LateName = 'query' | 'headers' | 'cookies' | 'body' | 'rawBody' | 'precondition'

/** What a guard cannot add, since it is a part of the input of each handler. What a guard adds replaces nothing. */
type ReservedName = LateName | 'params' | 'user' | 'fail' | 'endpoint'

/** What is known when a guard runs: the parts of the input that all handlers of a group have, and that come before negotiation. */
type GuardInput<Input, Errors> = {
  readonly [Name in keyof Input & ('params' | 'user' | 'fail')]: Name extends 'fail' ? Fail<Errors> : Input[Name]
} & EndpointInput

/** For each endpoint of a group, a function of its errors. */
type ErrorTakers<A> = A extends unknown
  ? {
      readonly [Name in keyof A]: '~types' extends keyof A[Name]
        ? (errors: TypeOf<A[Name]['~types' & keyof A[Name]], 'errors'>) => void
        : '~kind' extends keyof A[Name]
          ? never
          : ErrorTakers<A[Name]>
    }[keyof A]
  : never

/** The errors that all endpoints of a group declare: what all of the functions take. */
type CommonErrors<A> = ErrorTakers<A> extends (errors: infer Errors) => void ? Errors : never

/** Whether a guard takes only what comes before negotiation, and what outer guards add. */
type RequireEarly<Needs> = keyof Needs & LateName extends never
  ? unknown
  : string extends keyof Needs // The keys of any are all texts.
    ? unknown
    : 'a guard runs before the query, the headers, the cookies and the body are read'

/** What a guard may return: an object with members of its own. No response is one, no other error, stream, promise or function. */
type GuardResult =
  | (object & {
      readonly [Name in
        | ReservedName
        | 'stack'
        | 'then'
        | 'call'
        | typeof statusKey
        | typeof Symbol.iterator
        | typeof Symbol.asyncIterator]?: never
    })
  | HttpError

/**
 * What a guard adds to the input: the members of what it returns. They are optional if it can return nothing. An error that it returns rejects
 * the request.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing
type AddedByGuard<Result, Added = Exclude<Result, HttpError | undefined | void>> = unknown extends Result
  ? Result
  : [Added] extends [never]
    ? unknown
    : undefined extends Result
      ? Partial<Added>
      : Added

/** A guard of any endpoint. */
export type UntypedGuard = (input: object, request: HttpRequest) => unknown

/** A handler, and the guards that run before it, in their order. */
interface GuardedHandler {
  readonly handler: OperationHandler
  readonly guards: readonly UntypedGuard[]
}

const guardedHandlers = new WeakMap<OperationHandler, GuardedHandler>()

/** Splits a handler from its guards, which the server runs earlier than the handler. */
export const splitGuards = (handler: OperationHandler): GuardedHandler => guardedHandlers.get(handler) ?? { handler, guards: [] }

const reservedNames: ReadonlySet<string> = new Set<ReservedName>([
  'params',
  'query',
  'headers',
  'cookies',
  'body',
  'rawBody',
  'user',
  'fail',
  'endpoint',
  'precondition',
])

/**
 * Returns what a guard adds. A guard whose result means a rejection, in the words of another library or of a handler, must not let the request
 * pass.
 *
 * @param before what the guards before it have added
 * @throws TypeError for a result that is no plain object, and for one with a member that the input has already
 */
function readAdded(result: unknown, before: object, { route }: AnyEndpoint): object {
  if (typeof result !== 'object' || result === null) throw new TypeError(developerErrors.invalidGuardResult(route, describeKind(result)))
  if (isStatusValue(result)) throw new TypeError(developerErrors.invalidGuardResult(route, 'the value of respond()'))
  if (!isPlainObject(result))
    throw new TypeError(developerErrors.invalidGuardResult(route, Array.isArray(result) ? 'an array' : 'an object with a class'))
  const added = { ...result }
  for (const name of Object.keys(added))
    if (reservedNames.has(name) || Object.hasOwn(before, name)) throw new TypeError(developerErrors.replacedByGuard(route, name))
  return added
}

const noMembers: object = Object.freeze({})

/**
 * Runs a guard. Returns what it and the guards before it add to the input of the handler; undefined if that is nothing.
 *
 * @param before what the guards before it have added
 * @throws the error that it returns. TypeError for a result such as `false`, which plain JavaScript can return to reject a request.
 */
export const runGuard = (
  check: UntypedGuard,
  input: EndpointInput,
  before: object | undefined,
  request: HttpRequest,
): Awaitable<object | undefined> =>
  andThen(check(before === undefined ? input : { ...before, ...input }, request), (result) => {
    if (result === undefined) return before
    if (isHttpError(result)) throw result
    const added = readAdded(result, before ?? noMembers, input.endpoint)
    return before === undefined ? added : { ...before, ...added }
  })

/**
 * Adds guards to a handler. The server splits them again. A function around the result would hide the guards from the server, and a guard that
 * runs as late as a handler would not stand before the body and before the responses that are stored for idempotency keys.
 */
function withGuards(handler: OperationHandler, guards: readonly UntypedGuard[], { route }: AnyEndpoint): OperationHandler {
  const guarded: OperationHandler = () => {
    throw new TypeError(developerErrors.hiddenGuard(route))
  }
  guardedHandlers.set(guarded, { handler, guards })
  return guarded
}

/**
 * Handlers of a group with a guard before them. It decides who may call. A guard runs when the credentials are checked, and before
 * anything else of the request is read: the `Accept` header, the query and the body. It gets the decoded captures of the path, the user, the
 * endpoint with its `meta`, and a `fail` for the errors that all of these endpoints declare. The members of the object that it returns are in
 * the input of all handlers of the group, of the guards and providers within it, and nowhere else. They replace nothing: each has a name that no
 * other part of the input has. An error that it throws or returns is the response; declare it in the endpoints.
 *
 * Guards nest: the outer one runs first. An inner one names what it and the handlers within it take from the outer ones, in the type of its
 * input: `({ tenant }: { readonly tenant: Tenant }) => …`. Only the server can call the handlers that `guard` returns: a function of your own
 * around a handler stands within the guard.
 *
 * @param api the group: `api.shops`
 * @param check may be asynchronous; it returns a plain object, or nothing
 * @param handlers the handlers of the group, and no others
 * @throws TypeError for a group with a mount: a mount has no input. Put middleware around its handler by `compose`. During a request (a
 * reported 500), for a result that is neither a plain object nor undefined, such as `false` or a `Response`.
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
export function guard<const A extends Api, Needs, Added extends GuardResult | void = any>(
  api: A,
  check: ((input: GuardInput<InputsOf<A>, CommonErrors<A>> & Needs, request: HttpRequest) => Added | Promise<Added>) &
    RequireFit<Needs, InputsOf<A>> &
    RequireEarly<Needs>,
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
