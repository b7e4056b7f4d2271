/** Which statuses an answer may have. */
import type { AnyEndpoint } from '../../describe/endpoint.ts'
import { refusalsOf } from '../../describe/steps.ts'
import type { Complaint, Invariant, Observed } from '../predicate.ts'

/** Whatever stands behind the handler: a full house, a database that is gone, a deadline. */
const ofTheMoment = new Set([429, 503, 504])

const listed = (statuses: Iterable<number>): string => [...new Set(statuses)].sort((one, other) => one - other).join(', ')

/** What the description says of a request that is as declared: its success, or an error that the handler raises. */
export const declaredBy = ({ response, errors }: AnyEndpoint): ReadonlySet<number> =>
  new Set([response.status, ...errors.map(({ status }) => status)])

function undeclared({ kind, answered: { status }, subject: { endpoint } }: Observed): Complaint {
  if (kind === 'other' || ofTheMoment.has(status)) return undefined
  const declared = declaredBy(endpoint)
  if (kind === 'valid')
    return declared.has(status) ? undefined : `expected one of the declared statuses (${listed(declared)}), got ${status}`
  if (status >= 400 && status < 500) return undefined
  const refusals = [...refusalsOf(endpoint).map((step) => step.status), ...declared].filter((one) => one >= 400 && one < 500)
  return `expected a refusal (${listed(refusals)}), got ${status}`
}

export const status: Invariant = {
  name: 'status',
  sentence: 'What is as declared is answered with a declared status, and what is not is refused.',
  each: undeclared,
}

export const noServerError: Invariant = {
  name: 'no-server-error',
  sentence: 'No request is answered with a 5xx that is not declared.',
  each: ({ answered, subject: { endpoint } }) =>
    answered.status < 500 || ofTheMoment.has(answered.status) || declaredBy(endpoint).has(answered.status)
      ? undefined
      : `expected an answer, or a refusal of what was wrong with the request, got ${answered.status}`,
}
