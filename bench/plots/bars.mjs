/** Bars, one for each framework, in a panel for each measure. Lapidary and the frameworks on Bun have colours of their own. */
import { colors, renderSvg } from './chart.mjs'

/**
 * @typedef {object} Bar
 * @property {string} panel
 * @property {string} title   of the framework
 * @property {string} kind    `Lapidary`, or what the others are
 * @property {number} value
 * @property {string} label   the value as it is written beside the bar
 * @property {number} [low]   where there is a spread
 * @property {number} [high]
 */

/**
 * @typedef {object} Panels
 * @property {string} title
 * @property {string} subtitle
 * @property {readonly string[]} panels  in their order
 * @property {readonly string[]} order   of the frameworks
 * @property {number} columns
 * @property {number} [one]              where a line stands in each panel
 * @property {boolean} [apart]           whether each panel has a scale of its own
 */

const kindColors = { Lapidary: colors.orange, 'Node.js': colors.blue, Bun: colors.green }

/** Whole numbers where they are large. @param {number} value */
export const formatValue = (value) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en'))

/** @param {readonly Bar[]} bars @param {Panels} panels */
export function createBarPlot(bars, { title, subtitle, panels, order, columns, one, apart = false }) {
  const kinds = Object.keys(kindColors).filter((kind) => bars.some((bar) => bar.kind === kind))
  const y = {
    field: 'title',
    type: 'nominal',
    sort: order,
    title: null,
    axis: { ticks: false, domain: false, labelLimit: 200, labelPadding: 6 },
  }
  const x = (/** @type {string} */ field) => ({ field, type: 'quantitative', title: null, axis: { tickCount: 3, format: ',.12~g' } })
  const legend = { orient: 'top', symbolType: 'square', symbolSize: 120, symbolStrokeWidth: 0 }
  const color = {
    field: 'kind',
    type: 'nominal',
    title: null,
    scale: { domain: kinds, range: kinds.map((kind) => kindColors[kind]) },
    legend,
  }
  const layer = [
    { mark: { type: 'bar', height: { band: 0.72 } }, encoding: { y, x: x('value'), color } },
    ...(one === undefined
      ? []
      : [{ mark: { type: 'rule', strokeDash: [3, 3], color: '#57606a' }, encoding: { x: { ...x('one'), aggregate: 'min' } } }]),
    { mark: { type: 'rule', color: '#24292f', strokeWidth: 1 }, encoding: { y, x: x('low'), x2: { field: 'high' } } },
    {
      mark: { type: 'text', align: 'left', dx: 4, fontSize: 10, color: '#24292f' },
      encoding: { y, x: x('high'), text: { field: 'shown' } },
    },
  ]
  return renderSvg(
    { title, subtitle },
    {
      data: { values: bars.map((bar) => ({ low: bar.value, high: bar.value, one, ...bar })) },
      ...{ columns, bounds: 'flush', spacing: { row: 52, column: 44 } },
      facet: { field: 'panel', type: 'nominal', title: null, sort: panels, header: { labelAnchor: 'start', labelPadding: 4 } },
      spec: { width: 150, height: { step: 17 }, layer },
      resolve: { scale: { x: apart ? 'independent' : 'shared' } },
    },
  )
}
