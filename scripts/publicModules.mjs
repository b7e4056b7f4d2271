/**
 * Writes the module of every OpenAPI document in a folder, as `lapidary import` does, compiles the modules, and loads them.
 *
 *   node --import tsx scripts/publicModules.mjs <folder>
 *
 * It exits with 1 if a module does not compile, or is refused when it is loaded.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readOpenApi } from '@lapidary/openapi'
import { writeModule } from '@lapidary/openapi/internal'
import { listDocuments, toBatches } from './listDocuments.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** How many modules are compiled together. */
const batchSize = 40

const compilerOptions = {
  ...{ target: 'es2022', module: 'nodenext', lib: ['es2023', 'dom'], types: ['node'], noEmit: true, skipLibCheck: true },
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noUnusedLocals: true },
}

/** The code of a document; undefined for one that is not read. @param {string} path */
async function writeCode(path) {
  try {
    return writeModule(await readOpenApi(path)).code
  } catch {
    return undefined
  }
}

/** What the compiler says of the modules in a folder: one line for each error. @param {string} folder */
function compile(folder) {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  return stdout.split('\n').filter((line) => line.includes('error TS'))
}

/** Why a module is refused when it is loaded; undefined where it is not. @param {string} path */
async function findProblem(path) {
  try {
    await import(pathToFileURL(path).href)
    return undefined
  } catch (error) {
    return String(error)
  }
}

/** @param {string} documents @param {string} folder */
async function checkModules(documents, folder) {
  let count = 0
  const problems = []
  for (const [number, batch] of toBatches(listDocuments(documents), batchSize).entries()) {
    const inside = join(folder, `${number}`)
    mkdirSync(inside)
    const modules = []
    for (const [index, path] of batch.entries()) {
      const code = await writeCode(path)
      if (code === undefined) continue
      modules.push({ name: `module${index}.ts`, document: relative(documents, path) })
      writeFileSync(join(inside, `module${index}.ts`), code)
    }
    const errors = compile(inside)
    for (const { name, document } of modules) {
      const refused = await findProblem(join(inside, name))
      const found = [...errors.filter((line) => line.startsWith(`${name}(`)), ...(refused === undefined ? [] : [refused])]
      if (found.length > 0) problems.push(`${document}: ${found.join('\n  ')}`)
    }
    count += modules.length
    rmSync(inside, { recursive: true })
  }
  process.stdout.write(`${problems.map((problem) => `${problem}\n`).join('')}${count} modules, ${problems.length} with a fault\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

const [documents] = process.argv.slice(2)
if (documents === undefined) {
  process.stderr.write('usage: node --import tsx scripts/publicModules.mjs <folder>\n')
  process.exitCode = 2
} else {
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(join(root, 'node_modules/.cache/modules-'))
  try {
    await checkModules(documents, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
