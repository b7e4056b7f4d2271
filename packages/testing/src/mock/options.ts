/** What a mock may be told besides the description. */

import type { Api } from 'lapidary'
import { developerErrors as complaint, type ReplyInput, type TypeOf } from 'lapidary/internal'
import type { HttpHandler, HttpRequest, ServeOptions } from 'lapidary/server'

/** What goes wrong by intent: parts of all requests, from 0 to 1. */
export interface Fault {
  /** Answered 503 with `Retry-After`. Default: 0. */
  readonly unavailable?: number
  /** Answered as usual, but the answer is cut off within its body; one without a body is whole. Default: 0. */
  readonly cut?: number
}

/** Faults of every endpoint, and of some of them by their names, in place of those of every endpoint. */
export interface Faults<Name extends string = string> extends Fault {
  readonly at?: { readonly [Endpoint in Name]?: Fault }
}

/** In milliseconds. */
export interface Delay {
  readonly min: number
  readonly max: number
}

/** How a mock answers. What may be said of a server may be said of it too; an auth scheme without a check takes whatever credentials it can read. */
export interface MockOptions<A = Api> extends ServeOptions {
  /** A whole number: the same seed gives the same answers. Default: 1. */
  readonly seed?: number
  /** Handlers of one's own, by the names of their endpoints: `{ 'users.item': ({ params }) => ({ name: 'Ann', age: params.id }) }`. */
  readonly handlers?: { readonly [Name in EndpointNames<A>]?: MockHandlerOf<A, Name> }
  /** Kernels for mounts, by their names. Default: each of them answers 404. */
  readonly mounts?: { readonly [Name in MountNames<A>]?: HttpHandler }
  /** How long each answer is waited for. Default: not at all. */
  readonly delay?: Delay
  /** What goes wrong by intent. Default: nothing. */
  readonly faults?: Faults<EndpointNames<A>>
}

/** The same for any API, as the mock itself sees them. */
export interface AnyMockOptions extends ServeOptions {
  readonly seed?: number
  readonly handlers?: Readonly<Record<string, ((input: never, incoming: HttpRequest) => unknown) | undefined>>
  readonly mounts?: Readonly<Record<string, HttpHandler | undefined>>
  readonly delay?: Delay
  readonly faults?: Fault & { readonly at?: Readonly<Record<string, Fault | undefined>> }
}

const isFraction = (value: number): boolean => value >= 0 && value <= 1

function checkFault(fault: Fault): void {
  for (const name of ['unavailable', 'cut'] as const) {
    const value = fault[name] ?? 0
    if (!isFraction(value)) throw new TypeError(complaint.invalidFaultRate(name, value))
  }
}

/** @throws TypeError for what cannot be meant: names that nothing has, numbers out of their bounds. */
export function checkMockOptions(
  { seed = 1, handlers: answers = {}, mounts = {}, delay, faults = {} }: AnyMockOptions,
  names: KnownNames,
): void {
  if (!Number.isSafeInteger(seed)) throw new TypeError(complaint.invalidSeed(seed))
  const stray = [...Object.keys(answers), ...Object.keys(faults.at ?? {})].find((name) => !names.endpoints.has(name))
  if (stray !== undefined) throw new TypeError(complaint.unknownMockEndpoint(stray))
  const nowhere = Object.keys(mounts).find((name) => !names.mounts.has(name))
  if (nowhere !== undefined) throw new TypeError(complaint.unknownMockMount(nowhere))
  if (delay !== undefined && !(delay.min >= 0 && delay.max >= delay.min && Number.isFinite(delay.max)))
    throw new TypeError(complaint.invalidDelay(delay.min, delay.max))
  for (const fault of [faults, ...Object.values(faults.at ?? {})]) if (fault !== undefined) checkFault(fault)
}

/** What there is to be told of. */
export interface KnownNames {
  readonly endpoints: ReadonlySet<string>
  readonly mounts: ReadonlySet<string>
}

// The names of what an API has, as types: `users.item`.

/** What stands under a name: told by its keys, as the types of handlers do. */
type OperationNames<A, Kind extends 'endpoint' | 'mount'> = string extends keyof A
  ? string
  : {
      [Name in keyof A & string]: '~types' extends keyof A[Name]
        ? Kind extends 'endpoint'
          ? Name
          : never
        : '~kind' extends keyof A[Name]
          ? Kind extends 'mount'
            ? Name
            : never
          : `${Name}.${OperationNames<A[Name], Kind>}`
    }[keyof A & string]

/** The names of the endpoints of an API, as `walk` tells them. */
export type EndpointNames<A> = OperationNames<A, 'endpoint'>

/** The names of its mounts. */
export type MountNames<A> = OperationNames<A, 'mount'>

/** What stands under a name. */
type OperationAt<A, Name> = Name extends keyof A
  ? A[Name]
  : Name extends `${infer Key}.${infer Rest}`
    ? Key extends keyof A
      ? OperationAt<A[Key], Rest>
      : never
    : never

/**
 * A handler of one's own: what a server's handler gets, and what it returns. Only `user` is not known: it is what the check of the scheme gives and,
 * where the mock was given no check, the credentials.
 */
export type MockHandler<Input, Output> = (
  input: 'user' extends keyof Input ? Omit<Input, 'user'> & { readonly user: unknown } : Input,
  incoming: HttpRequest,
) => Output | Promise<Output>

/** The handler of the endpoint of this name. */
export type MockHandlerOf<A, Name> = string extends Name
  ? (input: never, incoming: HttpRequest) => unknown
  : OperationAt<A, Name> extends { readonly '~types'?: infer Types }
    ? MockHandler<TypeOf<Types, 'input'>, ReplyInput<TypeOf<Types, 'response'>>>
    : never
