/** Where everything is, and which versions are asked for. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const here = fileURLToPath(new URL('.', import.meta.url))
export const toolkit = join(root, 'lapidary')

/** @param {string} folder */
export const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The file of a program that a package of this folder brings. @param {string} name @param {string} [program] */
export function programOf(name, program = name) {
  const folder = join(here, 'node_modules', name)
  const { bin } = manifestIn(folder)
  return join(folder, typeof bin === 'string' ? bin : bin[program])
}
