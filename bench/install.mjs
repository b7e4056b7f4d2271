/** What is measured against has a lock file of its own: nobody else is to install it. */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { say, stop } from './say.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const age = (/** @type {string} */ file) => (existsSync(join(here, file)) ? statSync(join(here, file)).mtimeMs : 0)

/** Installs what the lock file names, where it is missing or older. */
export function install() {
  if (age('node_modules/.package-lock.json') >= age('package-lock.json')) return
  say('installing what is measured against, and what draws the plots (npm ci in bench/) …')
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', words, { cwd: here, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (status !== 0) stop('"npm ci" in bench/ failed. Mend what it says above and try again.')
}
