/** What the primary process and its workers say to each other. Messages arrive whole and in order, beside those of the application. */

/** An error on its way between processes. */
export interface ErrorMessage {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
}

/** Messages to the primary. */
export type WorkerMessage =
  /** The worker waits for `start`. */
  | { readonly type: 'lapidary:up' }
  /** The worker has started. */
  | { readonly type: 'lapidary:listening' }
  /** The worker cannot start. */
  | { readonly type: 'lapidary:failed'; readonly error: ErrorMessage }
  /** The report of the application, on request and before the end. */
  | { readonly type: 'lapidary:report'; readonly report: unknown }
  | { readonly type: 'lapidary:reportFailed'; readonly error: ErrorMessage }
  /** The worker has begun to close. */
  | { readonly type: 'lapidary:leaving' }
  /** The worker has closed and waits for `exit`. */
  | { readonly type: 'lapidary:closed' }

/** Messages to a worker. */
export type PrimaryMessage =
  | { readonly type: 'lapidary:start'; readonly ports: Readonly<Record<string, number>>; readonly grace: number }
  /** Asks for the report. */
  | { readonly type: 'lapidary:report' }
  /** Asks the worker to drain and close. */
  | { readonly type: 'lapidary:close' }
  /** The worker may end: no connection is on its way to it. */
  | { readonly type: 'lapidary:exit' }

/** Times in milliseconds. How long a worker may exceed its grace. */
export const killDelay = 1_000

export function toErrorMessage(error: unknown): ErrorMessage {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined }
  const { name, message, stack } = error
  return { name, message, stack }
}

/** Returns an error with the name and the stack that it has in the other process. */
export function fromErrorMessage({ name, message, stack }: ErrorMessage): Error {
  const error = new Error(message)
  Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  if (stack !== undefined) error.stack = stack
  return error
}
