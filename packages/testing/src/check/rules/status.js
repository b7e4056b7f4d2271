/** Which statuses an answer may have. */
import { getBuiltInErrors } from 'lapidary/internal'

/** Whatever stands behind the handler: a full house, a database that is gone, a deadline. */
const overloadStatuses = new Set([429, 503, 504])
const formatStatuses = (statuses) => [...new Set(statuses)].sort((one, other) => one - other).join(', ')
/** What the description says of a request that is as declared: its success, or an error that the handler raises. */
export const listDeclaredStatuses = ({ response, errors }) => new Set([response.status, ...errors.map(({ status }) => status)])
function checkStatus({ kind, response: { status }, subject: { endpoint } }) {
  if (kind === 'other' || overloadStatuses.has(status)) return undefined
  const declared = listDeclaredStatuses(endpoint)
  if (kind === 'valid')
    return declared.has(status) ? undefined : `expected one of the declared statuses (${formatStatuses(declared)}), got ${status}`
  if (status >= 400 && status < 500) return undefined
  const refusals = [...getBuiltInErrors(endpoint).map((step) => step.status), ...declared].filter((one) => one >= 400 && one < 500)
  return `expected a refusal (${formatStatuses(refusals)}), got ${status}`
}
export const statusRule = {
  name: 'status',
  description: 'What is as declared is answered with a declared status, and what is not is refused.',
  check: checkStatus,
}
export const noServerErrorRule = {
  name: 'no-server-error',
  description: 'No request is answered with a 5xx that is not declared.',
  check: ({ response: answered, subject: { endpoint } }) =>
    answered.status < 500 || overloadStatuses.has(answered.status) || listDeclaredStatuses(endpoint).has(answered.status)
      ? undefined
      : `expected an answer, or a refusal of what was wrong with the request, got ${answered.status}`,
}
// What no answer may be over, and that all of it has to come.
export const completeRule = {
  name: 'complete',
  description: 'Every answer comes whole: none is cut off.',
  check: ({ response: { complete: isComplete, isAbandoned: isLeft, body }, limits }) =>
    isComplete || isLeft || body.length > limits.size ? undefined : `the answer was cut off after ${body.length} bytes`,
}
export const sizeRule = {
  name: 'size',
  description: 'No answer is over the size that was allowed.',
  check: ({ response: { body }, limits }) => (body.length <= limits.size ? undefined : `expected at most ${limits.size} bytes, got more`),
}
export const timeRule = {
  name: 'time',
  description: 'No answer takes longer than was allowed.',
  check: ({ response: { milliseconds }, limits }) =>
    milliseconds <= limits.time ? undefined : `expected an answer within ${limits.time} ms, it took ${Math.round(milliseconds)} ms`,
}
// Calls as the description allows them.
/** Methods that change nothing (RFC 9110 §9.2.1). */
export const isSafeEndpoint = ({ endpoint: { method } }) => method === 'GET'
/** Whether its handler may be reached. */
export const canReachHandler = ({ subject, write, isAuthorized: isAdmitted }) => isAdmitted && (write || isSafeEndpoint(subject))
export const validRule = {
  name: 'valid',
  description: 'What the description allows is answered as it declares.',
  appliesTo: canReachHandler,
  probe: ({ forAll, buildRequest: request, send: ask }) =>
    forAll(async (call) => {
      await ask(await request(call), 'valid')
    }),
}
