/** Installs the packages of the lock file of this folder or a subfolder, unless they are complete. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkInstallation } from '../scripts/installation.mjs'
import { log, stop } from './log.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))

/** @param {string} [below] a folder in this one @param {readonly string[]} [options] */
export function install(below = '', options = ['--ignore-scripts']) {
  const cwd = join(here, below)
  if (checkInstallation(cwd) === 'complete') return
  log(`installing the tools (npm ci in conformance/${below}) …`)
  const words = ['ci', ...options, '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', words, { cwd, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (status !== 0) stop(`"npm ci" in conformance/${below} failed. Fix the errors above and try again.`)
}
