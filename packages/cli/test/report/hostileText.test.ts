/** Text of servers and documents is only text in a report: no link, no image, no mention, no HTML, and no character that hides others. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCheckReport } from '../../src/report/checkReport.ts'
import { formatMarkdown } from '../../src/report/formats/markdown.ts'
import { formatSarif } from '../../src/report/formats/sarif.ts'
import type { Report, ReportFinding } from '../../src/report/report.ts'

const reportOf = (text: string): Report => {
  const place = { rule: 'status', endpoint: text, route: text }
  const finding: ReportFinding = {
    ...place,
    severity: 'error',
    title: text,
    message: text,
    details: text,
    location: { file: 'api.json', line: 1 },
    isAllowed: false,
  }
  return {
    command: 'check',
    subject: text,
    summary: text,
    remark: text,
    rules: [{ name: 'status', description: text }],
    findings: [finding, { ...finding, severity: 'note', isAllowed: true }],
    passed: [place],
    skipped: [{ ...place, reason: text }],
    milliseconds: 1,
    formatText: () => '',
    data: [],
  }
}

const hostileParts = [
  ...[
    '![p](https://evil.example/p.png)',
    '[click](javascript:1)',
    '[x][y]',
    '[x]: //e',
    '<https://evil.example>',
    'https://evil.example/a',
  ],
  ...['www.evil.example', 'someone@evil.example', '@octocat', '@org/team', '#12', 'GH-12', 'octocat/stones#12', '**b**', '__b__', '_i_'],
  ...[
    '<img src=x onerror=alert(1)>',
    '</details>',
    '<!--',
    '-->',
    '<script>',
    '&lt;b>',
    '&#64;octocat',
    '$x$',
    '~~s~~',
    '\\',
    '\\\\',
    '|',
    '\\|',
  ],
  ...[
    '`',
    '``',
    '```',
    '````',
    '```text',
    '~~~',
    '\n',
    '\n\n',
    '\r\n',
    '\n# h',
    '\n- a',
    '\n| a | b |',
    '\n===',
    '\u202e',
    '\u009b',
    'é',
    'a',
    ' ',
    '_',
  ],
]
const hostileTexts = fc.oneof(
  fc.constantFrom(...hostileParts),
  fc.array(fc.constantFrom(...hostileParts), { minLength: 2, maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ maxLength: 12, unit: fc.constantFrom(...'`|\\_*[]()<>&@#~$!a1 \n') }),
)

/** Removes the blocks of code (CommonMark §4.5). */
function removeBlocks(markdown: string): readonly string[] {
  let fence = ''
  return markdown.split('\n').filter((line) => {
    const [, run = ''] = /^(`{3,})[^`]*$/.exec(line) ?? []
    if (fence === '' && run === '') return true
    if (fence === '') fence = run
    else if (line === run && run.length >= fence.length) fence = ''
    return false
  })
}

/** Replaces escaped characters and the spans of code (CommonMark §2.4 and §6.1). */
function replaceSpans(line: string): string {
  let rest = line
  let text = ''
  while (rest !== '') {
    const [run = ''] = /^`+/.exec(rest) ?? []
    const after = rest.slice(run.length)
    const end = run === '' ? null : new RegExp(`(?<!\`)${run}(?!\`)`).exec(after)
    const isEscaped = /^\\[!-/:-@[-`{-~]/.test(rest)
    text += end !== null || isEscaped ? '\u0000' : rest[0]
    rest = end !== null ? after.slice(end.index + run.length) : rest.slice(isEscaped ? 2 : 1)
  }
  return text
}

const ownMarkup = /<!-- (?:lapidary check )?-->|<\/?(?:details|summary|code)>|<br>/g

describe('markdown', () => {
  test('text is escaped or in code', () => {
    fc.assert(
      fc.property(hostileTexts, (hostile) => {
        const lines = removeBlocks(formatMarkdown(reportOf(hostile)))
        const tables = lines.filter((line) => line.startsWith('|'))
        expect(tables).toHaveLength(6)
        // Five bars, in code as well: some renderers look for them first.
        for (const row of tables.map((line) => line.replace(/\\[\\|]/g, ''))) expect(row.match(/\|/g)).toHaveLength(5)
        const text = lines.map(replaceSpans).join('\n')
        const plain = text
          .replace(/<!-- -->/g, '\u0000')
          .replace(ownMarkup, '')
          .replace(/^\|.*\|$/gm, (row) => row.slice(1, -1).replaceAll(' | ', ' '))
        expect(plain.replace(/^(?:\| ?)*-.*$/gm, '')).not.toMatch(
          /[<`*[\]~|$]|&(?!(?:amp|lt);)|[@#]\w|:\/\/|www\.|GH-\d|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/iu,
        )
        expect(lines.join('\n')).not.toMatch(/[\u0080-\u009f\u202e\r]/)
        expect(lines.filter((line) => line.startsWith('#'))).toHaveLength(1)
      }),
      { numRuns: 1_000 },
    )
  })

  test('the path of an item that is left behind is no image', () => {
    const report = createCheckReport({
      report: {
        ...{ base: 'http://127.0.0.1', seed: 1, requests: 1, milliseconds: 1, endpoints: [], sequences: [], failures: [] },
        ...{ isOverBudget: false, responses: 1, outage: '', isElsewhere: false, areCredentialsRefused: false },
        leftBehind: [{ collection: '/items', items: ['/![p](https://evil.example/p.png)'], reason: 'DELETE gets 404' }],
      },
      scriptFile: undefined,
      rules: [],
      locate: () => ({ file: 'api.json', line: 1 }),
    })
    expect(formatMarkdown(report)).toContain('/!\\[p\\](https:<!-- -->//evil.example/p.png)')
  })
})

test('sarif: text has no embedded link, and no character that hides others', () => {
  const { runs } = JSON.parse(formatSarif(reportOf('\u009b\u202e[click](https://evil.example) [1] {"a":[2]}')))
  const shown = '\\u009b\\u202e\\[click](https://evil.example) [1] {"a":[2]}'
  expect(runs[0].results[0].message.text).toBe([`${shown}: ${shown}`, shown, shown].join('\n\n'))
  expect(runs[0].results[0].locations[0].logicalLocations).toEqual([{ name: shown, fullyQualifiedName: shown }])
  expect(runs[0].tool.driver.rules[0].shortDescription.text).toBe(shown)
})
