/**
 * Fuzzes the built service: the hostile corpus, mutations of it, both through nginx where it is installed, and the timing of logins.
 *
 *   npm run fuzz
 *   SEED=1 STREAMS=5000 npm run fuzz
 *
 * `npm test` runs a part of it.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { SEED: seed = String(Math.floor(Math.random() * 2 ** 31)), STREAMS: streams = '20000' } = process.env
const folder = mkdtempSync(join(tmpdir(), 'lapidary-fuzz-'))
const report = join(folder, 'report.json')
const flags = ['--project', 'sqlite', 'service/test/hostile', '--reporter=json', `--outputFile=${report}`]

/** Resolves with the exit code. */
const run = () =>
  new Promise((done, failed) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...flags], {
      cwd: root,
      env: { ...process.env, SEED: seed, STREAMS: streams, HOSTILE: 'whole' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.once('error', failed)
    child.once('close', (code) => done(code ?? 1))
  })

try {
  const began = performance.now()
  process.exitCode = await run()
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const cases = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap(({ assertionResults }) => assertionResults)
  const failures = cases.filter(({ status }) => status === 'failed')
  for (const { fullName, failureMessages } of failures) console.log(`${fullName}\n${failureMessages.join('\n')}\n`)
  const count = cases.filter(({ status }) => status === 'passed').length + failures.length
  console.log(`${count} cases and ${streams} mutated streams, ${failures.length} failures, ${seconds} seconds, SEED=${seed}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
