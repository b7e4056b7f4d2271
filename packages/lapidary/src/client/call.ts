/** The functions of a client: what each takes and gives. */
import type { Api, Mount } from '../contract/api.ts'
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import type { Nothing, ReplyOutput } from '../contract/endpointTypes.ts'

/** How to make one call; what is given here wins over what the client was made with. */
export interface CallOptions {
  /** Ends the call, and the stream that it gave, with the reason of the signal. */
  readonly signal?: AbortSignal
  /**
   * For how long to wait for the whole answer, of a stream for its beginning, in milliseconds. Then a `TimeoutError` is thrown.
   * `Infinity`: as long as it takes.
   */
  readonly timeout?: number
  /** The most bytes of an answer to hold at once: see `ClientOptions`. */
  readonly maxResponseSize?: number
  /** Further request headers. They win over all others, over those that the toolkit sets as well: Accept, Content-Type. */
  readonly headers?: Readonly<Record<string, string>>
  /** The media type to send the body in, where the endpoint takes several. Default: its first. */
  readonly contentType?: string
}

/** What a call of an endpoint takes: `params`, `query`, `headers` and `body`, as far as the endpoint declares them. */
export type CallInput<E extends AnyEndpoint> = TypeOf<E['~types'], 'call'>

/** A call. Its input can be left out when all of its parts can. */
type CallFunction<Input, Output> = Nothing extends Input
  ? (input?: Input, options?: CallOptions) => Promise<Output>
  : (input: Input, options?: CallOptions) => Promise<Output>

/**
 * Calls an endpoint: `await call.position({ params: { x: 1, y: 2 } })`. Resolves to the body of success; to `{ body, headers }` where the endpoint
 * declares response headers; to an async iterable where it streams, which is walked once, and holds its connection until it is walked or left.
 *
 * A redirection is followed, unless the endpoint declares one: that reaches the caller, save in browsers, which hide it. To another origin no request
 * is redirected that has a body, or headers besides Accept and Authorization, which `fetch` takes off: the redirection is thrown. Browsers hide where
 * one leads, so that there such a request is redirected nowhere. Values that the wire would change, such as a comma in an element of a list in a
 * header, are refused.
 *
 * @throws HttpError for an answer that is no success (`NotFound` and its like; `raised` tells the declared ones), UnexpectedAnswer for one that the
 * description does not allow, NoAnswer where there is none, StreamInterrupted from a stream that is cut off, TypeError for what cannot be sent.
 */
export type Call<E extends AnyEndpoint> = CallFunction<TypeOf<E['~types'], 'call'>, ReplyOutput<TypeOf<E['~types'], 'response'>>>

/** An API as functions: the same record, with a call for each endpoint. What is mounted has no description, and so no call. */
// Conditional, so that editors and messages show the calls rather than the API that they come from. What stands under a name is told by its keys,
// which `TypeOf` has the reason for.
export type Client<A> = A extends Api
  ? {
      readonly [Name in keyof A as '~types' extends keyof A[Name]
        ? Name
        : keyof Mount extends keyof A[Name]
          ? never
          : Name]: '~types' extends keyof A[Name]
        ? CallFunction<TypeOf<A[Name]['~types'], 'call'>, ReplyOutput<TypeOf<A[Name]['~types'], 'response'>>>
        : Client<A[Name]>
    }
  : never
