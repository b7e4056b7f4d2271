/** Patterns of an OpenAPI document: strict readers compile them with the flag `u`, and they match the same texts as those of the schemas. */
import fc from 'fast-check'
import { endpoint, noContent, type Schema } from 'lapidary'
import { openapi, type SchemaObject } from 'lapidary/openapi'
import { expect, test } from 'vitest'
import { toUnicodePattern } from '../../src/json-schema/unicodePattern.ts'
import { samples } from '../support/samples.ts'

async function documented(schema: object): Promise<SchemaObject> {
  const body = {
    '~standard': { version: 1, vendor: 'plain', validate: (value: unknown) => ({ value }), jsonSchema: { input: () => schema } },
  }
  const { paths } = await openapi(
    { one: endpoint('POST /', { body: body as unknown as Schema, response: noContent }) },
    { title: 'Test', version: '1' },
  )
  return paths['/']?.post?.requestBody?.content['application/json']?.schema ?? {}
}

test.each([
  ['[\\w-.]+', '[\\w\\-.]+'],
  ['^[\\w-\\.]+@[\\w-]+\\.[a-z]{2,}$', '^[\\w\\-\\.]+@[\\w\\-]+\\.[a-z]{2,}$'],
  ['^\\d{4}\\-\\d{2}$', '^\\d{4}-\\d{2}$'],
  ['^\\#[0-9a-f]{6}$', '^#[0-9a-f]{6}$'],
  ['[\\_\\@\\ \\-a]', '[_@ \\-a]'],
  ['[a-\\d]', '[a\\-\\d]'],
  ['^[\\"\\\'-.]$', '^["\'-.]$'],
  ['[\\w-a-z]', '[\\w\\-a\\-z]'],
  ['^a{$', '^a\\{$'],
  ['^a{,5}]$', '^a\\{,5\\}\\]$'],
  ['^(?!admin\\-)[\\w-.]*$', '^(?!admin-)[\\w\\-.]*$'],
  ['^\\@.*$', '^@.*$'],
  ['^(?<user>\\@[^:]*)\\:x$', '^(?<user>@[^:]*):x$'],
])('%j is written as %j', async (pattern, written) => {
  expect(new RegExp(written, 'u')).toBeInstanceOf(RegExp)
  expect(await documented({ type: 'string', pattern })).toEqual({ type: 'string', pattern: written })
  const member = { type: 'object', patternProperties: { [pattern]: { type: 'string', pattern } }, propertyNames: { pattern } }
  expect(await documented(member)).toEqual({
    type: 'object',
    patternProperties: { [written]: { type: 'string', pattern: written } },
    propertyNames: { pattern: written },
  })
})

test.each([
  ['a pattern that compiles', '^[\\w\\-.]+$'],
  ['a pattern that no engine reads', '('],
  ['any one character, which the flag makes a whole one', '^\\@.$'],
  ['all characters but some', '^\\@[^a]{2}$'],
  ['a range over the halves of characters', '^\\@[\\u0000-\\uffff]$'],
  ['a character of two halves', '^\\@💎+$'],
  ['a reference to a group', '^(\\@)\\1$'],
  ['a letter that needs no backslash', '^\\a\\@$'],
  ['an octal escape', '^\\07\\@$'],
  ['a place within a word', '\\@\\B'],
  ['what stands behind', '(?<!a)\\@'],
  ['a lookahead that is repeated', '^(?=a)*\\@'],
])('%s stays as it is: %s', async (_what, pattern) => {
  expect(await documented({ type: 'string', pattern })).toEqual({ type: 'string', pattern })
})

test('names of members that would become one stay two, and what is no schema is not changed', async () => {
  const schema = {
    type: 'object',
    patternProperties: { '^\\@': { type: 'string' }, '^@': { type: 'integer' } },
    properties: { pattern: { type: 'string', const: '\\@' } },
    default: { pattern: '\\@' },
  }
  expect(await documented(schema)).toEqual(schema)
})

test('a pattern matches the same texts with the flag as without', () => {
  const pieces = String.raw`\@ \- - a . .* .+ [^a] [^a]* [\w-.] [a-\W]* [@-b-\d] [\w--b] [\d-a-é] [\@-a] \S* \D \b \B ^ $ { } ] {2} * + ? | ( ) (?: (?= (?! (?<= (?<! \u0061 \x40 \ud83d 💎 \/`
  const piece = fc.constantFrom(...pieces.split(' '))
  const pattern = fc.array(piece, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(''))
  const subject = fc
    .array(fc.constantFrom('a', '@', '-', '.', 'é', '💎', '{', ']', ' ', 'b'), { maxLength: 6 })
    .map((characters) => characters.join(''))
  let rewritten = 0
  fc.assert(
    fc.property(pattern, fc.array(subject, { minLength: 20, maxLength: 20 }), (one, subjects) => {
      const other = toUnicodePattern(one)
      if (other === one) return
      rewritten += 1
      const [before, after] = [new RegExp(one), new RegExp(other, 'u')]
      expect(subjects.filter((text) => before.test(text) !== after.test(text))).toEqual([])
    }),
    { numRuns: samples(5_000) },
  )
  expect(rewritten).toBeGreaterThan(samples(100))
})
