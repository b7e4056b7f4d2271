/**
 * The examples as a stranger has them: each is copied out of this repository, and gets the packed packages. npm installs the packages of all of them
 * once; each copy finds the ones that its own manifest names, and no others.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listExamples } from '../scripts/examples.mjs'
import { runCommand } from './command.mjs'
import { readManifest, root } from './places.mjs'

const source = join(root, 'examples')

/** All that an example needs, by name. @param {string} name @returns {Record<string, string>} */
function readDependencies(name) {
  const { dependencies, devDependencies } = readManifest(join(source, name))
  return { ...dependencies, ...devDependencies }
}

/** Every dependency, in its one version. @param {readonly string[]} names */
function mergeDependencies(names) {
  /** @type {Record<string, string>} */
  const merged = {}
  for (const name of names)
    for (const [dependency, version] of Object.entries(readDependencies(name))) {
      assert.equal(merged[dependency] ?? version, version, `examples/${name} has another version of ${dependency} than the other examples`)
      merged[dependency] = version
    }
  return merged
}

/** The versions of this repository, which npm has in its cache. npm drops the packages that nothing needs. */
function createLockFile(manifest) {
  const { lockfileVersion, packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const installed = Object.entries(packages).filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true)
  return JSON.stringify({ lockfileVersion, packages: { '': manifest, ...Object.fromEntries(installed) } })
}

/** @param {string} place of the link @param {string} target a folder */
function link(place, target) {
  mkdirSync(dirname(place), { recursive: true })
  symlinkSync(target, place, 'junction')
}

/**
 * @param {string} folder an empty one
 * @param {readonly import('./pack.mjs').PackedPackage[]} packed
 * @returns {Promise<{ names: readonly string[], locate: (name: string) => string }>} the examples, and the folder of each
 */
export async function installExamples(folder, packed) {
  const names = listExamples()
  const installation = join(folder, 'installation')
  mkdirSync(installation)
  // All packages are named, so that npm takes them from here where they depend on each other.
  const tarballs = Object.fromEntries(packed.map(({ name, tarball }) => [name, `file:${tarball}`]))
  const manifest = { private: true, dependencies: { ...mergeDependencies(names), ...tarballs } }
  writeFileSync(join(installation, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(installation, 'package-lock.json'), createLockFile(manifest))
  const words = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await runCommand('npm', words, { cwd: installation })

  const locate = (/** @type {string} */ name) => join(folder, name)
  for (const name of names) {
    const isSource = (/** @type {string} */ path) => !path.split(/[\\/]/).includes('node_modules')
    cpSync(join(source, name), locate(name), { recursive: true, filter: (path) => isSource(path.slice(source.length)) })
    for (const dependency of [...Object.keys(readDependencies(name)), '.bin'])
      link(join(locate(name), 'node_modules', dependency), join(installation, 'node_modules', dependency))
  }
  return { names, locate }
}
