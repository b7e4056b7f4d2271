/** CPU time a request, as a plot. */
import { createBarPlot } from './bars.mjs'
import { getKind } from './kind.mjs'

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
 * @param {ReturnType<typeof import('../report.mjs').summarize>} summary
 * @param {readonly import('../frameworks.mjs').Framework[]} frameworks
 * @param {string} subtitle
 */
export function createSpeedPlot(summary, frameworks, subtitle) {
  const bars = summary.map(({ workload, server, ratio, low, high }) => {
    const framework = frameworks.find(({ name }) => name === server) ?? frameworks[0]
    return { panel: panels[workload], title: framework.title, kind: getKind(framework), value: ratio, label: ratio.toFixed(2), low, high }
  })
  return createBarPlot(bars, {
    title: 'Requests for the same CPU time, relative to node:http by hand',
    subtitle: `more is better; the line in each bar: all rounds; ${subtitle}`,
    panels: Object.values(panels),
    order: frameworks.map(({ title }) => title),
    ...{ columns: 5, one: 1 },
  })
}
