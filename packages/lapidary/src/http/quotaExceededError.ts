/** The error of a quota that is used up: 429, with the problem type of draft-ietf-httpapi-ratelimit-headers. */
import { type ErrorHeaders, HttpError, markToolkitError, type Problem } from './httpError.ts'

/** 429 of the toolkit. */
class QuotaExceededError extends HttpError<429> {
  /** What its problem has besides the members of every problem. */
  readonly problem: Pick<Problem, 'type' | 'title' | 'violated-policies'>

  /** @param policies the names of the policies whose quota is used up */
  constructor(policies: readonly string[], options: { readonly detail: string; readonly headers: ErrorHeaders }) {
    super(429, { ...options, body: undefined })
    markToolkitError(this)
    this.problem = {
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      title: 'Request cannot be satisfied as assigned quota has been exceeded',
      'violated-policies': policies,
    }
  }
}

/** Makes the error without a stack, which would be most of its cost: a refusal must be cheap, and nothing has gone wrong in the program. */
export function createQuotaExceededError(...given: ConstructorParameters<typeof QuotaExceededError>): QuotaExceededError {
  const { stackTraceLimit } = Error as { stackTraceLimit?: number }
  Object.assign(Error, { stackTraceLimit: 0 })
  try {
    return new QuotaExceededError(...given)
  } finally {
    Object.assign(Error, { stackTraceLimit })
  }
}

/** What the problem of an error has of its own; undefined for the problem of its status. */
export const getOwnProblem = (error: HttpError): QuotaExceededError['problem'] | undefined =>
  error instanceof QuotaExceededError ? error.problem : undefined
