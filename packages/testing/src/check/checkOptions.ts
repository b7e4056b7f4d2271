/** The options of `checkServer`. */
import type { CheckProgress } from './report.ts'
import type { Rule, ScopedCredentials } from './rule.ts'

/** How a server is checked. */
export interface CheckServerOptions {
  /**
   * Whether requests may change data of the server: POST, PUT, PATCH and DELETE.
   * @default false
   */
  readonly write?: boolean
  /**
   * Whether what the check has created stays on the server. Otherwise it is deleted at the end, where the description has a DELETE; what a
   * reported request is about stays.
   * @default false
   */
  readonly keep?: boolean
  /**
   * The seed of the generated requests: the same seed repeats a check.
   * @default a random seed, which the report contains
   */
  readonly seed?: number
  /**
   * The maximum number of requests.
   * @default 5000
   */
  readonly requests?: number
  /**
   * The maximum duration, in seconds. With `steps`, the sequences have the same time once more.
   * @default 60
   */
  readonly seconds?: number
  /**
   * The number of requests in sequences, which test what the server remembers: it creates items, reads, lists, changes and deletes them.
   * They are not part of `requests`. Needs `write`.
   * @default 0
   */
  readonly steps?: number
  /**
   * The number of clients that send the requests of sequences, each over connections of its own. With several, they also send requests at
   * the same time. Needs `steps`.
   * @default 1
   */
  readonly clients?: number
  /**
   * The endpoints and groups to check: `users.item`, `users`.
   * @default all endpoints
   */
  readonly only?: readonly string[]
  /**
   * The endpoints and groups to leave out, even if `only` names them.
   * @default none
   */
  readonly except?: readonly string[]
  /**
   * Whether the server also responds at paths that the description does not have, for example by the `fallback` of `serve`. The check then
   * does not expect that such requests fail.
   * @default false
   */
  readonly fallback?: boolean
  /**
   * Whether the description does not say how the server refuses requests, as most OpenAPI documents do not: an invalid request may then get
   * any status from 400 to 499, a text that parsers of other languages read as a number is no fault, and neither is a value that is there
   * twice.
   * @default false
   */
  readonly lenient?: boolean
  /**
   * Credentials by the name of their auth scheme. Without them, an endpoint is only tested for its 401. Those of `webhookSignature` are its
   * secret, `whsec_` and base64, which signs each request.
   */
  readonly credentials?: Readonly<Record<string, unknown>>
  /**
   * Further valid credentials by the name of their auth scheme, each with all scopes that their user has: an endpoint that needs another
   * scope has to send 403. Those of `credentials` are expected to have every scope.
   */
  readonly scopedCredentials?: Readonly<Record<string, readonly ScopedCredentials[]>>
  /**
   * Captures that exist, as they are in a URL, by name: one text or several. Every request has them, except those that test how the server
   * rejects an invalid capture. Without them, a server that looks up the tenant of `/orgs/:org` before anything else refuses every request.
   * @default generated texts
   */
  readonly captures?: Readonly<Record<string, string | readonly string[]>>
  /** Further headers of every request, such as a cookie. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The rules to test.
   * @default rules
   */
  readonly rules?: readonly Rule[]
  /**
   * The largest allowed body of a response, in bytes.
   * @default 16_000_000
   */
  readonly size?: number
  /**
   * The longest allowed time of a response. A time limit is a number of milliseconds above 0 and at most 2,147,483,647 (24.8 days); `Infinity` is no
   * limit.
   * @default 10_000
   */
  readonly time?: number
  /** Called after each endpoint. */
  readonly onProgress?: (progress: CheckProgress) => void
}
