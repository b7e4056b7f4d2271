/** The log. */

import { once } from 'node:events'
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { bufferedLog, wholeLines } from '../src/log.ts'
import { run, start } from './store/process.ts'

const announced = '{"event":"listening","deployment":"main","url":"http://127.0.0.1:8081"}'

test('the line that scripts wait for is printed at every level', async () => {
  expect((await run('child/logging.ts', ['silent', '3'])).output).toBe(`${announced}\n`)
})

test('each entry is one line of JSON, for any logged value', async () => {
  const { output, errors } = await run('child/logging.ts', ['info', '3'])
  const [first, ...lines] = output.trimEnd().split('\n')
  expect(first).toBe(announced)
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 'info', url: '/a\nb\u2028\u001b[31m', msg: 'request\nforged' })
  expect(errors).toBe('alive')
})

test('lines wait for others, but in one turn no more than 64 KB of them', async () => {
  const written: string[] = []
  const log = bufferedLog({ write: (text) => void written.push(text) })
  const line = `${'x'.repeat(999)}\n`
  for (let count = 0; count < 200; count += 1) log.write(line)
  expect(written.map(({ length }) => length)).toEqual([66_000, 66_000, 66_000])
  await vi.waitFor(() => expect(written.join('')).toHaveLength(200_000), 10_000)
})

test('a closed log reader does not end the process', async () => {
  const child = start('child/logging.ts', ['info', '5000'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout?.once('data', () => child.stdout?.destroy())
  let errors = ''
  child.stderr?.on('data', (text: Buffer) => {
    errors += text
  })
  const [status] = await once(child, 'close')
  expect({ status, errors }).toEqual({ status: 0, errors: 'alive' })
})

// Lines that arrive in chunks.
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
