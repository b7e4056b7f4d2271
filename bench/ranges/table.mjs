/** What was measured, as a table: a line for each kind of page, a column for each size. */
import { table } from '../report.mjs'

/** The sizes between which the cost may not grow. */
const bounds = /** @type {const} */ ([1e3, 1e7])

const power = (/** @type {number} */ rows) => `1e${Math.log10(rows).toFixed(Number.isInteger(Math.log10(rows)) ? 0 : 1)}`
const shown = (/** @type {number} */ milliseconds) => (milliseconds < 10 ? milliseconds.toFixed(3) : milliseconds.toFixed(0))

/** @param {readonly import('./measure.mjs').Measured[]} measured */
function grouped(measured) {
  const groups = new Map()
  for (const one of measured) {
    const key = [one.database, one.field, one.order, one.place].join()
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

/**
 * For each kind of page, the cost at the larger bound divided by that at the smaller; undefined where one of them is missing.
 * @param {readonly import('./measure.mjs').Measured[]} measured
 */
export const growth = (measured) =>
  grouped(measured).map((group) => {
    const [least, most] = bounds.map((rows) => group.find((one) => one.rows === rows)?.milliseconds)
    const { database, field, order, place } = group[0]
    return { database, field, order, place, ratio: least === undefined || most === undefined ? undefined : most / least }
  })

/** @param {readonly import('./measure.mjs').Measured[]} measured */
export function rangesTable(measured) {
  const sizes = [...new Set(measured.map(({ rows }) => rows))].sort((one, other) => one - other)
  const ratios = growth(measured)
  return table([
    ['database', 'page', ...sizes.map((rows) => `${power(rows)} rows`), `${power(bounds[1])}/${power(bounds[0])}`],
    ...grouped(measured).map((group, index) => {
      const { database, field, order, place } = group[0]
      const times = sizes.map((rows) => group.find((one) => one.rows === rows)?.milliseconds)
      return [
        ...[database, `${field} ${order} ${place}`],
        ...times.map((time) => (time === undefined ? '' : shown(time))),
        ratios[index].ratio?.toFixed(2) ?? '',
      ]
    }),
  ])
}
