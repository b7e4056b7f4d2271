/** Reads the range that a request asks for. */
import type { RangeInput } from '../contract/pagination.ts'
import { errors } from '../http/errors.ts'
import type { HttpError } from '../http/httpError.ts'
import type { ProblemError } from '../http/problemDetails.ts'
import { createMalformedFault, parseRange, type Range, type RangeFault, type RangeFields } from './range.ts'
import type { RangeTokens, TokenPosition } from './token.ts'

/** The range that a request asks for, and the position of its token, if it has one. */
export interface RequestedRange {
  readonly range: Range
  readonly position: TokenPosition | undefined
}

/**
 * Compiles the reader of the range in a request.
 *
 * @param fallback the range of a request without one
 * @throws HttpError when called: 400 for a malformed range, 416 for a field without ranges.
 */
export function createRangeReader(fields: RangeFields, fallback: Range, tokens: RangeTokens): (input: RangeInput) => RequestedRange {
  const createBadRequest = (error: ProblemError): HttpError =>
    errors.badRequest({ detail: 'The range is invalid; "errors" says where and why.', errors: [error] })

  function readRange(text: string): RequestedRange | RangeFault {
    const range = parseRange(text, fields)
    if ('fault' in range) return range
    if (range.after === undefined) return { range, position: undefined }
    const position = tokens.read(range.field, range.after)
    return position === undefined
      ? createMalformedFault(`expected after with a token that a Link of these items had, on the field ${range.field}`)
      : { range, position }
  }

  return ({ headers, query }) => {
    if (headers.Range !== undefined && query.range !== undefined) {
      throw createBadRequest({ in: 'query', name: 'range', detail: 'expected the range once: in the Range header or in the query' })
    }
    const text = query.range ?? headers.Range
    if (text === undefined) return { range: fallback, position: undefined }
    const requested = readRange(text)
    if (!('fault' in requested)) return requested
    const { fault, detail } = requested
    if (fault === 'field') throw errors.rangeNotSatisfiable({ detail })
    // A Range header with an unknown unit is ignored (RFC 9110 §14.2); in the query it is a mistake.
    if (fault === 'unit' && query.range === undefined) return { range: fallback, position: undefined }
    throw createBadRequest(query.range === undefined ? { in: 'header', name: 'Range', detail } : { in: 'query', name: 'range', detail })
  }
}
