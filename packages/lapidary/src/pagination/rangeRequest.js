/** What a request asks for: a range, from its header or its query, and the place of its token. */
import { badRequest, rangeNotSatisfiable } from '../http/httpError.js'
import { createMalformedFault, parseRange } from './range.js'
/**
 * Reads what a request asks for; without a range it is the usual one.
 *
 * @throws HttpError 400 for a malformed range, 416 for a field without ranges.
 */
export function createRangeReader(fields, usual, places) {
  const refused = (error) => badRequest({ detail: 'The range cannot be read; "errors" says where and why.', errors: [error] })
  function read(given) {
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
    if (fault === 'field') throw rangeNotSatisfiable({ detail })
    // A range in a unit that is not understood is ignored (RFC 9110 §14.2); in the query it can only be a mistake.
    if (fault === 'unit' && query.range === undefined) return { range: usual, position: undefined }
    throw refused(query.range === undefined ? { in: 'header', name: 'Range', detail } : { in: 'query', name: 'range', detail })
  }
}
