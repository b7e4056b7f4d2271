/** Installs what the lock file of this folder names, when it is missing or older. */
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { say, stop } from './say.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const age = (/** @type {string} */ file) => (existsSync(`${here}${file}`) ? statSync(`${here}${file}`).mtimeMs : 0)

export function install() {
  if (age('node_modules/.package-lock.json') >= age('package-lock.json')) return
  say('installing the tools (npm ci in conformance/) …')
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', words, { cwd: here, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (status !== 0) stop('"npm ci" in conformance/ failed. Mend what it says above and try again.')
}
