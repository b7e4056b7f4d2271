/** The packages as npm would publish them. Each is built from a copy of its sources, so that no file of an earlier build is packed. */
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { runCommand } from './command.mjs'
import { packages, readManifest, root } from './places.mjs'

/** What a package's folder holds besides tests and results of a build. */
const sources = ['package.json', 'tsconfig.json', 'README.md', 'LICENSE', 'bin', 'src']

/**
 * @typedef {object} PackedPackage
 * @property {string} name          of the package
 * @property {string} source        the package's folder in this repository
 * @property {string} tarball
 * @property {number} size          bytes
 * @property {number} unpackedSize  bytes
 * @property {readonly string[]} files
 */

/** @param {string} folder an empty one @returns {Promise<readonly PackedPackage[]>} in the order of `packages` */
export async function packPackages(folder) {
  cpSync(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const locateCopy = (/** @type {string} */ source) => join(folder, 'packages', basename(source))
  for (const source of packages) {
    mkdirSync(locateCopy(source), { recursive: true })
    const names = sources.filter((name) => existsSync(join(source, name)))
    for (const name of names) cpSync(join(source, name), join(locateCopy(source), name), { recursive: true })
  }
  const found = []
  for (const source of packages) {
    // The package's own script builds it, even if this machine ignores the scripts of installed packages.
    const output = await runCommand('npm', ['pack', '--json', '--ignore-scripts=false', '--loglevel=error'], { cwd: locateCopy(source) })
    const [{ filename, size, unpackedSize, files }] = JSON.parse(output)
    const tarball = join(locateCopy(source), filename)
    found.push({ name: readManifest(source).name, source, tarball, size, unpackedSize, files: files.map(({ path }) => path) })
  }
  return found
}
