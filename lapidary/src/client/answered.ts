/** An answer, and what it is an answer to. */
import type { Cancellation } from './ending.ts'

/** As `fetch` gave it. */
export interface ReceivedResponse {
  /** What was called: `GET http://127.0.0.1:8081/hello`. */
  readonly call: string
  /** The address without its query; that of the answer, where a redirection was followed. */
  readonly url: string
  readonly response: Response
  /** What ends the reading of it before its end. */
  readonly cancellation: Cancellation
  /** The most bytes to hold of it at once. */
  readonly limit: number
}
