/** No answer, or not all of it: nobody listened, the way was cut. */
import * as failure from './clientErrorMessages.js'
/** What a call throws when the server cannot be reached, or goes away before its answer is complete. `cause` has what the adapter said. */
export class ConnectionError extends Error {
  name = 'ConnectionError'
}
/** What a adapter's error says, in a few words; that of Node's `fetch` stands in its cause. */
export function getCauseMessage(error) {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return getCauseMessage(error.cause)
  return String(error.message || error.code || error.name)
}
// A stream that ended before its end.
/** What a stream throws when it was cut off, after the items that arrived. A stream that simply ends is complete. */
export class StreamInterruptedError extends Error {
  name = 'StreamInterruptedError'
  /** How many items arrived. */
  items
  constructor(call, items, cause) {
    super(failure.streamInterrupted(call, items), { cause })
    this.items = items
  }
}
// An answer that the description does not allow.
/** What a call throws in place of a value that nobody vouches for: another success, another type, a body or a header of another form. */
export class UnexpectedResponseError extends Error {
  name = 'UnexpectedResponseError'
  status
  /** As they came. */
  headers
  /** What is wrong with it. */
  detail
  /** `call` is what was called: `GET http://127.0.0.1:8081/hello`. */
  constructor(call, { status, headers }, flaw) {
    super(failure.unexpectedResponse(call, status, flaw))
    this.status = status
    this.headers = headers
    this.detail = flaw
  }
}
