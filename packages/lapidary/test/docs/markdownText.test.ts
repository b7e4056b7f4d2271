/** No text changes the structure of the document. */
import fc from 'fast-check'
import { basic, bytes, codec, endpoint, int, mediaType, mount, ok, optional, reply, text, withHeaders } from 'lapidary'
import { markdown, outline } from 'lapidary/docs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyParameter } from '../../src/contract/parameters/parameter.ts'
import {
  endWithPeriod,
  formatBullet,
  formatCode,
  formatFence,
  formatHeading,
  formatInline,
  formatParagraph,
  formatPlain,
} from '../../src/docs/markdownText.ts'
import { samples } from '../support/samples.ts'

/** The headings of a document, as a reader of CommonMark sees them: none inside a fence, ATX or setext, at the margin or in lists and quotations. */
function headings(document: string): readonly string[] {
  const found: string[] = []
  let fence: string | undefined
  let before = ''
  for (const line of document.split(/\r\n|\r|\n/)) {
    const content = line.replace(/^(?:\s|[-+*>](?=\s|$)|\d{1,9}[.)](?=\s|$))*/, '')
    const opening = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(content)?.[1]
    if (fence !== undefined) {
      if (opening !== undefined && content.trim() === opening && opening.startsWith(fence)) fence = undefined
      continue
    }
    if (opening !== undefined) fence = opening
    else if (/^#{1,6}(\s|$)/.test(content)) found.push(content)
    else if (before.trim() !== '' && /^\s*(=+|-+)\s*$/.test(line)) found.push(`setext ${line}`)
    before = line
  }
  expect(fence).toBeUndefined()
  return found
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '\n',
          '\r',
          '\r\n',
          '\n\n',
          ' ',
          '    ',
          '\t',
          '\\',
          '`',
          '```',
          '````',
          '~~~',
          '#',
          '## GET /fake',
          '### Errors',
          '>',
          '|',
        ),
        fc.constantFrom(
          '---',
          '===',
          '- ',
          '* ',
          '1. ',
          '+ ',
          '<!--',
          '<script>',
          '<h2>',
          '-->',
          '[a]: /b',
          '**',
          '|-|-|',
          '\u2028',
          'words',
          '```json',
        ),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
)

/** What a head can carry of a text: a server with anything else does not start. */
const toHeaderText = (given: string): string => given.replace(/[^\x20-\x7e\x80-\xff]/g, ' ')

const documented = async (one: string, other: string): Promise<string> => {
  const parameter = codec({ name: one, parse: (given) => given, print: (given) => given, schema: {}, example: other, description: other })
  const framed = mediaType<string>({ types: ['text/x'], framing: one, writer: () => () => other })
  const query: Record<string, AnyParameter> = { [one]: parameter, [other]: optional(int, { description: one }) }
  const api = {
    one: endpoint('POST /one/:capture', {
      params: { capture: parameter },
      query,
      headers: { 'X-One': parameter },
      auth: {
        ...basic(one),
        challenge: `${toHeaderText(other)} realm="${toHeaderText(one)}"`,
        description: other,
        headers: () => ({ 'X-Key': one }),
      },
      body: text,
      response: ok(text, { headers: { 'X-Two': parameter }, description: other }),
      errors: [
        reply(404, bytes, { headers: {}, description: one }),
        reply(409, undefined, { headers: { 'X-Three': parameter }, description: other }),
      ],
      responseHeaders: { 'X-Four': toHeaderText(one) },
      summary: other,
      description: one,
      examples: { body: one, response: withHeaders(other, { 'X-Two': one }) },
    }),
    two: endpoint('GET /two', {
      query,
      response: ok(framed),
      errors: [reply(409, undefined, { headers: { 'X-Three': parameter }, description: other })],
    }),
    three: mount('/three', { description: other }),
  }
  return markdown(await outline(api, { title: 'Title', introductions: [{ title: 'Intro', paragraphs: [one, other] }] }))
}

const expected = [
  '# Title',
  '## Intro',
  '## What endpoints have in common',
  '### Errors',
  '## POST /one/:capture',
  '### Authentication',
  '### Captures',
  '### Query parameters',
  '### Headers',
  '### Request',
  '### Response',
  '### Errors',
  '## GET /two',
  '### Query parameters',
  '### Response',
  '### Errors',
  '## Everything under /three',
]

test('hostile texts add no heading and remove none', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (one, other) => {
      expect(headings(await documented(one, other))).toEqual(expected)
    }),
    { numRuns: samples(1_000) },
  )
})

test('a hostile title stays one heading', () => {
  fc.assert(
    fc.property(hostile, (title) => {
      const document = markdown({
        title: '',
        introductions: [{ title: `T${title}`, paragraphs: ['Words.'] }],
        errorExample: null,
        sections: [],
      })
      expect(headings(document)).toHaveLength(1)
      expect(document.split('\n')).toHaveLength(4)
    }),
    { numRuns: samples(2_000) },
  )
})

test('no HTML and no comment begins outside of code', async () => {
  const document = await documented('<script>alert(1)</script>', 'a <!-- b\n<h2>Fake</h2>')
  const prose = document.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`]*`/g, '')
  expect(prose).not.toMatch(/(?<!\\)<[a-z/!?]/i)
})

test.each([
  ['emphasis, `<code>` and <https://example.org/>', 'emphasis, `<code>` and <https://example.org/>'],
  ['- one\n- two', '- one\n- two'],
  ['a < b', 'a < b'],
  ['an `open backtick', 'an \\`open backtick'],
  ['# not a heading', '\\# not a heading'],
  ['Words\n---', 'Words\n\\---'],
  ['- > # deep', '- \\> # deep'],
  ['<b>', '\\<b>'],
  ['<?php', '\\<?php'],
  ['<!-- a', '\\<!-- a'],
  ['\\<b> and `` a`<b> ``', '\\<b> and `` a`<b> ``'],
  ['  a  ', 'a'],
  ['~~~\na', '\\~~~\na'],
  ['> a', '\\> a'],
  ['Words\n===', 'Words\n\\==='],
  ['12. # deep', '12. \\# deep'],
  ['[more than nine letters]: /b', '\\[more than nine letters]: /b'],
])('the paragraph %j is rendered as %j', (given, printed) => {
  expect(markdown({ title: '', introductions: [{ title: 'T', paragraphs: [given] }], errorExample: null, sections: [] })).toBe(
    `## T\n\n${printed}\n`,
  )
})

test.each<[form: string, printed: string, expected: string]>([
  ['a code span', formatCode('a'), '`a`'],
  ['a code span with backticks', formatCode('a``b`c'), '```a``b`c```'],
  ['a code span that begins with a backtick', formatCode('`a'), '`` `a ``'],
  ['a code span that ends with a backtick', formatCode('a`'), '`` a` ``'],
  ['a code span that begins with a space', formatCode(' a'), '`  a `'],
  ['a code span that ends with a space', formatCode('a '), '` a  `'],
  ['a code span of two lines', formatCode('a\n\tb'), '`a b`'],
  ['a fence', formatFence('a\r\nb\rc\n', 'json'), '```json\na\nb\nc\n```'],
  ['a fence that ends with an empty line', formatFence('a\n\n', ''), '```\na\n\n```'],
  ['a fence around one', formatFence('```', ''), '````\n```\n````'],
  ['a fence of an odd language', formatFence('a', 'x-y+z.1 `\n<b>'), '```x-y+z.1b\na\n```'],
  ['a plain text', formatPlain(' a\n\\ ` * _ [b] <c> & ~ '), 'a \\\\ \\` \\* \\_ \\[b\\] \\<c> \\& \\~'],
  ['a text in a line', formatInline(' a\n <b> *c* '), 'a \\<b> *c*'],
  ['a heading that would be closed', formatHeading(2, 'C ##'), '## C \\##'],
  ['an item of two paragraphs', formatBullet('a\n\nb'), '- a\n\n  b'],
  ['a sentence', endWithPeriod('a'), 'a.'],
  ['a question', endWithPeriod('a?'), 'a?'],
  ['an exclamation', endWithPeriod('a!'), 'a!'],
])('%s', (_form, printed, expected) => {
  expect(printed).toBe(expected)
})

test('a fence is longer than any inside, and contains the exact body', async () => {
  const body = '```json\n{}\n```\n````'
  const document = markdown(await outline({ one: endpoint('GET /', { response: ok(text), examples: { response: body } }) }))
  expect(document).toContain(`\`\`\`\`\`text\n${body}\n\`\`\`\`\`\n`)
})

test.each(['\r\n', '\r', '\u0085', '\u2028', '\u2029'])(
  'the line separator %j becomes a line feed in a paragraph, after which no block begins',
  (end) => {
    expect(formatParagraph(`one${end}# two${end}> three`)).toBe('one\n\\# two\n\\> three')
  },
)

test('a link reference definition is escaped, also one whose label has an escaped bracket', () => {
  expect(formatParagraph('[a]: https://example.com/')).toBe('\\[a]: https://example.com/')
  expect(formatParagraph('[a\\]]: https://example.com/')).toBe('\\[a\\]]: https://example.com/')
  expect(formatParagraph('[a] and [b]')).toBe('[a] and [b]')
})

/** What a reader of CommonMark sees of a line without links: escapes resolved, and the signs of code and emphasis gone. */
const asSeen = (line: string): string =>
  line
    .replace(/(?<!\\)(`+) ?(.*?) ?\1(?!`)/g, (_, __, code: string) => code.replaceAll('\\', '\\\\').replace(/[*_]/g, '\\$&'))
    .replace(/(?<![\\\w])(\*|_)(?=\S)(.*?\S)\1(?!\w)/g, '$2')
    .replace(/(?<!\\)\*([^*\\]+)\*/g, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')

test.each([
  ['^\\d+\\.\\d+$', '1.5'],
  ['^a*b*_c_$', '_c_'],
  ['^\\[x\\]\\*$', '[x]*'],
  ['^`<b>`&lt;$', '`<b>`&lt;'],
  ['^[\\w-.]+$', 'a'],
])('a pattern and a default are seen as they are: %s', async (pattern, value) => {
  const bounded = text({ pattern: new RegExp(pattern), examples: [value] })
  const query = { bounded, filled: text({ default: value }), body: z.string().regex(new RegExp(pattern)) }
  const lines = markdown(await outline({ get: endpoint('GET /', { query, response: ok(text) }) })).split('\n')
  const seen = (name: string): string => asSeen(lines.find((line) => line.startsWith(`- \`${name}\``)) ?? '')
  expect(seen('bounded')).toContain(`- bounded (text that matches ${pattern}, required)`)
  expect(seen('body')).toContain(`- body (text that matches ${pattern}, required)`)
  expect(seen('filled')).toContain(`- filled (text, default ${value})`)
})
