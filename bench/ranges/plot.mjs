/** What was measured, as a plot for the README. */
import { parse, View } from 'vega'
import { compile } from 'vega-lite'
import { median } from '../report.mjs'

const title = 'Time of one page of 100 colours'
const labels = { sqlite: 'SQLite', postgres: 'PostgreSQL', memory: 'sorted in memory' }
const colors = { name: '#0072b2', hex: '#d55e00', rgb: '#009e73' }
const dashes = { sqlite: [1, 0], postgres: [6, 4], memory: [2, 3] }
const font = 'system-ui, -apple-system, Segoe UI, sans-serif'

/** One point for each database, field and size: the median of the orders and places of which the cost does not grow by its nature. */
function points(measured) {
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

/** @param {readonly import('./measure.mjs').Measured[]} measured @param {string} subtitle */
function specification(measured, subtitle) {
  const present = /** @type {(keyof typeof labels)[]} */ (Object.keys(labels)).filter((name) =>
    measured.some(({ database }) => database === name),
  )
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
    // White, so that it can be read on a dark page as well.
    background: 'white',
    padding: 16,
    width: 560,
    height: 340,
    title: { text: title, subtitle, anchor: 'start', offset: 14 },
    config: {
      font,
      title: { fontSize: 16, subtitleFontSize: 11, subtitleColor: '#57606a', subtitlePadding: 4 },
      axis: { labelFontSize: 11, titleFontSize: 12, titleFontWeight: 'normal', gridColor: '#e5e8eb', domainColor: '#8c959f' },
      legend: { labelFontSize: 12, titleFontSize: 12, symbolStrokeWidth: 2.5, symbolSize: 300 },
      view: { stroke: null },
    },
    data: { values: points(measured) },
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

/** As images are made for everybody: one title for the whole, and no roles for its parts. @param {string} svg @param {string} title */
const titled = (svg, title) =>
  svg
    .replace(/ (?:role|aria-[a-z]+)="[^"]*"/g, '')
    .replace(/^<svg [^>]*>/, (tag) => `${tag.slice(0, -1)} role="img" aria-labelledby="title"><title id="title">${title}</title>`)

/** The plot as SVG. @param {readonly import('./measure.mjs').Measured[]} measured @param {string} subtitle */
export async function plot(measured, subtitle) {
  const { spec } = compile(specification(measured, subtitle))
  // Vega-Lite shows the dashes of the lines in no colour at all, since the lines have several.
  for (const { strokeDash, encode } of spec.legends ?? []) if (strokeDash) encode.symbols.update.stroke = { value: '#57606a' }
  const svg = await new View(parse(spec), { renderer: 'none' }).toSVG()
  return `${titled(svg, title)}\n`
}
