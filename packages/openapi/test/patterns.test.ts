/** Patterns of documents: each is matched as `RegExp` does, in a time that grows with the length of the text alone, or left out with a limit. */
import { createContext, Script } from 'node:vm'
import { fromOpenApi, type LimitKind } from '@lapidary/openapi'
import { mock } from '@lapidary/testing'
import * as fc from 'fast-check'
import { compilePattern } from 'lapidary/internal'
import { describe, expect, test } from 'vitest'
import { PatternGuard } from '../src/patterns/guardPattern.ts'

type Json = Readonly<Record<string, unknown>>

function readDocument(schema: Json): ReturnType<typeof fromOpenApi> {
  return fromOpenApi({
    openapi: '3.1.0',
    info: { title: 'Stones', version: '1' },
    paths: {
      '/stones': {
        post: {
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { 204: { description: 'Done.' } },
        },
      },
    },
  })
}

async function sendTo(schema: Json, value: unknown): Promise<number> {
  const { api } = readDocument(schema)
  const request = new Request('http://stones.test/stones', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  })
  return (await mock(api).fetch(request)).status
}

const getKinds = (schema: Json): readonly LimitKind[] => readDocument(schema).limits.map(({ kind }) => kind)

/** The CPU time of some work in milliseconds: other programs do not count. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

const hostile = 'a'.repeat(50_000)

describe('slow patterns', () => {
  test.each<[pattern: string, wrong: string, right: string]>([
    ['^(a+)+$', `${hostile}!`, 'aa'],
    ['^(a|a)*$', `${hostile}!`, 'aa'],
    ['^(a|ab)*(b|c)*$', `${hostile}!`, 'abb'],
    ['(a+)+$', `${hostile}!`, '!a'],
    ['^([a-z0-9]+([-a-z0-9]+)\\.)+[a-z]{2,}$', `${hostile}!`, 'ab.cd'],
    ['^a*a*a*a*b$', hostile, 'ab'],
    ['a*b$', hostile, 'ab'],
    ['^(a?){40}a{40}$', `${hostile}!`, 'a'.repeat(50)],
  ])('%s is matched by RE2', async (pattern, wrong, right) => {
    const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string', pattern } } }
    expect(getKinds(schema)).toEqual([])
    expect(await sendTo(schema, { name: right })).toBe(204)
    expect(await measure(async () => expect(await sendTo(schema, { name: wrong })).toBe(400))).toBeLessThan(3_000)
  })

  test.each<[pattern: string]>([
    ['^(?=(a+)+$)a*$'],
    ['^(?:(a+)\\1)+$'],
    ['^((a?){40}){40}$'],
    ['^(a{1,100}){1000}$'],
    [`^${'('.repeat(200)}a+${')+'.repeat(200)}$`],
  ])('%s is left out', async (pattern) => {
    const schema = { type: 'string', pattern }
    expect(readDocument(schema).limits).toEqual([
      {
        kind: 'slow-pattern',
        pointer: '/paths/~1stones/post/requestBody/content/application~1json/schema/pattern',
        message: expect.stringMatching(/^To match a text with .* may take years\. Any text is allowed here\.$/) as string,
      },
    ])
    expect(await measure(async () => expect(await sendTo(schema, `${hostile}!`)).toBe(204))).toBeLessThan(3_000)
  })

  test('the members that a pattern would name are any, if it is left out', async () => {
    const schema = { type: 'object', additionalProperties: false, patternProperties: { '^(?=(a+)+$)a*$': { type: 'string' } } }
    expect(getKinds(schema)).toEqual(['slow-pattern'])
    expect(await sendTo(schema, { [`${'a'.repeat(40)}!`]: 1 })).toBe(204)
  })

  test('names are matched by RE2', async () => {
    const schema = { type: 'object', additionalProperties: false, patternProperties: { '^(a+)+$': { type: 'string' } } }
    expect(getKinds(schema)).toEqual([])
    expect(await sendTo(schema, { aaa: 'x' })).toBe(204)
    expect(await measure(async () => expect(await sendTo(schema, { [`${'a'.repeat(40)}!`]: 'x' })).toBe(400))).toBeLessThan(1_000)
  })

  test('the states of all patterns of a document together are bounded', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`m${index}`, { type: 'string', pattern: `^(${index}|a{1,100}){10}$` }]),
    )
    expect(await measure(async () => expect(getKinds({ type: 'object', properties })).toContain('slow-pattern'))).toBeLessThan(5_000)
  })
})

describe('ordinary patterns stay', () => {
  test.each<[pattern: string]>([
    ['^\\d{4}-\\d{2}-\\d{2}$'],
    ['^[\\w-.]+$'],
    ['^(?!\\s)(.*)(\\S)$'],
    ['^.{0,262144}$'],
    ['^a{1000000000}$'],
    ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$'],
    ['^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'],
  ])('%s', (pattern) => {
    expect(getKinds({ type: 'string', pattern })).toEqual([])
  })
})

/** Characters that engines differ in: line ends, blanks, letters beyond ASCII and beyond the basic plane, half a character. */
const oddCharacters = [...'ab1_-. \n\r\t\v\f\0]\\^$é', '\u00a0', '\u2028', '\u1680', '\u202f', '\ufeff', '\u180e', '💎', '\ud83d']

/** Patterns that `RegExp` may be slow with: small ones within a repetition of a repetition. */
const slowPatterns = fc
  .letrec<{ pattern: string; term: string }>((tie) => ({
    term: fc.oneof(
      fc.constantFrom(
        'a',
        'b',
        '.',
        '\\s',
        '\\S',
        '\\d',
        '\\D',
        '\\w',
        '\\W',
        '\\b',
        '\\B',
        '\\n',
        '\\t',
        '[\\-a]',
        '\\.',
        '\\x41',
        '\\u00e9',
      ),
      fc.constantFrom(
        '[ab]',
        '[^a]',
        '[\\s]',
        '[^\\s]',
        '[\\S]',
        '[\\w-]',
        '[a-z\\d]',
        '[\\D]',
        '[\\W]',
        '[^\\W]',
        '[]',
        '[^]',
        '[\\b]',
        '[.]',
      ),
      fc.constantFrom('\\u{1f48e}', '💎', '\\ud83d\\udc8e', '[💎é]', '\\cA', '\\0', '\\p{L}', '[\\p{Lu}_]', '/', '\\/', '^', '$'),
      tie('pattern').map((pattern) => `(${pattern})`),
      tie('pattern').map((pattern) => `(?:${pattern})`),
    ),
    pattern: fc
      .array(fc.tuple(tie('term'), fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{2,}', '*?')), { minLength: 1, maxLength: 3 })
      .chain((parts) =>
        fc.option(tie('pattern'), { nil: undefined, depthIdentifier: 'alternatives', maxDepth: 2 }).map((other) => {
          const text = parts.map(([term, sign]) => (/^(?:\\b|\\B|[\^$])$/i.test(term) ? term : term + sign)).join('')
          return other === undefined ? text : `${text}|${other}`
        }),
      ),
  }))
  .pattern.map((pattern) => `^(?:(?:${pattern})+)+$|${pattern}`)

const engine = createContext({ pattern: '', text: '' })
const testByRegExp = new Script("new RegExp(pattern, 'u').test(text)")

/** What `RegExp` says; undefined where it takes too long, as it does for some of these patterns. */
function matchByRegExp(pattern: string, text: string): boolean | undefined {
  Object.assign(engine, { pattern, text })
  try {
    return testByRegExp.runInContext(engine, { timeout: 200 }) as boolean
  } catch (error) {
    if (Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}

test('RE2 matches what RegExp matches', () => {
  let tested = 0
  fc.assert(
    fc.property(slowPatterns, fc.array(fc.constantFrom(...oddCharacters), { maxLength: 6 }), (pattern, characters) => {
      const text = characters.join('')
      const expected = matchByRegExp(pattern, text)
      if (expected === undefined || !new PatternGuard().admits(pattern)) return
      const matcher = compilePattern(pattern)
      if (!(matcher instanceof RegExp)) tested += 1
      expect(matcher?.test(text)).toBe(expected)
    }),
    { numRuns: 400 },
  )
  expect(tested).toBeGreaterThan(100)
})
