/** The measurements as tables: a row for each kind of page, a column for each size. */
import { formatTable } from '../report.mjs'

/** The sizes between which the cost may not grow. */
const bounds = /** @type {const} */ ([1e3, 1e7])

const formatPower = (/** @type {number} */ rows) => `1e${Math.log10(rows).toFixed(Number.isInteger(Math.log10(rows)) ? 0 : 1)}`
const formatMilliseconds = (/** @type {number} */ milliseconds) => (milliseconds < 10 ? milliseconds.toFixed(3) : milliseconds.toFixed(0))

/** @param {readonly import('./measure.mjs').Measurement[]} measured */
function groupMeasurements(measured) {
  const groups = new Map()
  for (const one of measured) {
    const key = [one.database, one.field, one.order, one.place].join()
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

/** @param {readonly import('./measure.mjs').Measurement[]} measured */
const listSizes = (measured) => [...new Set(measured.map(({ rows }) => rows))].sort((one, other) => one - other)

/** The cost at the larger bound divided by that at the smaller; undefined where one of them is missing. @param {ReturnType<typeof groupMeasurements>[number]} group */
function computeGrowth(group) {
  const [least, most] = bounds.map((rows) => group.find((one) => one.rows === rows)?.milliseconds)
  return least === undefined || most === undefined ? undefined : most / least
}

/**
 * One record for each kind of page: its milliseconds at each size of the collection, and how much they grow.
 * @param {readonly import('./measure.mjs').Measurement[]} measured
 */
export function summarizePages(measured) {
  const sizes = listSizes(measured)
  return groupMeasurements(measured).map((group) => {
    const { database, field, order, place } = group[0]
    const times = sizes.map((rows) => [formatPower(rows), group.find((one) => one.rows === rows)?.milliseconds])
    return { database, field, order, place, ...Object.fromEntries(times), growth: computeGrowth(group) }
  })
}

/** @param {readonly import('./measure.mjs').Measurement[]} measured */
export function formatRanges(measured) {
  const sizes = listSizes(measured)
  return formatTable([
    ['database', 'page', ...sizes.map((rows) => `${formatPower(rows)} rows`), `${formatPower(bounds[1])}/${formatPower(bounds[0])}`],
    ...groupMeasurements(measured).map((group) => {
      const { database, field, order, place } = group[0]
      const times = sizes.map((rows) => group.find((one) => one.rows === rows)?.milliseconds)
      return [
        ...[database, `${field} ${order} ${place}`],
        ...times.map((time) => (time === undefined ? '' : formatMilliseconds(time))),
        computeGrowth(group)?.toFixed(2) ?? '',
      ]
    }),
  ])
}
