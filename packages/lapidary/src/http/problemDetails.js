/** Problem details (RFC 9457): what a client is told when its request fails. */
import { getReasonPhrase } from './status.js'
/** The problem of a status: `createProblem(404, { detail: 'There is no user 7.' })`. */
export const createProblem = (status, more = {}) => ({
  type: 'about:blank',
  title: getReasonPhrase(status),
  status,
  ...more,
})
