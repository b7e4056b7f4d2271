/** Installs the other frameworks, which have their own lock file, because only benchmarks need them. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkInstallation } from '../scripts/installation.mjs'
import { log, stop } from './log.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Installs the packages of the lock file of this folder or a subfolder, unless they are complete. @param {string} [below] a folder in this one */
export function install(below = '') {
  const cwd = join(here, below)
  if (checkInstallation(cwd) === 'complete') return
  log(`installing what is measured against${below === '' ? ', and what draws the plots' : ''} (npm ci in bench/${below}) …`)
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', words, { cwd, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (status !== 0) stop(`"npm ci" in bench/${below} failed. Fix the errors above and try again.`)
}
