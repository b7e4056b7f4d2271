import type { IncomingHttpHeaders } from 'node:http'

/** A request. Default: GET, without headers and body. */
export interface LoadRequest {
  readonly method?: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** The result of a request: a response, or an error. */
export interface Outcome {
  readonly method: string
  readonly target: string
  /** The time of sending, by `performance.now()`. */
  readonly at: number
  readonly milliseconds: number
  readonly status?: number
  readonly headers?: IncomingHttpHeaders
  readonly error?: string
}

/** Running clients. */
export interface Load {
  readonly outcomes: readonly Outcome[]
  /** Resolves when as many more results have arrived. */
  readonly more: (count: number) => Promise<void>
  /** Resolves to the result of each request, after the last response. */
  readonly stop: () => Promise<readonly Outcome[]>
}

/** Starts clients that send requests to `base` without a pause. `next` returns each request by its number. */
export function startLoad(base: string, clients: number, next: (number: number) => LoadRequest): Load
