/** The time that a report takes grows with the number of its findings, and not with its square. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CheckReport, formatReport, type RuleFailure } from '@lapidary/testing'
import { expect, onTestFinished, test } from 'vitest'
import { createCheckReport } from '../../src/report/checkReport.ts'
import { formatGitHub } from '../../src/report/formats/github.ts'
import { formatJUnit } from '../../src/report/formats/junit.ts'
import { formatMarkdown } from '../../src/report/formats/markdown.ts'
import { formatSarif } from '../../src/report/formats/sarif.ts'
import { createLocator } from '../../src/report/locate.ts'

const failuresOfEndpoint = 30

function createReport(count: number, getCause: (index: number) => string): CheckReport {
  const failures = Array.from({ length: count }, (_, index): RuleFailure => {
    const endpoint = Math.floor(index / failuresOfEndpoint)
    return {
      ...{
        rule: `rule${index % 10}`,
        cause: getCause(index),
        description: '',
        endpoint: `get${endpoint}`,
        route: `GET /stones${endpoint}`,
      },
      ...{ violation: `violation ${index}`, curl: 'curl', response: 'HTTP/1.1 500', shrinks: 1, steps: [], script: null, more: 0 },
    }
  })
  const endpoints = Array.from({ length: Math.ceil(count / failuresOfEndpoint) }, (_, index) => ({
    ...{ endpoint: `get${index}`, route: `GET /stones${index}`, requests: 1, passed: ['kept'], notTested: ['left', 'out'] },
    ...{
      failures: failures.slice(index * failuresOfEndpoint, (index + 1) * failuresOfEndpoint),
      skipReason: `reason ${index}`,
      statuses: [],
    },
  }))
  return {
    ...{ base: 'http://127.0.0.1', seed: 1, requests: 1, milliseconds: 1, endpoints, sequences: [], failures },
    ...{ isOverBudget: false, responses: 1, outage: '', isElsewhere: false, leftBehind: [], areCredentialsRefused: false },
  }
}

const locate = (): { readonly file: string; readonly line: number } => ({ file: 'api.json', line: 1 })

/** Far more than it takes, and far less than with the square of the findings. */
const maxMilliseconds = 20_000

test.each([
  ['each alone', (index: number) => `cause ${index}`],
  ['all of one cause', () => 'cause'],
])('50,000 findings, %s, are written in every form', { timeout: 60_000 }, (_, getCause) => {
  const report = createReport(50_000, getCause)
  const start = performance.now()
  const findings = createCheckReport({ report, rules: [], locate, scriptFile: undefined })
  const texts = [formatReport(report), ...[formatMarkdown, formatGitHub, formatSarif, formatJUnit].map((format) => format(findings))]
  expect(performance.now() - start).toBeLessThan(maxMilliseconds)
  expect(texts.every(({ length }) => length > 0)).toBe(true)
  // GitHub accepts a comment of this size.
  expect(texts[1]?.length).toBeLessThan(65_536)
  expect(findings.findings[10]?.title).toBe('rule0 2')
  expect(findings.skipped.at(-1)?.reason).toBe(`reason ${report.endpoints.length - 1}`)
})

test('endpoints are found in a large document', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const operation = { description: 'x', parameters: Array.from({ length: 120 }, (_, index) => ({ name: `p${index}`, in: 'query' })) }
  const paths = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`/things${index}/{id}`, { get: operation }]))
  const path = join(folder, 'api.json')
  writeFileSync(path, JSON.stringify({ openapi: '3.1.0', paths }, null, 2))
  const start = performance.now()
  const find = createLocator(path, folder)
  const lines = Array.from({ length: 5_000 }, (_, index) => find(`get${index}`, `GET /v1/things${index}/:thingId`).line)
  expect(performance.now() - start).toBeLessThan(maxMilliseconds)
  expect(lines[0]).toBe(5)
  expect(new Set(lines.slice(0, 1_000)).size).toBe(1_000)
  expect(new Set(lines.slice(1_000))).toEqual(new Set([1]))
})
