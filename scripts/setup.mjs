// Makes a fresh clone ready: installs the missing packages, then builds what has changed. With --omit=dev it does only what serving needs.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkInstallation } from './installation.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const omitsDev = process.argv.includes('--omit=dev')

/** Messages go to standard error: standard output belongs to the command that follows. */
function run(sentence, command, ...words) {
  if (sentence) process.stderr.write(`lapidary: ${sentence}\n`)
  const { status, error } = spawnSync(command, words, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (status === 0) return
  process.stderr.write(
    `lapidary: "${command} ${words.join(' ')}" failed${error ? `: ${error.message}` : ''}. Fix the errors above and try again.\n`,
  )
  process.exit(1)
}

/** Such as 20.12. */
const floor = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '')
const [leastMajor, leastMinor] = floor.split('.').map(Number)
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  process.stderr.write(`lapidary: Node.js ${floor} or newer is needed, this is ${process.versions.node}.\n`)
  process.exit(1)
}

const quietly = ['--no-audit', '--no-fund', '--loglevel=error']
const state = checkInstallation(root, { omitsDev })
if (state === 'partial') {
  // The installed packages stay: a running service may still load some of them.
  run('installing what package-lock.json names besides (npm install) …', 'npm', 'install', '--no-save', '--include=dev', ...quietly)
} else if (state === 'different') {
  const what = omitsDev
    ? 'what serving takes (npm ci, some seconds)'
    : 'what package-lock.json names (npm ci, half a minute the first time)'
  run(`installing ${what} …`, 'npm', 'ci', omitsDev ? '--omit=dev' : '--include=dev', ...quietly)
}
run(
  existsSync(join(root, 'service/dist')) ? '' : 'building (tsc --build) …',
  process.execPath,
  join('node_modules', 'typescript', 'bin', 'tsc'),
  '--build',
  ...(omitsDev ? ['service'] : []),
)
run('', process.execPath, join('scripts', 'pages.mjs'))
