/** CPU time a request, as a plot. */
import { barPlot } from './bars.mjs'
import { kindOf } from './kind.mjs'

const panels = {
  hello: 'one query parameter',
  position: 'two integer captures',
  marketing: 'a JSON body, validated',
  users100: '100 users as JSON',
  users1000: '1,000 users as JSON',
  sqlite: '100 users from SQLite',
  unchanged: 'not modified (304)',
  missing: 'not found (404)',
  page: 'page, count, link (SQLite)',
  stream: '10,000 lines, streamed',
}

/**
 * @param {ReturnType<typeof import('../report.mjs').summaryOf>} summary
 * @param {readonly import('../contestants.mjs').Contestant[]} contestants
 * @param {string} subtitle
 */
export function speedPlot(summary, contestants, subtitle) {
  const bars = summary.map(({ workload, server, ratio, low, high }) => {
    const contestant = contestants.find(({ name }) => name === server) ?? contestants[0]
    return { panel: panels[workload], title: contestant.title, kind: kindOf(contestant), value: ratio, shown: ratio.toFixed(2), low, high }
  })
  return barPlot(bars, {
    title: 'Requests for the same CPU time, relative to node:http by hand',
    subtitle: `more is better; the line in each bar: all rounds; ${subtitle}`,
    panels: Object.values(panels),
    order: contestants.map(({ title }) => title),
    ...{ columns: 5, one: 1 },
  })
}
