// Makes a fresh clone ready: installs what the lock file names when it is missing or older, then builds what has changed.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const age = (file) => (existsSync(join(root, file)) ? statSync(join(root, file)).mtimeMs : 0)

/** Standard output belongs to the command that follows, so everything said here goes to standard error. */
function run(sentence, command, ...words) {
  if (sentence) process.stderr.write(`lapidary: ${sentence}\n`)
  const { status, error } = spawnSync(command, words, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (status === 0) return
  process.stderr.write(
    `lapidary: "${command} ${words.join(' ')}" failed${error ? `: ${error.message}` : ''}. Mend what it says above and try again.\n`,
  )
  process.exit(1)
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 12)) {
  process.stderr.write(`lapidary: Node.js 20.12 or newer is needed, this is ${process.versions.node}.\n`)
  process.exit(1)
}

if (age('node_modules/.package-lock.json') < age('package-lock.json')) {
  run(
    'installing what package-lock.json names (npm ci, about a minute the first time) …',
    'npm',
    'ci',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  )
}
run(
  existsSync(join(root, 'service/dist')) ? '' : 'building (tsc --build) …',
  process.execPath,
  join('node_modules', 'typescript', 'bin', 'tsc'),
  '--build',
)
run('', process.execPath, join('scripts', 'pages.mjs'))
