/** What the compiler does for an API, as a plot. */
import { frameworks } from '../frameworks.mjs'
import { createBarPlot, formatValue } from './bars.mjs'

/** The titles of programs that no other benchmark measures. */
const titles = new Map([
  ['orpc2', 'oRPC 2, beta'],
  ['effect4', 'Effect 4'],
])

/**
 * @param {readonly { name: string, endpoints: number, instantiations: number, seconds: number, megabytes: number }[]} summary
 * @param {string} subtitle
 */
export function createTypesPlot(summary, subtitle) {
  const largest = Math.max(...summary.map(({ endpoints }) => endpoints))
  const panels = { instantiations: 'instantiations an endpoint', seconds: 'seconds', megabytes: 'memory, MB' }
  const programs = summary
    .filter(({ endpoints }) => endpoints === largest)
    .map((one) => ({ ...one, title: frameworks.find(({ name }) => name === one.name)?.title ?? titles.get(one.name) ?? one.name }))
  const bars = programs.flatMap((one) =>
    Object.entries(panels).map(([field, panel]) => ({
      ...{ panel, title: one.title, value: one[field], label: formatValue(one[field]) },
      kind: one.name === 'lapidary' ? 'Lapidary' : 'Node.js',
    })),
  )
  return createBarPlot(bars, {
    title: `Type-checking ${largest} endpoints, their handlers and a call of each`,
    subtitle: `less is better; ${subtitle}`,
    panels: Object.values(panels),
    order: programs.map(({ title }) => title),
    ...{ columns: 3, apart: true },
  })
}
