// Builds once before the tests run, so that a test that starts service/dist/main.js never meets a stale build.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from './pages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What is wrong with the sources; nothing when all of it was built. */
async function complaint() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), '--build'], {
    cwd: root,
    encoding: 'utf8',
  })
  const said = status === 0 ? '' : `tsc --build failed:\n${stdout}${stderr}`
  try {
    await buildPages()
    return said
  } catch (error) {
    return `${said}The pages cannot be built: ${error.message}\n`
  }
}

/** Vitest's global setup. Throws when the whole suite would run on a broken build; who names a few files is only told. */
export default async function build({ vitest }) {
  const report = await complaint()
  if (report === '') return
  if ((vitest.filenamePattern ?? []).length === 0) throw new Error(report)
  process.stderr.write(`${report.slice(0, 2_000)}\nThe tests that you named run all the same, on what was built.\n\n`)
}
