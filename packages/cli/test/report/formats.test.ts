/** `--format`: what each form says of the same findings, and that text from elsewhere stays text in it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeControls } from '@lapidary/testing/internal'
import { describe, expect, test } from 'vitest'
import type { CliContext } from '../../src/context.ts'
import { formatGitHub } from '../../src/report/formats/github.ts'
import { formatJUnit } from '../../src/report/formats/junit.ts'
import { formatMarkdown } from '../../src/report/formats/markdown.ts'
import { formatSarif } from '../../src/report/formats/sarif.ts'
import { writeReport } from '../../src/report/formats.ts'
import type { Report, ReportFinding } from '../../src/report/report.ts'
import { folder, lapidary } from '../support/runCli.ts'

const finding: ReportFinding = {
  rule: 'query-changed',
  severity: 'error',
  endpoint: 'users.list',
  route: 'GET /users',
  title: 'query sort changed',
  message: 'New servers expect one of age.',
  details: '',
  location: { file: 'src/api.ts', line: 7 },
  isAllowed: false,
}
const reportOf = (...findings: readonly Partial<ReportFinding>[]): Report => ({
  command: 'diff',
  subject: 'src/api.ts at main..HEAD',
  summary: '1 change breaks clients.',
  remark: 'It is major.',
  rules: [{ name: 'query-changed', description: 'A query parameter has changed.' }],
  findings: findings.map((one) => ({ ...finding, ...one })),
  passed: [{ rule: 'status', endpoint: 'users.item', route: 'GET /users/:id' }],
  skipped: [{ rule: 'accept', endpoint: 'users.item', route: 'GET /users/:id', reason: 'the budget was used up' }],
  milliseconds: 1_500,
  formatText: () => 'text\n',
  data: [],
})

describe('github', () => {
  test('errors and warnings are annotations of a line', () => {
    const report = reportOf({}, { severity: 'warning', details: 'curl x' }, { severity: 'note' })
    expect(formatGitHub(report)).toBe(
      [
        '::error file=src/api.ts,line=7,title=GET /users%3A query sort changed::New servers expect one of age.\n',
        '::warning file=src/api.ts,line=7,title=GET /users%3A query sort changed::New servers expect one of age.%0A%0Acurl x\n',
      ].join(''),
    )
  })

  test('no text of a description or a server starts another command', () => {
    const hostile = '\r\n::stop-commands::x\n::set-env name=A::b, c:d 100%'
    const lines = formatGitHub(reportOf({ message: hostile, title: hostile, details: hostile, route: hostile }))
      .trimEnd()
      .split(/[\r\n]/)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('title=\\u000d%0A%3A%3Astop-commands%3A%3Ax%0A%3A%3Aset-env name=A%3A%3Ab%2C c%3Ad 100%25')
  })
})

describe('no form has a command for the runner of a workflow, or for a terminal', () => {
  const hostile = 'x\n::error::a\n \u00a0::add-mask::b\r::set-output name=c::d\n\u001b[31m\n see ##[error]e ##vso[task.setvariable]f'

  test.each(['text', 'json', 'markdown', 'github', 'sarif', 'junit'])('%s', async (name) => {
    const report: Report = {
      ...reportOf({ message: hostile, details: hostile, title: hostile, route: hostile, endpoint: hostile }),
      formatText: () => `${escapeControls(hostile)}\n`,
      data: [hostile],
    }
    let text = ''
    const output = {
      write(chunk: string, done: () => void) {
        text += chunk
        done()
      },
    }
    await writeReport(report, [{ name, file: undefined }], { output, env: {}, cwd: '.' } as unknown as CliContext)
    const commands = text.split(/[\r\n]/).filter((line) => /^\s*::/.test(line) || /##\w*\[/.test(line))
    expect(commands.filter((line) => name !== 'github' || !line.startsWith('::error file='))).toEqual([])
    expect(text).not.toContain('\u001b')
    if (name === 'json') expect(JSON.parse(text)).toEqual([hostile])
  })
})

describe('markdown', () => {
  test('what breaks is first, what is safe is folded away', () => {
    const safe = { severity: 'note', title: 'query limit added', message: 'It is optional.' } as const
    const text = formatMarkdown(reportOf(safe, { severity: 'warning', title: 'auth changed' }, { details: 'GET /users?sort=name' }))
    expect(text.startsWith('<!-- lapidary diff -->\n\n### ❌ 1 change breaks clients.\n\n`src/api.ts at main..HEAD` It is major.\n')).toBe(
      true,
    )
    expect(text.indexOf('| ❌ | `GET /users` | `query sort changed` |')).toBeLessThan(text.indexOf('| ⚠️ |'))
    expect(text).toContain('<details>\n<summary>1 change is safe or allowed</summary>\n\n| | endpoint')
    expect(text).toContain('```text\nGET /users?sort=name\n```')
  })

  test.each([
    ['a|b', 'a\\|b'],
    ['@ann and #12', '@<!-- -->ann and #<!-- -->12'],
    ['<img src=x>', '&lt;img src=x>'],
    ['`code` *bold* _it_ snake_case', '\\`code\\` \\*bold\\* \\_it\\_ snake_case'],
    ['[x](http://x)', '\\[x\\](http:<!-- -->//x)'],
    ['two\nlines', 'two lines'],
    ['$x$ &amp;', '\\$x\\$ &amp;amp;'],
  ])('%j is text in a cell', (message, expected) => {
    expect(formatMarkdown(reportOf({ message }))).toContain(`| ${expected} |\n`)
  })

  test.each([
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['a|b', '`a\\|b`'],
  ])('%j is code', (title, expected) => {
    expect(formatMarkdown(reportOf({ title }))).toContain(`| ${expected} |`)
  })

  test('a body with a fence of its own stays in its block', () => {
    expect(formatMarkdown(reportOf({ details: '```\n# out\n```' }))).toContain('````text\n```\n# out\n```\n````')
  })

  test('a comment is shorter than GitHub allows', () => {
    const many = Array.from({ length: 400 }, () => ({ details: 'x'.repeat(1_000) }))
    const text = formatMarkdown(reportOf(...many))
    expect(text.length).toBeLessThan(65_536)
    expect(text).toContain('and 300 more.')
    const long = '@a'.repeat(5_000)
    const places = Array.from({ length: 900 }, (_, index) => ({ cause: 'one', route: `GET /${index}/${long}`, title: long, message: long }))
    const other = formatMarkdown(
      reportOf(...places, ...places.map((one) => ({ ...one, cause: 'other', severity: 'note' as const, details: 'x' }))),
    )
    expect(other.length).toBeLessThan(65_536)
    expect(other).toContain('<br>and 890 more | `query-changed` |')
  })
})

test('sarif: a result has its rule, its level, its place and a fingerprint that does not depend on the line', () => {
  const read = (report: Report) => JSON.parse(formatSarif(report)).runs[0]
  const { results, tool } = read(reportOf({}, { severity: 'note', isAllowed: true }))
  expect(tool.driver.rules).toEqual([{ id: 'query-changed', shortDescription: { text: 'A query parameter has changed.' } }])
  expect(results[0]).toMatchObject({
    ruleId: 'query-changed',
    ruleIndex: 0,
    level: 'error',
    locations: [{ physicalLocation: { artifactLocation: { uri: 'src/api.ts' }, region: { startLine: 7 } } }],
  })
  expect(results[1]).toMatchObject({ level: 'note', suppressions: [{ kind: 'external' }] })
  const moved = read(reportOf({ location: { file: 'src/api.ts', line: 90 } })).results[0]
  expect(moved.partialFingerprints).toEqual(results[0].partialFingerprints)
})

test('sarif: two findings of one cause at one endpoint have two fingerprints, and the same ones in the next run', () => {
  const list = (...findings: readonly Partial<ReportFinding>[]): readonly string[] =>
    JSON.parse(formatSarif(reportOf(...findings))).runs[0].results.map(
      ({ partialFingerprints }: { readonly partialFingerprints: object }) => Object.values(partialFingerprints)[0],
    )
  const one = { cause: 'got 500', title: 'no-server-error 1' }
  const other = { cause: 'got 500', title: 'no-server-error 2' }
  const fingerprints = list(one, other, { ...one, route: 'GET /keepers' })
  expect(new Set(fingerprints).size).toBe(3)
  expect(list(one, other)).toEqual(fingerprints.slice(0, 2))
  expect(list(one)).toEqual(fingerprints.slice(0, 1))
})

test('junit: errors are failures, the rest are test cases', () => {
  const xml = formatJUnit(reportOf({ message: 'a "b" <c> \u0000', details: 'curl &' }, { severity: 'note', title: 'query limit added' }))
  expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="src/api.ts at main..HEAD" tests="4" failures="1" skipped="1" time="1.5">
  <testsuite name="GET /users/:id" tests="2" failures="0" skipped="1">
    <testcase classname="users.item" name="status"/>
    <testcase classname="users.item" name="accept">
      <skipped message="the budget was used up"/>
    </testcase>
  </testsuite>
  <testsuite name="GET /users" tests="2" failures="1" skipped="0">
    <testcase classname="users.list" name="query sort changed">
      <failure message="a &quot;b&quot; &lt;c&gt; \\u0000">curl &amp;</failure>
    </testcase>
    <testcase classname="users.list" name="query limit added">
      <system-out>note: New servers expect one of age.</system-out>
    </testcase>
  </testsuite>
</testsuites>
`)
})

test('a run writes one form to standard output, and others to files', async () => {
  const own = folder()
  const words = ['diff', 'smallApi.ts', 'smallApi.ts', '--format', `junit=${join(own, 'a=b.xml')}`, '--format', 'markdown']
  const { code, output } = await lapidary(words)
  expect({ code, head: output.split('\n')[0] }).toEqual({ code: 0, head: '<!-- lapidary diff -->' })
  expect(readFileSync(join(own, 'a=b.xml'), 'utf8')).toContain('<testsuites name="smallApi.ts → smallApi.ts" tests="0"')
})

test.each([
  [['--format', 'xml'], '--format: expected one of text, json, markdown, github, sarif, junit, or one of them with a file'],
  [['--format', 'text='], '--format: expected one of'],
  [['--format', 'constructor'], '--format: expected one of'],
  [['--format', 'text', '--format', 'json'], '--format: text and json cannot both go to standard output.'],
  [['--semver', '--format', 'json'], '--semver prints one word: leave out --format.'],
])('%j is rejected', async (words, message) => {
  const { code, output, errors } = await lapidary(['diff', 'smallApi.ts', 'smallApi.ts', ...words])
  expect({ code, output }).toEqual({ code: 2, output: '' })
  expect(errors).toContain(message)
})
