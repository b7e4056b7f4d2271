// Builds once before the tests run, so that a test that starts service/dist/main.js never meets a stale build.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Vitest's global setup. Throws when the whole suite would run on a broken build; who names a few files is only told. */
export default function build({ vitest }) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), '--build'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status === 0) return
  const report = `tsc --build failed:\n${stdout}${stderr}`
  if ((vitest.filenamePattern ?? []).length === 0) throw new Error(report)
  process.stderr.write(`${report.slice(0, 2_000)}\nThe tests that you named run all the same, on what was built.\n\n`)
}
