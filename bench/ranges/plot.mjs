/** What was measured, as a plot for the README. */
import { colors as palette, renderSvg } from '../plots/chart.mjs'
import { median } from '../report.mjs'

const title = 'Time of one page of 100 colours'
const labels = { sqlite: 'SQLite', postgres: 'PostgreSQL', memory: 'sorted in memory' }
const colors = { name: palette.blue, hex: palette.orange, rgb: palette.green }
const dashes = { sqlite: [1, 0], postgres: [6, 4], memory: [2, 3] }

/** One point for each database, field and size: the median of the orders and places of which the cost does not grow by its nature. */
function createPoints(measured) {
  const groups = new Map()
  for (const one of measured) {
    if (one.place === 'tied') continue
    const key = [one.database, one.field, one.rows].join()
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].map((group) => ({
    ...{ database: labels[group[0].database], field: group[0].field, rows: group[0].rows },
    milliseconds: median(group.map(({ milliseconds }) => milliseconds)),
  }))
}

/** @param {readonly import('./measure.mjs').Measurement[]} measured */
function createSpecification(measured) {
  const present = /** @type {(keyof typeof labels)[]} */ (Object.keys(labels)).filter((name) =>
    measured.some(({ database }) => database === name),
  )
  return {
    width: 560,
    height: 340,
    data: { values: createPoints(measured) },
    mark: { type: 'line', point: { size: 36 }, strokeWidth: 2 },
    encoding: {
      x: {
        field: 'rows',
        type: 'quantitative',
        scale: { type: 'log', nice: false },
        axis: {
          title: 'colours in the collection',
          values: [...new Set(measured.map(({ rows }) => rows))],
          format: ',d',
          labelFlush: false,
        },
      },
      y: {
        field: 'milliseconds',
        type: 'quantitative',
        scale: { type: 'log' },
        axis: {
          title: 'milliseconds a page',
          values: [0.01, 0.1, 1, 10, 100, 1000, 10_000, 100_000],
          labelExpr: "format(datum.value, datum.value < 1 ? '~g' : ',d')",
        },
      },
      color: {
        field: 'field',
        type: 'nominal',
        title: 'ordered by',
        scale: { domain: Object.keys(colors), range: Object.values(colors) },
        legend: { symbolType: 'stroke' },
      },
      strokeDash: {
        field: 'database',
        type: 'nominal',
        title: 'kept in',
        scale: { domain: present.map((name) => labels[name]), range: present.map((name) => dashes[name]) },
        legend: { symbolType: 'stroke' },
      },
    },
  }
}

/** The plot as SVG. @param {readonly import('./measure.mjs').Measurement[]} measured @param {string} subtitle */
export const createRangesPlot = (measured, subtitle) =>
  renderSvg({ title, subtitle }, createSpecification(measured), ({ legends = [] }) => {
    // Vega-Lite shows the dashes of the lines in no colour at all, since the lines have several.
    for (const { strokeDash, encode } of legends) if (strokeDash) encode.symbols.update.stroke = { value: '#57606a' }
  })
