/** Responses with problem details (RFC 9457): every error response that the toolkit itself makes. */
import * as developerErrors from '../messages/developerErrors.ts'
import { createContentTypeHeaders, isHeaderValue } from './headerFields.ts'
import { createProblem, type Problem, type ProblemError } from './httpError.ts'
import type { HttpResponse } from './httpHandler.ts'
import { requireSync } from './promises.ts'

/** Writes problem details: `serve(api, handlers, { format })` replaces the default, `problemJson`. */
export type ProblemFormat = (problem: Problem) => { readonly type: string; readonly body: string }

/**
 * Writes problem details as JSON (RFC 9457), the default format.
 *
 * @returns the media type and the body
 * @example
 * ```ts
 * import { type ProblemFormat, problemJson } from 'lapidary/server'
 *
 * const format: ProblemFormat = (problem) => problemJson({ ...problem, type: `https://example.org/problems/${problem.status}` })
 * ```
 */
export const problemJson: ProblemFormat = (problem) => ({ type: 'application/problem+json', body: JSON.stringify(problem) })

/** What a problem response says besides its status. */
interface ProblemResponseDetails {
  readonly detail?: string | undefined
  readonly errors?: readonly ProblemError[] | undefined
  readonly more?: number | undefined
  readonly requestId?: string
  readonly reason?: string
  /** The type of the problem and what belongs to it, in place of `about:blank`. */
  readonly problem?: Partial<Problem> | undefined
  /** Flat: name, value, name, value. */
  readonly headers?: readonly string[]
  readonly route?: string | undefined
}

/** Makes the response to a request that failed. */
export type ProblemResponder = (status: number, details: ProblemResponseDetails) => HttpResponse

/**
 * Makes problem responses in one format.
 *
 * @throws TypeError when called, if the format gives something that cannot be sent.
 */
export const createProblemResponder =
  (format: ProblemFormat): ProblemResponder =>
  (status, { detail, errors, more, requestId, reason, problem: own, headers = [], route }) => {
    // Member by member: engines are several times slower at spreading objects whose members vary.
    const problem: { -readonly [Name in keyof Problem]: Problem[Name] } = createProblem(status)
    if (own !== undefined) Object.assign(problem, own)
    if (reason !== undefined) problem.title = reason
    if (detail !== undefined) problem.detail = detail
    if (errors !== undefined) problem.errors = errors
    if (more !== undefined) problem.more = more
    if (requestId !== undefined) problem.requestId = requestId
    // Plain JavaScript can return nothing.
    const { type, body }: Partial<ReturnType<ProblemFormat>> = requireSync(format(problem), 'The function "format"') ?? {}
    if (!isHeaderValue(type) || typeof body !== 'string') throw new TypeError(developerErrors.invalidProblemFormat())
    return { status, reason, headers: [...createContentTypeHeaders(type), ...headers], body, route }
  }

/** Makes problem responses in the one format that cannot fail. */
export const respondWithProblemJson: ProblemResponder = createProblemResponder(problemJson)
