/** Paths and manifests of this repository. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listPublishedFolders } from '../scripts/workspaces.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const here = fileURLToPath(new URL('.', import.meta.url))
/** The folder of the package `lapidary`. */
export const toolkit = join(root, 'packages/lapidary')
/** The folders of the packages that are published: each after those that it depends on. */
export const packages = listPublishedFolders().map((folder) => join(root, folder))

/** @param {string} folder */
export const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The specifiers of a package's entry points. `internal` and `internal-node` are no part of the documented surface. @param {string} folder */
export function listEntryPoints(folder) {
  const { name, exports = {} } = readManifest(folder)
  const subpaths = Object.keys(exports).filter((subpath) => !subpath.startsWith('./internal'))
  return subpaths.map((subpath) => name + subpath.slice(1))
}

/** The file of a program that a package of this folder brings. @param {string} name @param {string} [program] */
export function findProgram(name, program = name) {
  const folder = join(here, 'node_modules', name)
  const { bin } = readManifest(folder)
  return join(folder, typeof bin === 'string' ? bin : bin[program])
}
