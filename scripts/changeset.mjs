/**
 * Runs changesets, which has a lock file of its own in release/: it needs Node.js 22.11, and no test needs it.
 *
 *   npm run changeset               prompts for the packages that change, and writes a file into .changeset/
 *   npm run changeset -- status     lists what the next release contains
 *   npm run changeset -- version    sets the versions, writes the changelogs, updates package-lock.json
 *   npm run changeset -- git-tag    tags the versions of the packages; the release does it
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkInstallation } from './installation.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const tools = join(root, 'release')
const args = process.argv.slice(2)

/** @param {string} message @returns {never} */
function stop(message) {
  process.stderr.write(`changeset: ${message}\n`)
  process.exit(1)
}

function run(cwd, command, ...words) {
  const isNpm = command === 'npm'
  const { status, error } = spawnSync(command, words, { cwd, stdio: 'inherit', shell: isNpm && process.platform === 'win32' })
  if (status !== 0) stop(`"${(isNpm ? ['npm', ...words] : words).join(' ')}" failed${error ? `: ${error.message}` : ''}.`)
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 11)) {
  stop(
    `Node.js 22.11 or newer is needed, this is ${process.versions.node}. A changeset can also be written by hand: see .changeset/README.md.`,
  )
}
if (checkInstallation(tools) !== 'complete') run(tools, 'npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error')
run(root, process.execPath, join(tools, 'node_modules', '@changesets', 'cli', 'bin.js'), ...args)
if (args[0] === 'version')
  run(root, 'npm', 'install', '--package-lock-only', '--omit-lockfile-registry-resolved', '--no-audit', '--no-fund')
