/** The dashboard and the alert rules use metrics that exist. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { endpoint, ok, text } from 'lapidary'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { createMetrics } from '../../src/observability/metrics.ts'
import { expression } from './promql.ts'
import { type Scraped, scraped } from './scraped.ts'

const textOf = (name: string): string => readFileSync(fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url)), 'utf8')

interface Panel {
  readonly id: number
  readonly title: string
  readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}

const dashboard: { readonly panels: readonly Panel[]; readonly templating: { readonly list: readonly { readonly name: string }[] } } =
  JSON.parse(textOf('grafana-dashboard.json'))
const alerts = textOf('alerts.yml')
const rules = [
  ...alerts.matchAll(
    /^ {6}- alert: (\w+)\n {8}expr: '([^'\n]+)'\n {8}for: \d+m\n {8}labels:\n {10}severity: (?:warning|critical)\n {8}annotations:\n {10}summary: '[^'\n]+'\n {10}description: '[^'\n]+'\n/gm,
  ),
].map(([, name = '', expr = '']) => ({ name, expr }))

/** Every metric with a sample, so that its labels can be seen. */
async function everything(): Promise<Scraped> {
  const metrics = createMetrics()
  metrics.onLoginFailure('people', 'wrong')
  metrics.onOverload('main')
  metrics.store.onError('error')
  metrics.store.onPool(() => ({ idle: 1, busy: 2, waiting: 3 }))
  const broken = endpoint('POST /broken', { body: text, response: ok(text) })
  const { fetch } = serve(
    { broken },
    { broken: ({ body }) => JSON.parse(body) },
    { middleware: [metrics.requests('main')], onError: () => {} },
  )
  const request = new Request('http://a/broken', { method: 'POST', body: 'no JSON', headers: { 'Content-Type': 'text/plain' } })
  expect((await fetch(request)).status).toBe(500)
  return scraped(await metrics.text())
}
const shown = await everything()

/** What Prometheus adds to every sample. */
const added = ['job', 'instance']

function expectShown(expr: string): void {
  // Grafana fills these in.
  const { selectors, groups } = expression(expr.replaceAll('$__rate_interval', '5m'))
  expect(selectors.length).toBeGreaterThan(0)
  for (const { metric, labels } of selectors) {
    // Prometheus's own: whether the last scrape went well.
    if (metric === 'up') continue
    expect(shown.types.has(metric)).toBe(true)
    const known = [...added, ...shown.labelsOf(metric).flatMap((one) => Object.keys(one))]
    expect(known).toEqual(expect.arrayContaining([...labels, ...groups]))
  }
}

test.each(dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr, legendFormat }) => [title, expr, legendFormat])))(
  'the panel "%s" shows %s',
  (_title, expr = '', legend = '') => {
    expectShown(expr)
    const { selectors, groups } = expression(expr.replaceAll('$__rate_interval', '5m'))
    const has = groups.length > 0 ? groups : [...added, ...selectors.flatMap(({ labels }) => labels)]
    for (const [, label] of legend.matchAll(/\{\{(\w+)\}\}/g)) expect(has).toContain(label)
  },
)

test('panels have unique numbers and places, and every variable is declared', () => {
  const { panels, templating } = dashboard
  expect(panels.length).toBeGreaterThan(5)
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length)
  const used = [...textOf('grafana-dashboard.json').matchAll(/\$\{?(?!__)(\w+)/g)].map(([, name]) => name)
  expect(new Set(used)).toEqual(new Set(templating.list.map(({ name }) => name)))
})

test.each(rules)('the alert $name uses existing metrics', ({ expr }) => expectShown(expr))

test('every alert was parsed', () => {
  expect(rules.length).toBeGreaterThan(5)
  expect(rules).toHaveLength([...alerts.matchAll(/alert:/g)].length)
})

test('the names of own metrics end in their unit', () => {
  const own = [...shown.types].filter(([name]) => /^(http_server|service)_/.test(name) && !/_(bucket|sum|count)$/.test(name))
  for (const [name, type] of own) {
    if (type === 'counter') expect(name).toMatch(/_total$/)
    if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/)
    if (type === 'gauge') expect(name).not.toMatch(/_total$/)
  }
  expect(own).toHaveLength(9)
})

describe('invalid PromQL is detected', () => {
  test.each([
    'sum(rate(a[5m])',
    'sum(rate(a[5m])))',
    'rate(a[5])',
    'a{b="c"',
    'a{b}',
    'a{b="c" d="e"}',
    'a >',
    '> 1',
    'a b',
    'a / / b',
    'median(a)',
    'sum by le (a)',
    'sum by (le)',
    'a; b',
  ])('%s', (text) => {
    expect(() => expression(text)).toThrow(text)
  })
})
