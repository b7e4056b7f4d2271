/** The errors of a call that are no HttpError: no response, an unexpected response, an interrupted stream. */
import * as clientErrors from './clientErrorMessages.ts'

/** Is thrown when the server cannot be reached, or goes away before its response is complete. `cause` is the error of `fetch`. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError'
}

/** Is thrown in place of a value that the description does not allow: another status, media type, body or header. */
export class UnexpectedResponseError extends Error {
  override readonly name: string = 'UnexpectedResponseError'
  readonly status: number
  /** The headers of the response. */
  readonly headers: Headers
  /** What is wrong with the response. */
  readonly detail: string

  /** @param call what was called: `GET http://127.0.0.1:8081/hello` */
  constructor(call: string, { status, headers }: Pick<Response, 'status' | 'headers'>, detail: string) {
    super(clientErrors.unexpectedResponse(call, status, detail))
    this.status = status
    this.headers = headers
    this.detail = detail
  }
}

/** Is thrown by a stream that was cut off, after the items that arrived. A stream that ends without it is complete. */
export class StreamInterruptedError extends Error {
  override readonly name: string = 'StreamInterruptedError'
  /** How many items arrived. */
  readonly items: number

  constructor(call: string, items: number, cause: unknown) {
    super(clientErrors.streamInterrupted(call, items), { cause })
    this.items = items
  }
}

/** Returns the message of an error of `fetch`. Node puts it into the cause. */
export function getCauseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return getCauseMessage(error.cause)
  return String(error.message || (error as Error & { readonly code?: unknown }).code || error.name)
}
