/** `Content-Disposition` of a file: names beyond ASCII, and long ones (RFC 6266, RFC 8187). */
import { expect, test } from 'vitest'
import { formatContentDisposition } from '../../src/http/fileResponse.ts'

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
