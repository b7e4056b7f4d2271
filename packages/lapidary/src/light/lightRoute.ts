/** A route of the light client: the data of one endpoint, as `lapidary routes --client` writes it. */
import type { CallCodec, CallOptions } from '../client/callTypes.ts'
import type { Credentials, HeaderRecord } from '../client/request.ts'
import type { Api, Mount } from '../contract/api.ts'
import type { StatusRange } from '../contract/reply.ts'

/** Values by their names. */
export type RouteValues = Readonly<Record<string, unknown>>

/** How a parameter stands as text. Its values are written by `String`, and read as they are, unless it says something else. */
export interface RouteCodec extends CallCodec {
  readonly read?: (text: string) => unknown
  /** Reads it from several fields of a header. @default from one, by `read` */
  readonly readFields?: (headers: Headers) => unknown
  /** Of a response header that can be absent: what stands for it. */
  readonly absent?: () => unknown
}

/** Codecs by the names of their parameters. */
export type RouteCodecs = Readonly<Record<string, RouteCodec>>

/** What `fetch` sends. */
export type RouteBody = string | Uint8Array<ArrayBuffer> | Blob | FormData | ReadableStream<Uint8Array>

/** A call whose body is made while it is sent. */
export interface RouteCall {
  /** Ends the call, and fires when it is cancelled. */
  readonly controller: AbortController
  /** Given for a call that can be repeated, with the same body. */
  readonly idempotent?: LightRoute['idempotent']
}

/** A response while it is read. */
export interface ReceivedRoute {
  /** What was called: `GET http://127.0.0.1:8081/hello`. */
  readonly call: string
  /** Without its query. */
  readonly url: string
  readonly response: Response
  /** Its media type in lower case, without parameters. */
  readonly type: string
  /** Ends the call, and fires when it is cancelled. */
  readonly controller: AbortController
  /** How many bytes of the response may be buffered at once. */
  readonly limit: number
  /** Those of the call. */
  readonly options: CallOptions
  /** The whole body, as often as it is asked for. */
  readonly blob: () => Promise<Blob>
}

/** A body in one media type or several, and the headers that its response declares. */
export interface RouteMedia {
  /** The media types without parameters, as Accept has them; absent: there is no body. */
  readonly types?: readonly string[]
  /** Whether a response of this media type can be read. @default it is one of `types` */
  readonly isRead?: (type: string) => boolean
  /** The Content-Type of a request; absent: that of the body. */
  readonly sent?: string
  /** Makes the body of a request; undefined where it has none. The call ends a stream. */
  readonly write?: (value: never, call: RouteCall) => RouteBody | undefined | Promise<RouteBody>
  readonly read?: (received: ReceivedRoute) => unknown
  /** Of a request in one of several media types: the one with this name; the first without one. */
  readonly select?: (type?: string) => RouteMedia
  /** Reads the declared headers. @throws UnexpectedResponseError where one is missing */
  readonly readHeaders?: (received: ReceivedRoute) => RouteValues
  /** Another status that the same body comes with. */
  readonly partStatus?: number
  /** Of problem details: the `type` that distinguishes it from other errors of its status. */
  readonly problem?: string
}

/** The data of one endpoint. What it needs besides JSON it imports, so that a page loads no more than that. */
export interface LightRoute {
  /** Method and path, percent-encoded: `GET /items/:id`. */
  readonly route: string
  readonly params?: RouteCodecs
  readonly query?: RouteCodecs
  readonly headers?: RouteCodecs
  /** Returns what adds the cookies of a request to those that it already has. */
  readonly cookies?: (route: string, values: RouteValues | undefined) => (headers: Headers) => void
  /** Selects the credentials of a request, and writes them. */
  readonly auth?: (given: readonly Credentials[]) => Promise<{
    readonly headers: HeaderRecord
    readonly query: readonly (readonly [name: string, value: string])[]
  }>
  readonly body?: RouteMedia
  /** Of an endpoint that declares redirects, which the call returns or throws. @default `fetch` follows those that may lead to any origin */
  readonly redirect?: 'manual'
  /** By their statuses, the usual one first. */
  readonly responses: readonly (readonly [status: number, media: RouteMedia])[]
  readonly errors?: readonly (readonly [status: number | StatusRange, media: RouteMedia])[]
  /** Makes attempts with one Idempotency-Key. */
  readonly idempotent?: (
    route: string,
    key: string | undefined,
    attempt: (headers: HeaderRecord) => Promise<unknown>,
    retries: number,
    signal: AbortSignal,
  ) => Promise<unknown>
}

/** The routes of an API: the same record, without its mounts and webhooks. */
// Conditional, so that editors and messages show the routes; keys tell what a member is, as in `Client`.
export type LightRoutes<A> = A extends Api
  ? {
      readonly [Name in keyof A as '~types' extends keyof A[Name]
        ? Name
        : keyof Mount extends keyof A[Name]
          ? never
          : '~sends' extends keyof A[Name]
            ? never
            : Name]: '~types' extends keyof A[Name] ? LightRoute : LightRoutes<A[Name]>
    }
  : never
