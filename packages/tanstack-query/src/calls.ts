/** Calls of a client, as queries and mutations take them. */
import type { CallOptions, CallRoute } from 'lapidary/client'
import type { Nothing } from 'lapidary/internal'

/** A call of a client, of `lapidary/client` or `lapidary/light`. It knows its endpoint. */
export interface AnyCall<Input, Output, Replies> {
  readonly '~route': CallRoute<Input, Output, Replies>
}

/** The data of a query. TanStack Query has no data that is undefined, so it is `null` for a response without a body. */
export type CallData<Output> = Output extends void ? null : Output

/** The error of a call: any `Error`. `isDeclared` narrows it to those that the endpoint declares. */
export interface CallError<Declared> extends Error {
  /** Only a type: the errors that the endpoint declares. */
  readonly '~declared'?: Declared
}

/** The options of a call that are the same for each call of a query. The signal is that of the query. */
export type SharedCallOptions = Omit<CallOptions, 'signal' | '~onSkipped'>

/** The input and what follows it. The input can be left out if none of its parts is required. */
export type InputArguments<Input, More extends readonly unknown[]> = Nothing extends Input
  ? readonly [input?: Input, ...more: More]
  : readonly [input: Input, ...more: More]

/** A call whose types do not matter. */
export type CallFunction = (input: unknown, options: CallOptions) => Promise<unknown>

/** Returns a call as a function. @throws TypeError for anything else, such as a function around a call */
export function toCallFunction(place: string, call: AnyCall<unknown, unknown, unknown>): CallFunction {
  const given: unknown = call
  if (typeof given === 'function' && '~route' in given) return given as unknown as CallFunction
  throw new TypeError(
    `${place} got ${typeof given === 'function' ? 'a function that is no call of a client' : typeof given}. Give it a call, such as call.books.one, without a function around it.`,
  )
}
