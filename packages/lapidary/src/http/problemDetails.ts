/** Problem details (RFC 9457): what a client is told when its request fails. */
import { getReasonPhrase } from './status.ts'

/** One thing that is wrong with a request. */
export interface ProblemError {
  readonly in: 'path' | 'query' | 'header' | 'body'
  /** The capture, query parameter or header. */
  readonly name?: string
  /** Where in the body (JSON Pointer). One of more than 512 characters ends with the last step that fits: what is wrong stands below it. */
  readonly pointer?: string
  readonly detail: string
}

/** A problem, before it is written. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  /** At most 20, and 15 KB of JSON. */
  readonly errors?: readonly ProblemError[]
  /** How many more were found, and are not listed in `errors`; absent where all are. Looking ends at 1,000, so that there may be yet more. */
  readonly more?: number
  /** To quote when asking about an unexpected failure. */
  readonly requestId?: string
}

/** The problem of a status: `createProblem(404, { detail: 'There is no user 7.' })`. */
export const createProblem = (status: number, more: Partial<Problem> = {}): Problem => ({
  type: 'about:blank',
  title: getReasonPhrase(status),
  status,
  ...more,
})
