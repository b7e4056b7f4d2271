/** The functions of a client: what each takes and gives. */
import type { Api } from '../describe/api.ts'
import type { Endpoint, Input } from '../describe/endpoint.ts'
import type { Mount } from '../describe/mount.ts'
import type { Loose, Nothing, Part } from '../links/linkInput.ts'

/** How to make one call; what is given here wins over what the client was made with. */
export interface CallOptions {
  /** Ends the call, and the stream that it gave, with the reason of the signal. */
  readonly signal?: AbortSignal
  /** For how long to wait for the whole answer, of a stream for its beginning, in milliseconds. Then a `TimeoutError` is thrown. */
  readonly timeout?: number
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** The media type to send the body in, where the endpoint takes several. Default: its first. */
  readonly contentType?: string
}

/** Whoever takes a body needs one, whatever may be left out of it. */
type BodyInput<Body> = [Body] extends [undefined] ? unknown : { readonly body: Body }

/** What a call takes: `params`, `query`, `headers` and `body`, as far as the endpoint has them. */
export type CallInput<Wire> =
  Wire extends Input<infer Params, infer Query, infer Headers, infer Body, infer _User>
    ? Part<'params', Params> & Part<'query', Loose<Query>> & Part<'headers', Loose<Headers>> & BodyInput<Body>
    : never

/**
 * Calls an endpoint: `await call.position({ params: { x: 1, y: 2 } })`. Resolves to the body of success; to `{ body, headers }` where the endpoint
 * declares response headers; to an async iterable where it streams.
 *
 * @throws HttpError for an answer that is no success (`NotFound` and its like; `raised` tells the declared ones), UnexpectedAnswer for one that the
 * description does not allow, NoAnswer where there is none, StreamInterrupted from a stream that is cut off, TypeError for what cannot be sent.
 */
export type Call<Wire, Got> =
  Nothing extends CallInput<Wire>
    ? (input?: CallInput<Wire>, options?: CallOptions) => Promise<Got>
    : (input: CallInput<Wire>, options?: CallOptions) => Promise<Got>

/** An API as functions: the same record, with a call for each endpoint. What is mounted has no description, and so no call. */
export type Client<A> = {
  readonly [Name in keyof A as A[Name] extends Mount
    ? never
    : Name]: // biome-ignore lint/suspicious/noExplicitAny: what a handler sees of the endpoint is of no concern here
  A[Name] extends Endpoint<any, infer Wire, any, infer Got, any> ? Call<Wire, Got> : A[Name] extends Api ? Client<A[Name]> : never
}
