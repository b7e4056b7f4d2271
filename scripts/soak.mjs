/**
 * Tests the endurance of the built service: minutes of good and hostile traffic, shutdown under load, and idle connections.
 *
 *   npm run soak
 *   MINUTES=60 ROUNDS=50 SEED=1 npm run soak
 *   npm run soak -- --only soak      (or end, or idle)
 *
 * `npm test` runs a part of it.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const parts = ['idle', 'end', 'soak']
const { only = parts.join() } = parseArgs({ options: { only: { type: 'string' } } }).values
const selected = only.split(',')
const unknown = selected.find((part) => !parts.includes(part))
if (unknown !== undefined) {
  process.stderr.write(`soak: there is no part "${unknown}". Choose among ${parts.join(', ')}.\n`)
  process.exit(1)
}

const { MINUTES: minutes = '10', ROUNDS: rounds = '10' } = process.env
const folder = mkdtempSync(join(tmpdir(), 'lapidary-soak-'))

/** Runs one part, which prints its figures to standard error. @returns the tests with their status */
async function run(part) {
  const report = join(folder, `${part}.json`)
  const words = ['--project', 'sqlite', `service/test/process/${part}.sqlite.test.ts`, '--reporter=json', `--outputFile=${report}`]
  await new Promise((done, failed) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...words], {
      cwd: root,
      env: { ...process.env, SOAK: 'whole', FIGURES: 'yes', MINUTES: minutes, ROUNDS: rounds },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.once('error', failed)
    child.once('close', done)
  })
  return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ assertionResults, message }) =>
    assertionResults.length > 0 ? assertionResults : [{ status: 'failed', fullName: part, failureMessages: [message] }],
  )
}

try {
  console.error(
    `load of the machine before: ${loadavg()
      .map((load) => load.toFixed(2))
      .join(' ')}`,
  )
  for (const part of parts.filter((one) => selected.includes(one))) {
    for (const { status, fullName, failureMessages } of await run(part)) {
      if (status === 'passed') continue
      console.error(`${status}: ${fullName}\n${failureMessages.join('\n')}`)
      process.exitCode = 1
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.error(process.exitCode === 1 ? 'soak: a limit was missed' : 'soak: every limit was kept')
