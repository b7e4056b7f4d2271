/** Reports of what should not have happened. A reporter may fail itself: neither an answer nor the process depends on it. */
import * as complaint from '../messages/developerErrors.js'
import { problemDetail } from '../messages/problemMessages.js'
import { createProblemResponder, problemJson } from './problemResponse.js'
import { isPromise } from './promises.js'

function printError(...words) {
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
export function createErrorListener(report) {
  if (report === undefined) return (error, incident) => printError(incident, error)
  return (error, incident) => {
    const fail = (failure) => {
      printError(complaint.failingErrorHandler(), failure)
      printError(incident, error)
    }
    try {
      const made = report(error, incident)
      if (isPromise(made)) Promise.resolve(made).catch(fail)
    } catch (failure) {
      fail(failure)
    }
  }
}
/** What a report says of a request whose answer is under way, or that has ended. */
export const toErrorContext = ({ method, target, id }) => ({
  ...(id === undefined ? {} : { requestId: id }),
  method,
  target,
})
/** Refuses in the one format that cannot fail. */
export const respondWithProblemJson = createProblemResponder(problemJson)
/** The answer to a request that failed outside of any server: in middleware, or with an answer that cannot be sent. It is reported. */
export function createInternalErrorResponse(error, { method, target, id }, report) {
  const requestId = id ?? globalThis.crypto.randomUUID()
  report(error, { requestId, method, target })
  return respondWithProblemJson(500, { detail: problemDetail.unexpected(), requestId })
}
