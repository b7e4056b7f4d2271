/** What the compiler does for an API, as a plot. */
import { contestants } from '../contestants.mjs'
import { barPlot, shown } from './bars.mjs'

/** Of those that are no servers of the other measurements. */
const titles = new Map([
  ['orpc2', 'oRPC 2, beta'],
  ['effect4', 'Effect 4'],
])

/**
 * @param {readonly { name: string, endpoints: number, instantiations: number, seconds: number, megabytes: number }[]} measured
 * @param {string} subtitle
 */
export function typesPlot(measured, subtitle) {
  const largest = Math.max(...measured.map(({ endpoints }) => endpoints))
  const panels = { instantiations: 'instantiations an endpoint', seconds: 'seconds', megabytes: 'memory, MB' }
  const titled = measured
    .filter(({ endpoints }) => endpoints === largest)
    .map((one) => ({ ...one, title: contestants.find(({ name }) => name === one.name)?.title ?? titles.get(one.name) ?? one.name }))
  const bars = titled.flatMap((one) =>
    Object.entries(panels).map(([field, panel]) => ({
      ...{ panel, title: one.title, value: one[field], shown: shown(one[field]) },
      kind: one.name === 'lapidary' ? 'Lapidary' : 'Node.js',
    })),
  )
  return barPlot(bars, {
    title: `Type-checking ${largest} endpoints, their handlers and a call of each`,
    subtitle: `less is better; ${subtitle}`,
    panels: Object.values(panels),
    order: titled.map(({ title }) => title),
    ...{ columns: 3, apart: true },
  })
}
