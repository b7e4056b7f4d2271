/** Conditional requests against one version, last changed on the day that RFC 9110 uses for its examples. */
import { expect, test } from 'vitest'
import { evaluatePreconditions, isRangeApplicable } from '../../src/http/preconditions.ts'

const etag = '"1a-2b"'
const changed = 'Sun, 06 Nov 1994 08:49:37 GMT'
const before = 'Sat, 05 Nov 1994 08:49:37 GMT'
const after = 'Mon, 07 Nov 1994 08:49:37 GMT'
const version = { etag, modified: Date.parse(changed) / 1000 }
const headerOf =
  (headers: Record<string, string>) =>
  (name: string): string | undefined =>
    headers[name]

test.each<[string, Record<string, string>]>([
  ['unchanged', { 'if-none-match': etag }],
  ['unchanged', { 'if-none-match': `"a,b" ,, W/${etag}` }],
  ['unchanged', { 'if-none-match': `"\xfc", ${etag}` }],
  ['unchanged', { 'if-none-match': '*' }],
  ['unchanged', { 'if-none-match': ' *\t' }],
  ['proceed', { 'if-none-match': '\xa0*' }],
  ['unchanged', { 'if-modified-since': changed }],
  ['unchanged', { 'if-modified-since': after }],
  ['unchanged', { 'if-modified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' }],
  ['unchanged', { 'if-modified-since': 'Sun Nov  6 08:49:37 1994' }],
  ['unchanged', { 'if-match': etag, 'if-none-match': etag }],
  ['proceed', {}],
  ['proceed', { 'if-none-match': '"x"', 'if-modified-since': changed }],
  ['proceed', { 'if-none-match': `x${etag}` }],
  ['proceed', { 'if-none-match': '' }],
  ['proceed', { 'if-modified-since': before }],
  ['proceed', { 'if-modified-since': '2030' }],
  ['proceed', { 'if-modified-since': 'Sun, 99 Nov 2030 08:49:37 GMT' }],
  ['proceed', { 'if-match': `"x", ${etag}` }],
  ['proceed', { 'if-match': `"\xfc", ${etag}` }],
  ['proceed', { 'if-match': '*' }],
  ['proceed', { 'if-match': etag, 'if-unmodified-since': before }],
  ['proceed', { 'if-unmodified-since': changed }],
  ['proceed', { 'if-unmodified-since': 'yesterday' }],
  ['failed', { 'if-match': `W/${etag}` }],
  ['failed', { 'if-match': '"x"', 'if-none-match': etag }],
  ['failed', { 'if-unmodified-since': before }],
])('%s with %j', (verdict, headers) => {
  expect(evaluatePreconditions(headerOf(headers), version)).toBe(verdict)
})

test('a range applies without If-Range, and with one that names exactly this version', () => {
  expect(isRangeApplicable(headerOf({}), version)).toBe(true)
  for (const same of [etag, changed]) expect(isRangeApplicable(headerOf({ 'if-range': same }), version)).toBe(true)
  for (const other of [`W/${etag}`, '"other"', `"other", ${etag}`, before, after, 'nonsense', '']) {
    expect(isRangeApplicable(headerOf({ 'if-range': other }), version)).toBe(false)
  }
})

test.each<[string, Record<string, string>]>([
  ['proceed', { 'if-modified-since': after }],
  ['proceed', { 'if-unmodified-since': before }],
  ['unchanged', { 'if-none-match': etag, 'if-modified-since': before }],
  ['failed', { 'if-match': '"x"', 'if-unmodified-since': after }],
])('where the date of the last change is not known, conditions about it are ignored: %s with %j', (verdict, headers) => {
  expect(evaluatePreconditions(headerOf(headers), { etag, modified: undefined })).toBe(verdict)
})

test('where the date of the last change is not known, no date in If-Range names this version', () => {
  const undated = { etag, modified: undefined }
  expect(isRangeApplicable(headerOf({ 'if-range': etag }), undated)).toBe(true)
  for (const other of [changed, 'nonsense', '']) expect(isRangeApplicable(headerOf({ 'if-range': other }), undated)).toBe(false)
})

test('hostile lists take linear time', () => {
  for (const list of [' '.repeat(60_000), '"'.repeat(60_000), `${'W/"a",'.repeat(9_000)}x`, `"${'!'.repeat(60_000)}`]) {
    const start = performance.now()
    expect(evaluatePreconditions(headerOf({ 'if-none-match': list }), version)).toBe('proceed')
    expect(performance.now() - start).toBeLessThan(500)
  }
})
