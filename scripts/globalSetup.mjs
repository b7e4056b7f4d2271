// Builds once before the tests run: some tests start service/dist/main.js, most of them as a bundle.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleProgram } from './bundle.mjs'
import { buildPages } from './pages.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Builds everything. @returns the errors, empty when there are none */
async function buildErrors() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), '--build'], {
    cwd: root,
    encoding: 'utf8',
  })
  const errors = status === 0 ? '' : `tsc --build failed:\n${stdout}${stderr}`
  try {
    await buildPages()
    await bundleProgram()
    return errors
  } catch (error) {
    return `${errors}The pages or the bundle cannot be built: ${error.message}\n`
  }
}

/** Vitest's global setup. A broken build ends a run of the whole suite. A run of named files continues with a message. */
export default async function build({ vitest }) {
  const report = await buildErrors()
  if (report === '') return
  if ((vitest.filenamePattern ?? []).length === 0) throw new Error(report)
  process.stderr.write(`${report.slice(0, 2_000)}\nThe named tests run on the earlier build.\n\n`)
}
