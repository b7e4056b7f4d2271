/** What a mock may be told besides the description. */
import type { Api } from '../describe/api.ts'
import * as complaint from '../describe/complaint.ts'
import type { Incoming, Kernel } from '../server/kernel.ts'
import type { ServeOptions } from '../server/serve.ts'
import type { AnswerOf, EndpointNames, MountNames } from './names.ts'

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
  readonly least: number
  readonly most: number
}

/** How a mock answers. What may be said of a server may be said of it too; an auth scheme without a check takes whatever credentials it can read. */
export interface MockOptions<A = Api> extends ServeOptions {
  /** A whole number: the same seed gives the same answers. Default: 1. */
  readonly seed?: number
  /** Handlers of one's own, by the names of their endpoints: `{ 'users.item': ({ params }) => ({ name: 'Ann', age: params.id }) }`. */
  readonly answers?: { readonly [Name in EndpointNames<A>]?: AnswerOf<A, Name> }
  /** Kernels for mounts, by their names. Default: each of them answers 404. */
  readonly mounts?: { readonly [Name in MountNames<A>]?: Kernel }
  /** How long each answer is waited for. Default: not at all. */
  readonly delay?: Delay
  /** What goes wrong by intent. Default: nothing. */
  readonly faults?: Faults<EndpointNames<A>>
}

/** The same for any API, as the mock itself sees them. */
export interface LooseOptions extends ServeOptions {
  readonly seed?: number
  readonly answers?: Readonly<Record<string, ((input: never, incoming: Incoming) => unknown) | undefined>>
  readonly mounts?: Readonly<Record<string, Kernel | undefined>>
  readonly delay?: Delay
  readonly faults?: Fault & { readonly at?: Readonly<Record<string, Fault | undefined>> }
}

const isPart = (value: number): boolean => value >= 0 && value <= 1

function checkFault(fault: Fault): void {
  for (const name of ['unavailable', 'cut'] as const) {
    const value = fault[name] ?? 0
    if (!isPart(value)) throw new TypeError(complaint.faultPart(name, value))
  }
}

/** @throws TypeError for what cannot be meant: names that nothing has, numbers out of their bounds. */
export function checkOptions({ seed = 1, answers = {}, mounts = {}, delay, faults = {} }: LooseOptions, names: Names): void {
  if (!Number.isSafeInteger(seed)) throw new TypeError(complaint.seedNumber(seed))
  const stray = [...Object.keys(answers), ...Object.keys(faults.at ?? {})].find((name) => !names.endpoints.has(name))
  if (stray !== undefined) throw new TypeError(complaint.noSuchEndpoint(stray))
  const nowhere = Object.keys(mounts).find((name) => !names.mounts.has(name))
  if (nowhere !== undefined) throw new TypeError(complaint.noSuchMount(nowhere))
  if (delay !== undefined && !(delay.least >= 0 && delay.most >= delay.least && Number.isFinite(delay.most)))
    throw new TypeError(complaint.delayTimes(delay.least, delay.most))
  for (const fault of [faults, ...Object.values(faults.at ?? {})]) if (fault !== undefined) checkFault(fault)
}

/** What there is to be told of. */
export interface Names {
  readonly endpoints: ReadonlySet<string>
  readonly mounts: ReadonlySet<string>
}
