/** A report contains no credentials, however they are written. */
import { checkServer, formatReport, rules } from '@lapidary/testing'
import fc from 'fast-check'
import { apiKey, basic, endpoint, ok, text } from 'lapidary'
import { percentEncode } from 'lapidary/internal'
import { listen } from 'lapidary/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCheckReport } from '../../../cli/src/report/checkReport.ts'
import { formatGitHub } from '../../../cli/src/report/formats/github.ts'
import { formatJUnit } from '../../../cli/src/report/formats/junit.ts'
import { formatMarkdown } from '../../../cli/src/report/formats/markdown.ts'
import { formatSarif } from '../../../cli/src/report/formats/sarif.ts'
import { createRedactor } from '../../src/check/secrets.ts'
import { quoteForShell } from '../../src/check/shellBytes.ts'

const escapeHtml = (secret: string): string =>
  secret.replace(/[&<>"']/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character] ?? '')

const quoteInJson = (secret: string): string => JSON.stringify(secret).slice(1, -1)

/** How a report may write a text. A lone surrogate has no bytes. */
const spellings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  'quoted for a shell': (secret) => quoteForShell(secret).slice(1, -1),
  'percent-encoded as the client does': percentEncode,
  'percent-encoded by encodeURIComponent': (secret) => encodeURIComponent(secret.toWellFormed()),
  'percent-encoded twice': (secret) => percentEncode(percentEncode(secret)),
  // The parser removes some white space, and ends the part at other characters.
  'the query of a URL': (secret) => new URL(`http://a.example/?${secret.replace(/[#\t\r\n]/g, percentEncode)}-`).search.slice(1, -1),
  'the path of a URL': (secret) => new URL(`http://a.example/-${secret.replace(/[/\\?#\t\r\n]/g, percentEncode)}-`).pathname.slice(2, -1),
  'a field of a form': (secret) => new URLSearchParams({ '': secret }).toString().slice(1),
  'escaped in JSON': quoteInJson,
  'escaped in JSON within JSON': (secret) => quoteInJson(quoteInJson(secret)),
  'escaped in JSON, in ASCII': (secret) =>
    quoteInJson(secret).replace(/[^\0-~]|[<>&'/]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'escaped in JSON, quoted for a shell': (secret) => quoteForShell(quoteInJson(secret)).slice(1, -1),
  'escaped in HTML': escapeHtml,
}

/** Texts with the characters that have several spellings. Three asterisks stand for a secret in a report. */
const credentials = fc
  .string({
    unit: fc.oneof(fc.constantFrom(...`'"\\ %+/&=<>!*()~;:,#?é\u20ac`), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
    minLength: 4,
  })
  .map((secret) => secret.replaceAll('\0', '').trim())
  .filter((secret) => secret.length >= 4 && !secret.includes('**') && secret.isWellFormed())

test.each(Object.entries(spellings))('a credential of four characters and more is found where it is %s', (_, spell) => {
  fc.assert(
    fc.property(credentials, (secret) => {
      const redact = createRedactor({ credentials: [secret], written: [], headers: {}, schemes: [] })
      expect(redact(`\n{${spell(secret)}}\n`)).toBe('\n{***}\n')
    }),
    { numRuns: 200 },
  )
})

test('a long text is searched in linear time', () => {
  const redact = createRedactor({
    credentials: ['\\\\"\\\\"\\"', '"\'"\'"\'', '%%%%%%', '    a    b'],
    written: [],
    headers: {},
    schemes: [],
  })
  const start = performance.now()
  for (const part of ['\\', '"', "'", '%', '%25', ' ', '\\"']) redact(part.repeat(100_000))
  expect(performance.now() - start).toBeLessThan(2_000)
})

const endpoints = {
  header: endpoint('GET /header', { auth: apiKey({ in: 'header', name: 'X-Key' }), response: ok(text) }),
  cookie: endpoint('GET /cookie', { auth: apiKey({ in: 'cookie', name: 'session' }), response: ok(text) }),
  query: endpoint('GET /query', { auth: apiKey({ in: 'query', name: 'key' }), response: ok(text) }),
  password: endpoint('GET /password', { auth: basic('people'), response: ok(text) }),
}

/** A server that tells everything to everybody, as it was sent and decoded. */
let url = ''
let close: () => Promise<unknown>
beforeAll(async () => {
  const server = await listen((request) => {
    const { target } = request
    const seen = ['x-key', 'cookie', 'authorization'].map((name) => request.header(name) ?? '')
    const [, pair = ''] = /^Basic (.*)/.exec(seen[2] ?? '') ?? []
    const { search, searchParams } = new URL(target, 'http://a.example')
    const body = [target, ...seen, Buffer.from(pair, 'base64').toString(), search, searchParams.get('key')]
    return {
      status: 500,
      headers: ['Content-Type', 'application/json', 'X-Seen', encodeURIComponent(seen.join(' '))],
      body: JSON.stringify(body),
    }
  })
  url = server.url
  close = () => server.close({ drain: 0, grace: 0 })
})
afterAll(() => close())

/** The report of a check with a credential, in all formats. */
async function report(secret: string): Promise<string> {
  const people = { username: 'ann', password: secret }
  const result = await checkServer(endpoints, url, {
    ...{ requests: 60, seed: 1 },
    credentials: { people, key: secret, ...(/^[\x20-\x7e\xa0-\xff]+$/.test(secret) ? { 'X-Key': secret, session: secret } : {}) },
  })
  expect(result.failures.length).toBeGreaterThan(2)
  const report = createCheckReport({ report: result, rules, locate: () => ({ file: 'api.ts', line: 1 }), scriptFile: undefined })
  const formats = [formatGitHub, formatJUnit, formatMarkdown, formatSarif].map((format) => format(report))
  return [JSON.stringify(result, null, 2), formatReport(result), ...formats].join('\n')
}

test('no format of a report contains a credential of four characters and more', async () => {
  const usual = await report('another credential')
  // A user and a password are text without control characters.
  const printable = credentials.filter((secret) => !/\p{Cc}/u.test(secret))
  await fc.assert(
    fc.asyncProperty(printable, async (secret) => {
      const written = [...Object.values(spellings).map((spell) => spell(secret)), Buffer.from(`ann:${secret}`).toString('base64')]
      const all = await report(secret)
      expect(written.filter((one) => all.includes(one) && !usual.includes(one))).toEqual([])
    }),
    { numRuns: 25 },
  )
})
