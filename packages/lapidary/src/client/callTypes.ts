/** The functions of a client, as types. */
import type { Api, Mount } from '../contract/api.ts'
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'
import type { ReplyOutput } from '../contract/endpointTypes.ts'
import type { SkippedListener } from '../contract/media/mediaType.ts'
import type { Nothing, ParameterValues } from '../contract/parameters/parameter.ts'
import type { FetchLike } from './redirects.ts'

/** Options of one call. They take precedence over the options of the client. */
export interface CallOptions {
  /** Cancels the call, and the stream that it returned, with the reason of the signal. */
  readonly signal?: AbortSignal
  /**
   * How long to wait for the whole response, or for the start of a stream. After that time the call throws a `TimeoutError`. A time limit is
   * a number of milliseconds above 0 and at most 2,147,483,647 (24.8 days); `Infinity` is no limit.
   */
  readonly timeout?: number
  /** How many bytes of the response may be buffered at once; see `ClientOptions`. */
  readonly maxResponseSize?: number
  /**
   * How often a call of an endpoint with `idempotent` is sent again, if the connection fails or the server asks for it (409 and 429 with
   * `Retry-After`, 503); see `ClientOptions`.
   */
  readonly retries?: number
  /** The key of a call of an endpoint with `idempotent`, such as a UUID that is stored beside an order. @default a new random key */
  readonly idempotencyKey?: string
  /** Sends the requests of this call, such as `trackUpload(listener)`; see `ClientOptions`. */
  readonly fetch?: FetchLike
  /** Further request headers. They take precedence over all other headers, even over Accept and Content-Type. */
  readonly headers?: Readonly<Record<string, string>>
  /** The media type of the request body, if the endpoint takes several. @default the first */
  readonly contentType?: string
  /** Used by `resume`: receives the parts of a stream that are not items. */
  readonly '~onSkipped'?: SkippedListener
}

/** Options of a call that gets the text of a representation. */
export interface RepresentationOptions extends CallOptions {
  /**
   * The media type of the response, one of those that the endpoint declares: `text/html`. The body is then the text of the response,
   * unchanged: the client does not parse it.
   */
  readonly accept: string
}

/** The result of a call with `accept`: the same as without it, but each body is a text. */
export type Representation<Output> = Output extends { readonly headers: infer Headers }
  ? Output extends { readonly status: infer Status }
    ? { readonly status: Status; readonly body: TextOf<Output>; readonly headers: Headers }
    : { readonly body: TextOf<Output>; readonly headers: Headers }
  : Output extends { readonly status: infer Status; readonly body: unknown }
    ? { readonly status: Status; readonly body: TextOf<Output> }
    : Output extends void
      ? Output
      : string

type TextOf<Output> = Output extends { readonly body: undefined } ? undefined : string

/** The input of a call: those of `params`, `query`, `headers`, `cookies` and `body` that its endpoint declares. */
export type CallInput<E extends AnyEndpoint> = TypeOf<E['~types'], 'call'>

/** What an endpoint does with a value of a path or a query: it writes texts. */
export interface CallCodec {
  /** Returns the value in its part of the input. @default the member with the name of the parameter */
  readonly find?: (values: ParameterValues) => unknown
  /** Returns the text of a value; of a list, of each of its values. Without a text the name is left out. @default that of `String` */
  readonly write?: (value: never) => string | readonly string[]
  /** What stands between the texts of a list in the query. @default each text stands for itself */
  readonly delimiter?: string
}

/** What helpers for a call know of its endpoint: how its URL is written, and its types. */
export interface CallRoute<Input, Output, Replies> {
  /** Method and path: `GET /items/:id`. */
  readonly route: string
  readonly params?: Readonly<Record<string, CallCodec>>
  readonly query?: Readonly<Record<string, CallCodec>>
  /** Only a type: what the call takes, what it returns, and the replies that it throws. */
  readonly '~types'?: { readonly input: Input; readonly output: Output; readonly replies: Replies }
}

/** A call. Its input is optional if all parts of it are. */
type CallFunction<Input, Output, Replies> = Nothing extends Input
  ? {
      (input: Input | undefined, options: RepresentationOptions): Promise<Representation<Output>>
      (input?: Input, options?: CallOptions): Promise<Output>
      readonly '~route': CallRoute<Input, Output, Replies>
    }
  : {
      (input: Input, options: RepresentationOptions): Promise<Representation<Output>>
      (input: Input, options?: CallOptions): Promise<Output>
      readonly '~route': CallRoute<Input, Output, Replies>
    }

/**
 * Calls an endpoint: `await call.position({ params: { x: 1, y: 2 } })`. Resolves to the body of the response; to `{ body, headers }` if the
 * endpoint declares response headers; to a union by `status` if it declares several responses; to an async iterable if it streams. Iterate
 * over a stream once: it keeps its connection until its end, or until the loop ends early.
 *
 * A redirect is followed, unless the endpoint declares redirects: then the call returns or throws it, except in browsers, which hide it. A
 * request with a body, or with headers besides Accept and Authorization, is not redirected to another origin: the call throws the redirect.
 * In browsers, which hide the target, such a request is not redirected at all.
 *
 * If the body is a stream, the client sends it while it is made, and its generator ends with the call. The call throws a redirect of such a
 * request, because the stream cannot be sent again. For an idempotent endpoint, the client collects the body before it sends it, so that it
 * can repeat the call. Browsers collect a stream before they send it: give them a `Blob` or a `File`.
 *
 * The call rejects a value that the server would read differently, such as a comma in an element of a list in a header. It also rejects
 * `cookies` in a browser, because a browser sends its own cookies and lets no script write them: leave out `cookies` there.
 *
 * @throws HttpError for an error response (`isDeclaredError` tells declared ones), UnexpectedResponseError for a response that the
 * description does not allow, ConnectionError if there is none, StreamInterruptedError from a stream that is cut off, TypeError for a value
 * that cannot be sent.
 */
export type Call<E extends AnyEndpoint> = CallFunction<
  TypeOf<E['~types'], 'call'>,
  ReplyOutput<TypeOf<E['~types'], 'response'>>,
  TypeOf<E['~types'], 'errors'>
>

/** An API as functions: the same record, with a call for each endpoint. A mount has no description, so it has no call. */
// A conditional type, so that editors and messages show the calls and not the API that they come from. Keys tell what a member is; `TypeOf` says why.
export type Client<A> = A extends Api
  ? {
      readonly [Name in keyof A as '~types' extends keyof A[Name]
        ? Name
        : keyof Mount extends keyof A[Name]
          ? never
          : '~sends' extends keyof A[Name]
            ? never
            : Name]: '~types' extends keyof A[Name]
        ? CallFunction<
            TypeOf<A[Name]['~types'], 'call'>,
            ReplyOutput<TypeOf<A[Name]['~types'], 'response'>>,
            TypeOf<A[Name]['~types'], 'errors'>
          >
        : Client<A[Name]>
    }
  : never
