// Installs an example as its users have it, with packed packages, and starts its server.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The versions of this repository, which npm has in its cache. npm drops the packages that the project does not need. */
function createLockFile(example) {
  const { lockfileVersion, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const manifest = JSON.parse(readFileSync(join(example, 'package.json'), 'utf8'))
  const installedPackages = Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true)
  return JSON.stringify({ lockfileVersion, packages: { '': manifest, ...Object.fromEntries(installedPackages) } })
}

/** Packs a package of this repository into a folder, and returns the path of its tarball. */
export async function packPackage(name, folder) {
  const words = ['pack', '--pack-destination', folder, '--ignore-scripts', '--loglevel=error']
  const cwd = join(root, 'packages', name)
  const { stdout } = await promisify(execFile)('npm', words, { cwd, shell: process.platform === 'win32' })
  return join(folder, stdout.trim())
}

/** Copies `examples/<name>` to `project`, a folder that does not exist, and installs it with the packed package in `tarball`. */
export async function installExample(name, project, tarball) {
  const example = join(root, 'examples', name)
  cpSync(example, project, { recursive: true, filter: (path) => !path.includes('node_modules') })
  writeFileSync(join(project, 'package-lock.json'), createLockFile(example))
  const words = ['install', tarball, '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  await promisify(execFile)('npm', words, { cwd: project, shell: process.platform === 'win32' })
}

/** Starts the server of an example with these variables, and waits for the URL that it prints. */
export const startExample = (project, environment) => startServer(['--import', 'tsx', 'server.ts'], project, environment)

/** Starts a program of Node.js in a folder, on a free port, and waits for the URL that it prints first. */
export async function startServer(words, project, environment = {}) {
  const child = spawn(process.execPath, words, {
    cwd: project,
    env: { ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  return { child, url }
}
