/**
 * Packs the packages as the release publishes them. They are built from copies of their sources, so that no file of an earlier build is packed, and the
 * folder of this repository is neither read from a tarball nor written to.
 *
 * A package has its JavaScript, its declarations with maps to the sources, and the sources: an editor's "Go to definition" ends there, and the comments
 * are there. Nothing reads comments in JavaScript, maps from it to sources that look the same, or the declarations that no entry point refers to, so they
 * are left out.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { buildPages } from './pages.mjs'
import { addRepositoryFields } from './repository.mjs'
import { listPublishedFolders } from './workspaces.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What a package's folder has besides its sources. */
const others = ['dist', 'node_modules', 'test']

/** Returns what a program writes to standard output. @throws Error with its whole output, when it fails */
export async function runProgram(program, words, options) {
  const shell = process.platform === 'win32' && program === 'npm'
  const child = spawn(program, words, { ...options, shell, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const name of Object.keys(output))
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text
    })
  const [status, signal] = await once(child, 'close')
  if (status === 0) return output.stdout
  throw new Error(`"${[program, ...words].join(' ')}" ended with ${status ?? signal}:\n${output.stdout}${output.stderr}`)
}

const listFiles = (/** @type {string} */ folder, /** @type {string} */ extension) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(extension))
    .map((path) => join(folder, path))

/** The paths that an `exports` of a manifest has below a condition. */
function listTargets(exports, condition) {
  if (typeof exports !== 'object') return []
  return Object.entries(exports).flatMap(([key, value]) =>
    key === condition && typeof value === 'string' ? [value] : listTargets(value, condition),
  )
}

/** The declarations that the entry points of a package refer to, in one step or several. */
function listDeclarations(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const found = new Set()
  const add = (/** @type {string} */ path) => {
    if (found.has(path)) return
    found.add(path)
    // Examples in docstrings have imports as well.
    const code = readFileSync(path, 'utf8').replace(/^ *(?:\/\*\*|\*).*$/gm, '')
    for (const [, specifier] of code.matchAll(/\b(?:from|import)\b[ (]*['"](\.[^'"]*)['"]/g))
      add(resolve(path, '..', specifier.replace(/(?:\.d)?\.[jt]s$/, '.d.ts')))
  }
  for (const path of listTargets(exports, 'types')) add(join(folder, path))
  return found
}

/** Removes what no program and no editor reads. */
async function removeUnread(folder) {
  const dist = join(folder, 'dist')
  if (!existsSync(dist)) return
  const declarations = listDeclarations(folder)
  for (const path of listFiles(dist, '.d.ts').filter((one) => !declarations.has(one)))
    for (const unread of [path, `${path}.map`]) rmSync(unread)
  await Promise.all(
    listFiles(dist, '.js').map(async (path) => {
      // It keeps the comments that bundlers read.
      const { code } = await transform(readFileSync(path, 'utf8'), { format: 'esm', target: 'es2022', charset: 'utf8' })
      writeFileSync(path, code)
    }),
  )
}

/** npm leaves out what is missing without a word. @throws Error for a file or a folder that the manifest lists and the package does not have */
function checkListedFiles(folder) {
  const { name, files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const missing = files.filter((path) => !path.startsWith('!') && !existsSync(join(folder, path)))
  if (missing.length > 0) throw new Error(`The package ${name} lists ${missing.join(', ')}, which it does not have. Run "npm run setup".`)
}

/**
 * @typedef {object} PackedPackage
 * @property {string} name          of the package
 * @property {string} version
 * @property {string} source        the package's folder in this repository
 * @property {string} tarball
 * @property {string} integrity     of the tarball, as registries have it
 * @property {number} size          bytes
 * @property {number} unpackedSize  bytes
 * @property {readonly string[]} files
 */

/**
 * The same sources, address and tools give the same bytes, in any folder.
 * @param {string} folder an empty one
 * @param {string} url the https address of the repository, for the manifests
 * @returns {Promise<readonly PackedPackage[]>} each after those that it depends on
 */
export async function packPackages(folder, url) {
  await buildPages()
  const folders = listPublishedFolders()
  const copies = folders.map((source) => join(folder, 'packages', basename(source)))
  // All of them are made before the first is written, so that a wrong address changes nothing.
  const manifests = folders.map((source) => addRepositoryFields(readFileSync(join(root, source, 'package.json'), 'utf8'), url, source))
  cpSync(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  for (const [index, source] of folders.entries()) {
    const copy = copies[index]
    mkdirSync(copy, { recursive: true })
    const names = readdirSync(join(root, source)).filter((name) => !others.includes(name))
    for (const name of names) cpSync(join(root, source, name), join(copy, name), { recursive: true })
    writeFileSync(join(copy, 'package.json'), manifests[index])
  }
  const built = copies.filter((copy) => existsSync(join(copy, 'tsconfig.json')))
  // The gate has checked the types, which changes no byte here.
  const words = [join(root, 'node_modules/typescript/bin/tsc'), '--build', '--noCheck', '--sourceMap', 'false', ...built]
  await runProgram(process.execPath, words)
  for (const copy of copies) checkListedFiles(copy)
  await Promise.all(copies.map(removeUnread))
  return Promise.all(
    copies.map(async (cwd, index) => {
      const output = await runProgram('npm', ['pack', '--json', '--ignore-scripts', '--loglevel=error'], { cwd })
      // npm 12 gives a record by name in place of a list.
      const [{ name, version, filename, integrity, size, unpackedSize, files }] = Object.values(JSON.parse(output))
      const paths = files.map(({ path }) => path)
      return {
        name,
        version,
        source: join(root, folders[index]),
        tarball: join(cwd, filename),
        integrity,
        size,
        unpackedSize,
        files: paths,
      }
    }),
  )
}
