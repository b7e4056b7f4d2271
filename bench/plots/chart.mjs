/** Plots for the README: one look for all, as SVG. */
import { parse, View } from 'vega'
import { compile } from 'vega-lite'

const font = 'system-ui, -apple-system, Segoe UI, sans-serif'

export const colors = { blue: '#0072b2', orange: '#d55e00', green: '#009e73', grey: '#8c959f' }

/** @param {string} text @param {string} subtitle */
const createSpecification = (text, subtitle) => ({
  $schema: 'https://vega.github.io/schema/vega-lite/v5.json',
  // White, so that it can be read on a dark page as well.
  background: 'white',
  padding: 16,
  title: { text, subtitle, anchor: 'start', offset: 14 },
  config: {
    font,
    title: { fontSize: 16, subtitleFontSize: 11, subtitleColor: '#57606a', subtitlePadding: 4 },
    axis: { labelFontSize: 11, titleFontSize: 12, titleFontWeight: 'normal', gridColor: '#e5e8eb', domainColor: '#8c959f' },
    legend: { labelFontSize: 12, titleFontSize: 12, symbolStrokeWidth: 2.5, symbolSize: 300 },
    header: { labelFontSize: 12, labelFontWeight: 'bold', titleFontSize: 12 },
    view: { stroke: null },
  },
})

/** For screen readers: one title for the whole image, and no roles for its parts. Two digits are as fine as a screen. @param {string} svg @param {string} title */
const addTitle = (svg, title) =>
  svg
    .replace(/ (?:role|aria-[a-z]+)="[^"]*"/g, '')
    .replace(/\d+\.\d{3,}/g, (digits) => `${Number(Number(digits).toFixed(2))}`)
    .replace(/^<svg [^>]*>/, (tag) => `${tag.slice(0, -1)} role="img" aria-labelledby="title"><title id="title">${title}</title>`)

/**
 * @param {{ title: string, subtitle: string }} words
 * @param {object} specification                      of Vega-Lite, without what is common
 * @param {(compiled: any) => void} [mend]            changes what Vega-Lite cannot express
 */
export async function renderSvg({ title, subtitle }, specification, mend = () => {}) {
  const { spec } = compile({ ...createSpecification(title, subtitle), ...specification })
  mend(spec)
  return `${addTitle(await new View(parse(spec), { renderer: 'none' }).toSVG(), title)}\n`
}
