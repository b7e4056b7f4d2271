/** The package as it would be published: built from a copy of its sources, so that nothing comes along that an earlier build left behind. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { command } from './command.mjs'
import { root, toolkit } from './places.mjs'

/** What the folder of the package holds that is neither built nor a test. */
const sources = ['package.json', 'tsconfig.json', 'README.md', 'LICENSE', 'bin', 'src']

/**
 * @typedef {object} Packed
 * @property {string} tarball
 * @property {number} size          bytes
 * @property {number} unpackedSize  bytes
 * @property {readonly string[]} files
 */

/** @param {string} folder an empty one @returns {Promise<Packed>} */
export async function packed(folder) {
  const copy = join(folder, 'lapidary')
  mkdirSync(copy)
  for (const name of sources) cpSync(join(toolkit, name), join(copy, name), { recursive: true })
  cpSync(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  // Its own script builds it, whatever this machine says of the scripts of others.
  const said = await command('npm', ['pack', '--json', '--ignore-scripts=false', '--loglevel=error'], { cwd: copy })
  const [{ filename, size, unpackedSize, files }] = JSON.parse(said)
  return { tarball: join(copy, filename), size, unpackedSize, files: files.map(({ path }) => path) }
}
