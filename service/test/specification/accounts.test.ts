/** The specification's "Authentication": accounts come and go while the service runs, in its database. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { basic, guardedService } from './accounts.ts'
import { comparable, problem } from './expected.ts'

const { it, add, remove, sendWith, status } = guardedService()

const refused = problem(401, { 'www-authenticate': 'Basic realm="people", charset="UTF-8"' })

/** `npm run account --`, with the password on standard input. */
const program = fileURLToPath(new URL('../../dist/account.js', import.meta.url))
async function command(words: readonly string[], input = ''): Promise<void> {
  const { PATH = '' } = process.env
  for (const DATABASE_URL of it().database.urls) {
    const child = spawn(process.execPath, [program, ...words], { env: { PATH, DATABASE_URL }, stdio: ['pipe', 'ignore', 'inherit'] })
    child.stdin.end(input)
    const [status] = await once(child, 'close')
    expect(status).toBe(0)
  }
}

test('the command line adds, changes and removes accounts while the service runs', async () => {
  await command(['add', 'ann'], 'old\n')
  expect(await status(basic('ann', 'old'))).toBe(200)
  await command(['add', 'ann'], 'new\n')
  expect(await status(basic('ann', 'old'))).toBe(401)
  expect(await status(basic('ann', 'new'))).toBe(200)
  await command(['remove', 'ann'])
  expect(await status(basic('ann', 'new'))).toBe(401)
})

describe('4. accounts come and go while the service runs', () => {
  test('a removed account is rejected at once, cached or not', async () => {
    await add('ann', 's3cret')
    expect(await status(basic('ann', 's3cret'))).toBe(200)
    expect(await status(basic('ann', 's3cret'))).toBe(200)
    await remove('ann')
    expect(comparable(await sendWith(basic('ann', 's3cret')))).toEqual(refused)
  })

  test('an old password is rejected at once after a change', async () => {
    await add('ann', 'old')
    expect(await status(basic('ann', 'old'))).toBe(200)
    await add('ann', 'new')
    expect(comparable(await sendWith(basic('ann', 'old')))).toEqual(refused)
    expect(await status(basic('ann', 'new'))).toBe(200)
  })
})
