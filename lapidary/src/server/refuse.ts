/** Problems as answers. Every answer that the toolkit itself makes of a failure is made here. */
import { atOnce } from '../describe/atOnce.ts'
import * as complaint from '../describe/complaint.ts'
import type { HttpError } from '../describe/error.ts'
import { isHeaderText } from '../describe/headerField.ts'
import { type Problem, type ProblemError, problem } from '../describe/problem.ts'
import { contentType } from './contentType.ts'
import type { Outgoing } from './kernel.ts'

/** How problems are written. Replace it to have another format: `serve(api, handlers, { format })`. */
export type ProblemFormat = (problem: Problem) => { readonly type: string; readonly body: string }

/** Problem details as JSON (RFC 9457). */
export const problemJson: ProblemFormat = (details) => ({ type: 'application/problem+json', body: JSON.stringify(details) })

/** What a refusal says. */
export interface RefusalDetails {
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
export type Refuse = (status: number, details: RefusalDetails) => Outgoing

/** Refusals in one format. */
export const refuser =
  (format: ProblemFormat): Refuse =>
  (status, { detail, errors, more, requestId, reason, headers = [], route }) => {
    // Member by member: an engine takes several times as long to spread objects whose members come and go.
    const details: { -readonly [Name in keyof Problem]: Problem[Name] } = problem(status)
    if (reason !== undefined) details.title = reason
    if (detail !== undefined) details.detail = detail
    if (errors !== undefined) details.errors = errors
    if (more !== undefined) details.more = more
    if (requestId !== undefined) details.requestId = requestId
    const { type, body } = atOnce(format(details), 'The function "format"')
    if (!isHeaderText(type) || typeof body !== 'string') throw new TypeError(complaint.problemFormat())
    return { status, reason, headers: [...contentType(type), ...headers], body, route }
  }

/** An error's headers, flat. */
export const flatHeaders = (headers: HttpError['headers']): readonly string[] =>
  Object.entries(headers).flatMap(([name, values]) =>
    typeof values === 'string' ? [name, values] : values.flatMap((value) => [name, value]),
  )
