/** What a server costs besides requests, as a plot. */
import { barPlot, shown } from './bars.mjs'
import { kindOf } from './kind.mjs'

const panels = { cpu: 'cold start, ms of CPU', loaded: 'memory after a load, MB', installed: 'installed, MB' }

/**
 * @param {readonly { server: string, cpu: number, loaded: number, installed: number }[]} measured
 * @param {readonly import('../contestants.mjs').Contestant[]} contestants
 * @param {string} subtitle
 */
export function footprintPlot(measured, contestants, subtitle) {
  const bars = measured.flatMap((one, index) =>
    Object.entries(panels).map(([field, panel]) => ({
      ...{ panel, title: contestants[index].title, kind: kindOf(contestants[index]), value: one[field], shown: shown(one[field]) },
    })),
  )
  return barPlot(bars, {
    title: 'What a server costs besides requests',
    subtitle: `less is better; ${subtitle}`,
    panels: Object.values(panels),
    order: contestants.map(({ title }) => title),
    ...{ columns: 3, apart: true },
  })
}
