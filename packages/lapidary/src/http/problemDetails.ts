/** Problem details (RFC 9457): the body of an error response. */
import { getReasonPhrase } from './status.ts'

/** One error of a request. */
export interface ProblemError {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body'
  /** The name of the capture, query parameter, header or cookie. */
  readonly name?: string
  /**
   * The place in the body (JSON Pointer). A pointer of more than 512 characters ends with the last step that fits; the error is below it.
   */
  readonly pointer?: string
  readonly detail: string
}

/** Problem details. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  /** At most 20 errors, and 15 KB of JSON. */
  readonly errors?: readonly ProblemError[]
  /**
   * The number of errors that `errors` does not list; undefined where it lists all. The validation stops at 1,000 errors, so there can be
   * more.
   */
  readonly more?: number
  /** Identifies the request in the log of the server. */
  readonly requestId?: string
}

/** The problem details of a status. */
export const createProblem = (status: number, members: Partial<Problem> = {}): Problem => ({
  type: 'about:blank',
  title: getReasonPhrase(status),
  status,
  ...members,
})
