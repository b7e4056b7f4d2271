/** Problems as answers. Every answer that the toolkit itself makes of a failure is made here. */

import * as complaint from '../messages/developerErrors.ts'
import { createContentTypeHeaders, isHeaderValue } from './headerFields.ts'
import type { HttpError } from './httpError.ts'
import type { HttpResponse } from './httpHandler.ts'
import { createProblem, type Problem, type ProblemError } from './problemDetails.ts'
import { requireSync } from './promises.ts'

/** How problems are written. Replace it to have another format: `serve(api, handlers, { format })`. */
export type ProblemFormat = (problem: Problem) => { readonly type: string; readonly body: string }

/** Problem details as JSON (RFC 9457). */
export const problemJson: ProblemFormat = (details) => ({ type: 'application/problem+json', body: JSON.stringify(details) })

/** What a refusal says. */
export interface ProblemResponseDetails {
  readonly detail?: string | undefined
  readonly errors?: readonly ProblemError[] | undefined
  readonly more?: number | undefined
  readonly requestId?: string
  readonly reason?: string
  /** Flat: name, value, name, value. */
  readonly headers?: readonly string[]
  readonly route?: string | undefined
}

/** Makes the answer to a request that failed. */
export type ProblemResponder = (status: number, details: ProblemResponseDetails) => HttpResponse

/** Refusals in one format. */
export const createProblemResponder =
  (format: ProblemFormat): ProblemResponder =>
  (status, { detail, errors, more, requestId, reason, headers = [], route }) => {
    // Member by member: an engine takes several times as long to spread objects whose members come and go.
    const details: { -readonly [Name in keyof Problem]: Problem[Name] } = createProblem(status)
    if (reason !== undefined) details.title = reason
    if (detail !== undefined) details.detail = detail
    if (errors !== undefined) details.errors = errors
    if (more !== undefined) details.more = more
    if (requestId !== undefined) details.requestId = requestId
    const { type, body } = requireSync(format(details), 'The function "format"')
    if (!isHeaderValue(type) || typeof body !== 'string') throw new TypeError(complaint.invalidProblemFormat())
    return { status, reason, headers: [...createContentTypeHeaders(type), ...headers], body, route }
  }

/** An error's headers, flat. */
export const flattenHeaders = (headers: HttpError['headers']): readonly string[] =>
  Object.entries(headers).flatMap(([name, values]) =>
    typeof values === 'string' ? [name, values] : values.flatMap((value) => [name, value]),
  )
