/** Whether valid requests have succeeded: where none has, the rules that passed prove little. */
import { formatCount } from '../testingMessages.ts'
import type { CheckReport, EndpointReport, StatusCount } from './report.ts'

const isRefusal = ({ status }: StatusCount): boolean => status >= 400

/** Whether valid requests were sent, and none of them succeeded. */
export const hasNoSuccess = ({ statuses }: Pick<EndpointReport, 'statuses'>): boolean => statuses.length > 0 && statuses.every(isRefusal)

/** Adds the counts of several endpoints, the most frequent status first. */
function sumCounts(endpoints: readonly Pick<EndpointReport, 'statuses'>[]): readonly StatusCount[] {
  const sums = new Map<number, number>()
  for (const { status, count } of endpoints.flatMap(({ statuses }) => statuses)) sums.set(status, (sums.get(status) ?? 0) + count)
  return [...sums].map(([status, count]) => ({ status, count })).toSorted((one, other) => other.count - one.count)
}

export const formatCounts = (counts: readonly StatusCount[]): string =>
  counts.map(({ status, count }) => `${count} got ${status}`).join(', ')

/** What helps if no valid request succeeds, by the statuses that they got. */
function formatCure(counts: readonly StatusCount[]): string {
  const has = (isCause: (status: number) => boolean): boolean => counts.some(({ status }) => isCause(status))
  const cures = [
    ...(has((status) => status === 404) ? ['Is the base path right (--url), and are there captures that exist (--capture)?'] : []),
    ...(has((status) => status === 401 || status === 403) ? ['Are the credentials right?'] : []),
    ...(has((status) => [400, 409, 415, 422].includes(status))
      ? [
          'Give the check bodies and parameters that the server accepts: a pattern, an enum, a required member or an example in their schemas.',
        ]
      : []),
    ...(has((status) => status >= 500) ? ['The log of the server has the reason of a 5xx status.'] : []),
  ]
  return cures.length === 0 ? 'The report has the responses.' : cures.join(' ')
}

/** The endpoints that got valid requests. */
const listTried = ({ endpoints }: Pick<CheckReport, 'endpoints'>): readonly EndpointReport[] =>
  endpoints.filter(({ statuses }) => statuses.length > 0)

/** Says that no valid request of a whole check succeeded; `undefined` if one did, or if none was sent. */
export function explainUnserved(report: Pick<CheckReport, 'endpoints'>): string | undefined {
  const tried = listTried(report)
  if (tried.length === 0 || !tried.every(hasNoSuccess)) return undefined
  const counts = sumCounts(tried)
  return `No request succeeded (${formatCounts(counts)}), so what passed proves little. ${formatCure(counts)}`
}

/** What a check warns of: endpoints without a success, and declared 5xx statuses of valid requests. They are no failures. */
export function listWarnings(report: Pick<CheckReport, 'endpoints'>): readonly string[] {
  const tried = listTried(report)
  const unserved = tried.filter(hasNoSuccess)
  const failing = tried.flatMap(({ route, statuses, failures }) => {
    const isReported = failures.some(({ rule }) => rule === 'no-server-error' || rule === 'status')
    const counts = isReported ? [] : statuses.filter(({ status }) => status >= 500)
    return counts.length === 0 ? [] : [{ route, statuses: counts }]
  })
  const sum = sumCounts(failing).reduce((total, { count }) => total + count, 0)
  const places = failing.map(({ route, statuses }) => `${formatCounts(statuses)} at ${route}`).join(', ')
  return [
    ...(unserved.length === 0 || unserved.length === tried.length
      ? []
      : [
          `No request succeeded at ${unserved.length} of ${formatCount(tried.length, 'endpoint')}, so what passed there proves little: ${unserved.map(({ route }) => route).join(', ')}. ${formatCure(sumCounts(unserved))}`,
        ]),
    ...(failing.length === 0 ? [] : [`${formatCount(sum, 'valid request')} got a declared 5xx status: ${places}`]),
  ]
}
