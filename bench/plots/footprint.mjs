/** What a server costs besides requests, as a plot. */
import { createBarPlot, formatValue } from './bars.mjs'
import { getKind } from './kind.mjs'

const panels = { cpu: 'cold start, ms of CPU', loaded: 'memory after a load, MB', installed: 'installed, MB' }

/**
 * @param {readonly { server: string, cpu: number, loaded: number, installed: number }[]} summary
 * @param {readonly import('../frameworks.mjs').Framework[]} frameworks
 * @param {string} subtitle
 */
export function createFootprintPlot(summary, frameworks, subtitle) {
  const bars = summary.flatMap((one, index) =>
    Object.entries(panels).map(([field, panel]) => ({
      ...{ panel, title: frameworks[index].title, kind: getKind(frameworks[index]), value: one[field], label: formatValue(one[field]) },
    })),
  )
  return createBarPlot(bars, {
    title: 'What a server costs besides requests',
    subtitle: `less is better; ${subtitle}`,
    panels: Object.values(panels),
    order: frameworks.map(({ title }) => title),
    ...{ columns: 3, apart: true },
  })
}
