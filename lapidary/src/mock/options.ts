/** What a mock may be told besides the description. */
import type { Api } from '../describe/api.ts'
import * as complaint from '../describe/complaint.ts'
import type { HttpHandler, HttpRequest } from '../server/kernel.ts'
import type { ServeOptions } from '../server/serve.ts'
import type { EndpointNames, MockHandlerOf, MountNames } from './names.ts'

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
