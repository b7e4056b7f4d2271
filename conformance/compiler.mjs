/** Both lines of TypeScript: the one that is written in JavaScript, and the native one that this repository is built with. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from './command.mjs'
import { here, readManifest, root } from './places.mjs'

/**
 * @typedef {object} Compiler
 * @property {string} version
 * @property {string} program
 */

/** @param {string} folder @returns {Compiler} */
function findCompiler(folder) {
  const place = join(folder, 'node_modules', 'typescript')
  return { version: readManifest(place).version, program: join(place, 'bin', 'tsc') }
}

export const classic = findCompiler(here)
export const native = findCompiler(root)
export const compilers = [classic, native]

/** What projects have in common. */
const defaults = {
  target: 'es2022',
  lib: ['es2023'],
  types: ['node'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  skipLibCheck: true,
  noEmit: true,
}

let projects = 0

/**
 * Compiles files of a folder, and returns the output of the compiler.
 * @param {Compiler} compiler
 * @param {{ folder: string, files: readonly string[], options?: object, words?: readonly string[] }} project `options` win over the usual ones
 * @throws Error with its errors
 */
export async function compile({ program }, { folder, files, options = {}, words = [] }) {
  projects += 1
  const path = join(folder, `tsconfig.${projects}.json`)
  writeFileSync(path, JSON.stringify({ compilerOptions: { ...defaults, ...options }, files }))
  return runNode(program, ['--project', path, '--pretty', 'false', ...words], { cwd: folder })
}
