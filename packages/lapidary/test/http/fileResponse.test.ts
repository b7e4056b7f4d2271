/** Parts of files, and the header with the name of a file. `Range: bytes=…` is for something of 26 bytes. */
import { expect, test } from 'vitest'
import { formatContentDisposition, parseByteRange } from '../../src/http/fileResponse.ts'

test.each([
  ['bytes=0-4', 0, 5],
  ['bytes=5-', 5, 21],
  ['bytes=-3', 23, 3],
  ['bytes=-99', 0, 26],
  ['bytes=25-99999999999999999999', 25, 1],
  ['BYTES= 0-0 ', 0, 1],
])('%s starts at %i and has %i bytes', (text, start, length) => {
  expect(parseByteRange(text, 26)).toEqual({ start, length })
})

test.each(['bytes=26-', 'bytes=26-30', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])('%s is not satisfiable', (text) => {
  expect(parseByteRange(text, 26)).toBe('unsatisfiable')
})

test.each([
  undefined,
  '',
  ...[
    'bytes=5-2',
    'bytes=0-1,3-4',
    'bytes=0-1, bytes=3-4',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=1.5-2',
    'bytes=+1-2',
    'bytes=0--1',
    'bytes 0-1',
  ],
  ...['name', 'name 5; limit 2', 'items=0-4'],
])('%j is ignored', (text) => {
  expect(parseByteRange(text, 26)).toBe('whole')
})

test('no range of an empty resource is satisfiable, except its last bytes, which are all of it', () => {
  expect([parseByteRange('bytes=0-', 0), parseByteRange('bytes=-5', 0)]).toEqual(['unsatisfiable', 'whole'])
})

// `Content-Disposition` of a file: names beyond ASCII, and long ones (RFC 6266, RFC 8187).
test.each([
  ['an emoji is one character', '💎.png', `attachment; filename="_.png"; filename*=UTF-8''%F0%9F%92%8E.png`],
  ['half of an emoji', '\ud83d.png', `attachment; filename="_.png"; filename*=UTF-8''%EF%BF%BD.png`],
  ['characters that encodeURIComponent leaves', "é'(*)", `attachment; filename="_'(*)"; filename*=UTF-8''%C3%A9%27%28%2A%29`],
])('%s', (_what, name, header) => {
  expect(formatContentDisposition(name)).toBe(header)
})

test('a long name is cut between characters, not within one', () => {
  const header = formatContentDisposition('💎'.repeat(300))
  expect(header).toBe(`attachment; filename="${'_'.repeat(200)}"; filename*=UTF-8''${'%F0%9F%92%8E'.repeat(200)}`)
})
