import type { IncomingHttpHeaders } from 'node:http'

/** A request. Default: GET, without headers and body. */
export interface Asked {
  readonly method?: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** What became of a request: an answer, or an error where none came. */
export interface Fate {
  readonly method: string
  readonly target: string
  /** When it was sent, by `performance.now()`. */
  readonly at: number
  readonly milliseconds: number
  readonly status?: number
  readonly headers?: IncomingHttpHeaders
  readonly error?: string
}

/** Clients at work. */
export interface Load {
  readonly fates: readonly Fate[]
  /** Resolves when this many more have been answered. */
  readonly more: (count: number) => Promise<void>
  /** Resolves with what became of each request, when the last is answered. */
  readonly stop: () => Promise<readonly Fate[]>
}

/** This many clients that ask the server at `base` without a pause. `next` says what, for each request by its number. */
export function load(base: string, clients: number, next: (number: number) => Asked): Load
