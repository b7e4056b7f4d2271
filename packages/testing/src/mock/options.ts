/** The options of a mock. */
import type { Api } from 'lapidary'
import { checkFunctions, type HandlerOutput, isTime, type TypeOf } from 'lapidary/internal'
import type { HttpHandler, HttpRequest, ServeOptions } from 'lapidary/server'
import { testingErrors } from '../testingMessages.ts'

/** The names of the operations of a kind, found by their keys as the types of handlers are. */
type OperationNames<A, Kind extends 'endpoint' | 'mount'> = string extends keyof A
  ? string
  : {
      [Name in keyof A & string]: '~types' extends keyof A[Name]
        ? Kind extends 'endpoint'
          ? Name
          : never
        : '~kind' extends keyof A[Name]
          ? Kind extends 'mount'
            ? '~sends' extends keyof A[Name]
              ? never
              : Name
            : never
          : `${Name}.${OperationNames<A[Name], Kind>}`
    }[keyof A & string]

/** The names of the endpoints of an API: `users.item`. */
export type EndpointNames<A> = OperationNames<A, 'endpoint'>

/** The names of the mounts of an API. */
export type MountNames<A> = OperationNames<A, 'mount'>

/** The operation with a name. */
type OperationAt<A, Name> = Name extends keyof A
  ? A[Name]
  : Name extends `${infer Key}.${infer Rest}`
    ? Key extends keyof A
      ? OperationAt<A[Key], Rest>
      : never
    : never

/**
 * A handler of a mock: it takes and returns the same values as a handler of the server. Only the type of `user` is unknown: it is the
 * result of the authenticator or, without one, the credentials.
 */
export type MockHandler<Input, Output> = (
  input: 'user' extends keyof Input ? Omit<Input, 'user'> & { readonly user: unknown } : Input,
  request: HttpRequest,
) => Output | Promise<Output>

/** The handler of the endpoint with a name. */
export type MockHandlerOf<A, Name> = string extends Name
  ? (input: never, request: HttpRequest) => unknown
  : OperationAt<A, Name> extends { readonly '~types'?: infer Types }
    ? MockHandler<TypeOf<Types, 'input'>, HandlerOutput<TypeOf<Types, 'response'>, TypeOf<Types, 'errors'>>>
    : never

/** Faults that a mock injects, as shares of the requests, from 0 to 1. */
export interface Fault {
  /**
   * The share of requests that get 503 with Retry-After.
   * @default 0
   */
  readonly unavailable?: number
  /**
   * The share of responses that are cut off within the body. A response without a body stays whole.
   * @default 0
   */
  readonly cut?: number
}

/** The faults of every endpoint. */
export interface Faults<Name extends string = string> extends Fault {
  /** The faults of single endpoints. They replace the general faults. */
  readonly at?: { readonly [Endpoint in Name]?: Fault }
}

/** The range of a delay: numbers of milliseconds from 0 to 2,147,483,647 (24.8 days). */
export interface Delay {
  readonly min: number
  readonly max: number
}

/**
 * The options of a mock, besides those of `serve`. An auth scheme without an authenticator accepts all credentials that it can read, with all
 * scopes. The key or the token `wrong-credentials` is wrong.
 */
export interface MockOptions<A = Api> extends ServeOptions {
  /**
   * The seed of generated values, an integer: the same seed gives the same responses.
   * @default 1
   */
  readonly seed?: number
  /**
   * Handlers by the name of their endpoint: `{ 'users.item': ({ params }) => ({ name: 'Ann', age: params.id }) }`.
   * @default responses from the description
   */
  readonly handlers?: { readonly [Name in EndpointNames<A>]?: MockHandlerOf<A, Name> }
  /**
   * Handlers by the name of their mount.
   * @default 404
   */
  readonly mounts?: { readonly [Name in MountNames<A>]?: HttpHandler }
  /**
   * How long each response is delayed.
   * @default no delay
   */
  readonly delay?: Delay
  /**
   * Faults to inject.
   * @default none
   */
  readonly faults?: Faults<EndpointNames<A>>
}

/** The options of a mock of any API. */
export interface AnyMockOptions extends ServeOptions {
  readonly seed?: number
  readonly handlers?: Readonly<Record<string, ((input: never, request: HttpRequest) => unknown) | undefined>>
  readonly mounts?: Readonly<Record<string, HttpHandler | undefined>>
  readonly delay?: Delay
  readonly faults?: Fault & { readonly at?: Readonly<Record<string, Fault | undefined>> }
}

/** The names that the options may use. */
interface KnownNames {
  readonly endpoints: ReadonlySet<string>
  readonly mounts: ReadonlySet<string>
}

function checkFault(fault: Fault): void {
  for (const name of ['unavailable', 'cut'] as const) {
    const rate = fault[name] ?? 0
    if (!(rate >= 0 && rate <= 1)) throw new TypeError(testingErrors.invalidFaultRate(name, rate))
  }
}

/** Checks the options. @throws TypeError for unknown names and numbers out of range */
export function checkMockOptions({ seed = 1, handlers = {}, mounts = {}, delay, faults = {} }: AnyMockOptions, known: KnownNames): void {
  if (!Number.isSafeInteger(seed)) throw new TypeError(testingErrors.invalidSeed(seed))
  const unknownEndpoint = [...Object.keys(handlers), ...Object.keys(faults.at ?? {})].find((name) => !known.endpoints.has(name))
  if (unknownEndpoint !== undefined) throw new TypeError(testingErrors.unknownMockEndpoint(unknownEndpoint))
  checkFunctions('mock(): handlers', handlers)
  checkFunctions('mock(): mounts', mounts)
  const unknownMount = Object.keys(mounts).find((name) => !known.mounts.has(name))
  if (unknownMount !== undefined) throw new TypeError(testingErrors.unknownMockMount(unknownMount))
  if (
    delay !== undefined &&
    !(isTime(delay.min, 'wait') && isTime(delay.max, 'wait') && delay.max >= delay.min && delay.max < Number.POSITIVE_INFINITY)
  )
    throw new TypeError(testingErrors.invalidDelay(delay.min, delay.max))
  for (const fault of [faults, ...Object.values(faults.at ?? {})]) if (fault !== undefined) checkFault(fault)
}
