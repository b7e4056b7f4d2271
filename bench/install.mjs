/** Installs the other frameworks, which have their own lock file, because only benchmarks need them. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { installed } from '../scripts/installed.mjs'
import { say, stop } from './say.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Installs the packages of the lock file, unless they are complete. */
export function install() {
  if (installed(here) === 'complete') return
  say('installing what is measured against, and what draws the plots (npm ci in bench/) …')
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', words, { cwd: here, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (status !== 0) stop('"npm ci" in bench/ failed. Mend what it says above and try again.')
}
