/** Reports of what should not have happened. A reporter may fail itself: neither an answer nor the process depends on it. */
import * as complaint from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import type { HttpRequest, HttpResponse } from './httpHandler.ts'
import { createProblemResponder, type ProblemResponder, problemJson } from './problemResponse.ts'
import { isPromise } from './promises.ts'

/** Where something unexpected happened. */
export interface ErrorContext {
  /** The id that the client was told to quote; absent where an answer was already under way, unless the request had an id before (`Incoming.id`). */
  readonly requestId?: string
  readonly method: string
  readonly target: string
  /** The route of the endpoint, where one was found. */
  readonly route?: string
}

/**
 * Told of everything that should not have happened: a handler that threw what is no HttpError of its own, a stream that failed part-way. What it
 * throws itself is written to `console.error`, with the error that it was told of.
 */
export type ErrorListener = (error: unknown, incident: ErrorContext) => void

/** What identifies a request in a report. */
type ReportedRequest = Pick<HttpRequest, 'method' | 'target' | 'id'>

function printError(...words: readonly unknown[]): void {
  try {
    // biome-ignore lint/suspicious/noConsole: the default, which a server in earnest replaces
    console.error(...words)
  } catch {
    // An error may throw while it is printed: its stack can be a getter.
    // biome-ignore lint/suspicious/noConsole: as above
    console.error(complaint.unprintableError())
  }
}

/** A report that never throws and leaves no rejected promise behind. Without one, reports go to `console.error`. */
export function createErrorListener(report: ErrorListener | undefined): ErrorListener {
  if (report === undefined) return (error, incident) => printError(incident, error)
  return (error, incident) => {
    const fail = (failure: unknown): void => {
      printError(complaint.failingErrorHandler(), failure)
      printError(incident, error)
    }
    try {
      const made: unknown = report(error, incident)
      if (isPromise(made)) Promise.resolve(made).catch(fail)
    } catch (failure) {
      fail(failure)
    }
  }
}

/** What a report says of a request whose answer is under way, or that has ended. */
export const toErrorContext = ({ method, target, id }: ReportedRequest): ErrorContext => ({
  ...(id === undefined ? {} : { requestId: id }),
  method,
  target,
})

/** Refuses in the one format that cannot fail. */
export const respondWithProblemJson: ProblemResponder = createProblemResponder(problemJson)

/** The answer to a request that failed outside of any server: in middleware, or with an answer that cannot be sent. It is reported. */
export function createInternalErrorResponse(error: unknown, { method, target, id }: ReportedRequest, report: ErrorListener): HttpResponse {
  const requestId = id ?? globalThis.crypto.randomUUID()
  report(error, { requestId, method, target })
  return respondWithProblemJson(500, { detail: problemDetail.unexpected(), requestId })
}
