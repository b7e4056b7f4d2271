/** Problems as answers. Every answer that the toolkit itself makes of a failure is made here. */
import * as complaint from '../messages/developerErrors.js'
import { createContentTypeHeaders, isHeaderValue } from './headerFields.js'
import { createProblem } from './problemDetails.js'
import { requireSync } from './promises.js'
/** Problem details as JSON (RFC 9457). */
export const problemJson = (details) => ({ type: 'application/problem+json', body: JSON.stringify(details) })
/** Refusals in one format. */
export const createProblemResponder =
  (format) =>
  (status, { detail, errors, more, requestId, reason, headers = [], route }) => {
    // Member by member: an engine takes several times as long to spread objects whose members come and go.
    const details = createProblem(status)
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
export const flattenHeaders = (headers) =>
  Object.entries(headers).flatMap(([name, values]) =>
    typeof values === 'string' ? [name, values] : values.flatMap((value) => [name, value]),
  )
