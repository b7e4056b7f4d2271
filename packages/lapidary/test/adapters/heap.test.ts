/** Bodies of a megabyte with an error in every part, against a process with 256 MB: it answers each of them briefly, and goes on. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const program = fileURLToPath(new URL('../support/heap/server.mjs', import.meta.url))
const megabyte = 1_048_576
/** As many copies of a text as fit, separated by commas. */
const many = (one: string, room: number): string => Array.from({ length: Math.floor(room / (one.length + 1)) }, () => one).join()

const json = 'application/json'
const attacks: readonly (readonly [what: string, path: string, type: string, body: string])[] = [
  ['numbers in a list of texts', '/names', json, `{"names":[${many('1', megabyte - 20)}]}`],
  ['numbers in a record of lists', '/lists', json, `{"${'k'.repeat(2_000)}":[${many('1', megabyte - 3_000)}]}`],
  ['numbers in lists, of which half of the body is the name', '/lists', json, `{"${'k'.repeat(500_000)}":[${many('1', 500_000)}]}`],
  ['numbers in a list of the toolkit', '/own', json, `[${many('1', megabyte - 20)}]`],
  ['objects without members', '/objects', json, `[${many('{}', megabyte - 20)}]`],
  ['numbers in a line', '/lines', 'application/x-ndjson', `{"names":[${many('1', megabyte - 20)}]}\n`],
  ['pairs of a form', '/names', 'application/x-www-form-urlencoded', many('a', megabyte).replaceAll(',', '&')],
]

describe.each(['node', 'llhttp'])('on %s', (adapter) => {
  let child: ChildProcessByStdio<null, Readable, Readable>
  let port = ''
  let errors = ''
  beforeAll(async () => {
    child = spawn(process.execPath, ['--max-old-space-size=256', program, adapter], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    port = String(line)
  })
  afterAll(() => void child.kill('SIGKILL'))

  test.each(attacks)('%s: four at once', async (_what, path, type, body) => {
    const send = async (): Promise<readonly [number, string]> => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: { 'Content-Type': type }, body })
      return [response.status, await response.text()]
    }
    const responses = await Promise.all(Array.from({ length: 4 }, send)).catch((error: unknown) => {
      throw new Error(`The process is gone, or does not answer: ${errors.slice(-300)}`, { cause: error })
    })
    for (const [status, text] of responses) {
      expect(status).toBe(400)
      expect(text.length).toBeLessThanOrEqual(16_384)
      const { errors: listed, more } = JSON.parse(text) as { readonly errors: readonly object[]; readonly more?: number }
      expect(listed.length).toBeLessThanOrEqual(20)
      // A form has too many pairs, and that is all that is wrong with it.
      expect(type.endsWith('json') ? (more ?? 0) : 1).toBeGreaterThan(0)
    }
    expect(child.exitCode).toBe(null)
  })
})
