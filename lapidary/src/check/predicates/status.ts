/** Which statuses an answer may have. */
import type { AnyEndpoint } from '../../describe/endpoint.ts'
import { getBuiltInErrors } from '../../describe/steps.ts'
import type { Invariant, ObservedExchange, Violation } from '../predicate.ts'

/** Whatever stands behind the handler: a full house, a database that is gone, a deadline. */
const overloadStatuses = new Set([429, 503, 504])

const formatStatuses = (statuses: Iterable<number>): string => [...new Set(statuses)].sort((one, other) => one - other).join(', ')

/** What the description says of a request that is as declared: its success, or an error that the handler raises. */
export const listDeclaredStatuses = ({ response, errors }: AnyEndpoint): ReadonlySet<number> =>
  new Set([response.status, ...errors.map(({ status }) => status)])

function checkStatus({ kind, response: { status }, subject: { endpoint } }: ObservedExchange): Violation {
  if (kind === 'other' || overloadStatuses.has(status)) return undefined
  const declared = listDeclaredStatuses(endpoint)
  if (kind === 'valid')
    return declared.has(status) ? undefined : `expected one of the declared statuses (${formatStatuses(declared)}), got ${status}`
  if (status >= 400 && status < 500) return undefined
  const refusals = [...getBuiltInErrors(endpoint).map((step) => step.status), ...declared].filter((one) => one >= 400 && one < 500)
  return `expected a refusal (${formatStatuses(refusals)}), got ${status}`
}

export const statusRule: Invariant = {
  name: 'status',
  description: 'What is as declared is answered with a declared status, and what is not is refused.',
  check: checkStatus,
}

export const noServerErrorRule: Invariant = {
  name: 'no-server-error',
  description: 'No request is answered with a 5xx that is not declared.',
  check: ({ response: answered, subject: { endpoint } }) =>
    answered.status < 500 || overloadStatuses.has(answered.status) || listDeclaredStatuses(endpoint).has(answered.status)
      ? undefined
      : `expected an answer, or a refusal of what was wrong with the request, got ${answered.status}`,
}
