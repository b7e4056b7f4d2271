/** The ranges that may be asked for of a collection that has some: a token is for its server to make, and no pattern says all that a range may be. */
import * as fc from 'fast-check'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { splitHeaderList } from '../describe/headerField.ts'
import type { ParameterTexts } from './parameters.ts'

/** Whether an endpoint has what `ranges` declares: pages by the header, or by its twin in the query. */
export const acceptsRanges = ({ response, headers, query, responseHeaders: always }: AnyEndpoint): boolean =>
  response.status === 206 && 'Range' in headers && 'range' in query && 'Accept-Ranges' in always

/** A range, or none. */
export function generateRanges({ responseHeaders: always }: AnyEndpoint): fc.Arbitrary<ParameterTexts> {
  const fields = splitHeaderList(always['Accept-Ranges'] ?? '')
  const options = fc.record({
    offset: fc.option(fc.nat(50), { nil: undefined }),
    limit: fc.option(fc.nat(20), { nil: undefined }),
    order: fc.option(fc.constantFrom('asc', 'desc'), { nil: undefined }),
  })
  const range = fc.tuple(fc.constantFrom(...fields), options).map(([field, chosen]) => {
    const said = Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : [`; ${name} ${value}`]))
    return [field, ...said].join('')
  })
  return fc.oneof(
    { arbitrary: fc.constant<ParameterTexts>([]), weight: 1 },
    { arbitrary: range.map((text): ParameterTexts => [text]), weight: 3 },
  )
}
