/** What a request asks for: a range, from its header or its query, and the place of its token. */

import { errors } from '../http/errors.ts'
import type { HttpError } from '../http/httpError.ts'
import type { ProblemError } from '../http/problemDetails.ts'
import { createMalformedFault, parseRange, type Range, type RangeFault, type RangeField } from './range.ts'
import type { RangeTokens, TokenPosition } from './token.ts'

/** The input that a ranged endpoint takes: the Range header, or the same text as the query parameter `range`. */
export interface RangeInput {
  readonly headers: { readonly Range: string | undefined }
  readonly query: { readonly range: string | undefined }
}

/** A range, and the place of its token where it has one. */
export interface RequestedRange {
  readonly range: Range
  readonly position: TokenPosition | undefined
}

/**
 * Reads what a request asks for; without a range it is the usual one.
 *
 * @throws HttpError 400 for a malformed range, 416 for a field without ranges.
 */
export function createRangeReader(
  fields: Readonly<Record<string, RangeField>>,
  usual: Range,
  places: RangeTokens,
): (input: RangeInput) => RequestedRange {
  const refused = (error: ProblemError): HttpError =>
    errors.badRequest({ detail: 'The range cannot be read; "errors" says where and why.', errors: [error] })

  function read(given: string): RequestedRange | RangeFault {
    const range = parseRange(given, fields)
    if ('fault' in range) return range
    if (range.after === undefined) return { range, position: undefined }
    const place = places.read(range.field, range.after)
    return place === undefined
      ? createMalformedFault(`expected after with a token that a Link of these items had, on the field ${range.field}`)
      : { range, position: place }
  }

  return ({ headers, query }) => {
    if (headers.Range !== undefined && query.range !== undefined) {
      throw refused({ in: 'query', name: 'range', detail: 'expected the range once: in the Range header or in the query' })
    }
    const given = query.range ?? headers.Range
    if (given === undefined) return { range: usual, position: undefined }
    const asked = read(given)
    if (!('fault' in asked)) return asked
    const { fault, detail } = asked
    if (fault === 'field') throw errors.rangeNotSatisfiable({ detail })
    // A range in a unit that is not understood is ignored (RFC 9110 §14.2); in the query it can only be a mistake.
    if (fault === 'unit' && query.range === undefined) return { range: usual, position: undefined }
    throw refused(query.range === undefined ? { in: 'header', name: 'Range', detail } : { in: 'query', name: 'range', detail })
  }
}
