/** Lines that arrive in chunks. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeLines } from '../../src/log.ts'

test('lines are passed on whole for any chunks, and an unfinished line is not', () => {
  const pieces = fc.array(fc.nat(12), { minLength: 1 })
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''))),
      fc.string(),
      pieces,
      (lines, rest, sizes) => {
        const passed: string[] = []
        const take = wholeLines((text) => passed.push(text))
        const whole = lines.map((line) => `${line}\n`).join('')
        const bytes = Buffer.from(whole + rest.replaceAll('\n', ''))
        let at = 0
        for (let turn = 0; at < bytes.length; turn += 1) {
          const size = (sizes[turn % sizes.length] ?? 0) + 1
          take(bytes.subarray(at, at + size))
          at += size
        }
        for (const text of passed) expect(text.endsWith('\n')).toBe(true)
        expect(passed.join('')).toBe(whole)
      },
    ),
  )
})
