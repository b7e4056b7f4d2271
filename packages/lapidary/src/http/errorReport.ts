/** Reports of unexpected errors. A listener that fails itself affects neither the response nor the process. */
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import type { HttpRequest, HttpResponse } from './httpHandler.ts'
import { respondWithProblemJson } from './problemResponse.ts'
import { isPromise } from './promises.ts'

/** The request during which an unexpected error happened. */
export interface ErrorContext {
  /**
   * The id that the response tells the client to quote. Absent if the response was already sent, or is 400, and middleware has not set
   * `HttpRequest.id`.
   */
  readonly requestId?: string
  readonly method: string
  readonly target: string
  /** The route of the endpoint, if the request reached one. */
  readonly route?: string
}

/**
 * Receives every unexpected error: a handler threw something other than an HttpError, a stream failed, or a `schemaCodec` threw at the input,
 * which is 400. An error that the listener throws goes to `console.error`, together with the error that it received.
 */
export type ErrorListener = (error: unknown, context: ErrorContext) => void

/** What identifies a request in a report. */
type ReportedRequest = Pick<HttpRequest, 'method' | 'target' | 'id'>

function printError(...values: readonly unknown[]): void {
  try {
    // biome-ignore lint/suspicious/noConsole: the default, which a production server replaces
    console.error(...values)
  } catch {
    // Printing an error can throw: its stack can be a getter.
    // biome-ignore lint/suspicious/noConsole: as above
    console.error(developerErrors.unprintableError())
  }
}

/**
 * Returns a listener that never throws and leaves no rejected promise behind.
 *
 * @param onError Default: `console.error`.
 */
export function createErrorListener(onError: ErrorListener | undefined): ErrorListener {
  if (onError === undefined) return (error, context) => printError(context, error)
  return (error, context) => {
    const fail = (failure: unknown): void => {
      printError(developerErrors.failingErrorHandler(), failure)
      printError(context, error)
    }
    try {
      const result: unknown = onError(error, context)
      if (isPromise(result)) Promise.resolve(result).catch(fail)
    } catch (failure) {
      fail(failure)
    }
  }
}

/** Describes a request whose response was already begun or sent. */
export const toErrorContext = ({ method, target, id }: ReportedRequest): ErrorContext => ({
  ...(id === undefined ? {} : { requestId: id }),
  method,
  target,
})

/** Reports an error outside of `serve`, in middleware or in a response that cannot be sent, and returns the response with status 500. */
export function createInternalErrorResponse(error: unknown, { method, target, id }: ReportedRequest, onError: ErrorListener): HttpResponse {
  const requestId = id ?? globalThis.crypto.randomUUID()
  onError(error, { requestId, method, target })
  return respondWithProblemJson(500, { detail: problemDetail.unexpected(), requestId })
}
