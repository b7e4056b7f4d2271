/** Rules about the status, the size and the time of responses. */
import type { AnyEndpoint } from 'lapidary'
import { findReplies, getBuiltInErrors, getStatusKey } from 'lapidary/internal'
import type { Invariant, ObservedExchange, Probe, Violation } from '../rule.ts'
import { canReachHandler, listReplies } from '../rule.ts'

/** Statuses that depend on the load of the server, on its database or on a timeout. */
export const overloadStatuses: ReadonlySet<number> = new Set([429, 503, 504])

const formatStatuses = (statuses: Iterable<string>): string => [...new Set(statuses)].sort().join(', ')

/** Whether a status is declared for a valid request: a success, or an error of the handler. */
export const isDeclaredStatus = (endpoint: AnyEndpoint, status: number): boolean => findReplies(listReplies(endpoint), status).length > 0

function checkStatus({ kind, response: { status }, subject: { endpoint } }: ObservedExchange): Violation {
  if (kind === 'other' || overloadStatuses.has(status)) return undefined
  const declared = listReplies(endpoint).map(getStatusKey)
  if (kind === 'valid')
    return isDeclaredStatus(endpoint, status)
      ? undefined
      : `expected one of the declared statuses (${formatStatuses(declared)}), got ${status}`
  if (status >= 400 && status < 500) return undefined
  const errors = [...getBuiltInErrors(endpoint).map((step) => String(step.status)), ...declared].filter((one) => one.startsWith('4'))
  return `expected an error (${formatStatuses(errors)}), got ${status}`
}

export const statusRule: Invariant = {
  name: 'status',
  judges: 'status',
  description: 'A valid request gets a declared status, and an invalid request gets an error.',
  check: checkStatus,
}

/** A default says what a failure looks like, and not that the server fails. */
const isExpectedFailure = (endpoint: AnyEndpoint, status: number): boolean =>
  findReplies(listReplies(endpoint), status).some(({ range }) => range !== 'default')

export const noServerErrorRule: Invariant = {
  name: 'no-server-error',
  judges: 'status',
  description: 'No request gets a 5xx status that is not declared.',
  check: ({ response: { status }, subject: { endpoint } }) =>
    status < 500 || overloadStatuses.has(status) || isExpectedFailure(endpoint, status)
      ? undefined
      : `expected success, or an error that names the fault of the request, got ${status}`,
}

export const completeRule: Invariant = {
  name: 'complete',
  description: 'Every response is complete.',
  check: ({ response: { complete, isAbandoned, body }, limits }) =>
    complete || isAbandoned || body.length > limits.size ? undefined : `the response was cut off after ${body.length} bytes`,
}

export const sizeRule: Invariant = {
  name: 'size',
  description: 'No response is larger than allowed.',
  check: ({ response: { body }, limits }) => (body.length <= limits.size ? undefined : `expected at most ${limits.size} bytes, got more`),
}

export const timeRule: Invariant = {
  name: 'time',
  description: 'No response takes longer than allowed.',
  check: ({ response: { milliseconds }, limits }) =>
    milliseconds <= limits.time ? undefined : `expected a response within ${limits.time} ms, it took ${Math.round(milliseconds)} ms`,
}

/** What a network and a busy machine may add to the `timeout` of an endpoint, in milliseconds. */
const timeoutTolerance = 1_000

/** Limits are not provoked: a request that takes long shows whether the server keeps its own. */
export const timeoutRule: Invariant = {
  name: 'timeout',
  description: 'A response begins within the declared timeout, and a 503 in its place has Retry-After.',
  check: ({ request, response: { status, header, headMilliseconds }, subject: { endpoint } }) => {
    const { timeout, method } = endpoint
    if (timeout === undefined || timeout === Number.POSITIVE_INFINITY || request.method !== method) return undefined
    if (headMilliseconds > timeout + timeoutTolerance)
      return `expected a response, or a 503, within ${timeout} ms, it began after ${Math.round(headMilliseconds)} ms`
    const isDeclared = isDeclaredStatus(endpoint, status)
    return status === 503 && !isDeclared && header('retry-after') === undefined
      ? 'expected the 503 to have Retry-After, got none'
      : undefined
  },
}

export const validRequestsRule: Probe = {
  name: 'valid-requests',
  description: 'A valid request gets a response as declared.',
  appliesTo: canReachHandler,
  probe: ({ forAll, buildRequest, send }) =>
    forAll(async (call) => {
      await send(await buildRequest(call), 'valid')
    }),
}
