/** What `Range: bytes=…` means for something of 26 bytes. */
import { expect, test } from 'vitest'
import { parseByteRange } from '../../src/http/fileResponse.ts'

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
