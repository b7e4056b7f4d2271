/**
 * What the compiler does for a large API, with its handlers and a call of each endpoint: `npm run bench -- types [--only lapidary,hono] [--endpoints 100,500] [--rounds 5] [--results FOLDER]`.
 *
 * The same program for each framework, written by a file in `types/`; the compiler is the one that this repository is built with. Time and memory are
 * those of the whole compiler; from the instantiations those of a program that imports the same, and has no endpoint, are taken away.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { describeEnvironment, formatEnvironment, listVersions, resultsFolder } from './environment.mjs'
import { frameworks } from './frameworks.mjs'
import { install } from './install.mjs'
import { log, parseCount, stop } from './log.mjs'
import { formatTable, median } from './report.mjs'
import { writeResults } from './results.mjs'
import { perPart } from './types/parts.mjs'

const names = ['lapidary', 'hono', 'tsrest', 'orpc', 'orpc2', 'effect', 'effect4', 'elysia']
const defaults = { endpoints: '100,500', rounds: '5' }

const root = fileURLToPath(new URL('..', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))
const compiler = join(root, 'node_modules', 'typescript')

/** Where a framework has packages of its own: another version of one that is measured, with its lock file. @param {string} name */
const findOwnPackages = (name) => join(here, 'types', name)
const hasOwnPackages = (/** @type {string} */ name) => existsSync(join(findOwnPackages(name), 'package-lock.json'))

/** A folder from which everything that a program imports can be imported. @param {string} name */
function createProgramFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-types-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const source of hasOwnPackages(name) ? [findOwnPackages(name), here] : [here]) {
    const packages = readdirSync(join(source, 'node_modules')).filter((one) => !one.startsWith('.') && one !== '@types')
    for (const one of packages) {
      if (!existsSync(join(modules, one))) symlinkSync(join(source, 'node_modules', one), join(modules, one))
    }
  }
  symlinkSync(join(root, 'node_modules', '@types'), join(modules, '@types'), 'dir')
  symlinkSync(join(root, 'packages/lapidary'), join(modules, 'lapidary'), 'dir')
  return folder
}

/** The names and versions of what the program of a framework imports. @param {string} name */
function listSoftware(name) {
  if (!hasOwnPackages(name)) return listVersions(frameworks.find((one) => one.name === name)?.packages ?? [])
  const { dependencies } = JSON.parse(readFileSync(join(findOwnPackages(name), 'package.json'), 'utf8'))
  return Object.entries(dependencies).map(([one, version]) => `${one} ${version}`)
}

const options = {
  ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'], module: 'nodenext', moduleResolution: 'nodenext' },
  ...{ strict: true, skipLibCheck: true, noEmit: true },
}

/** One line of the compiler's diagnostics, as a number. @param {string} output @param {string} name */
function readFigure(output, name) {
  const found = new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(output)
  return found === null ? stop(`the output of the compiler has no line "${name}"`) : Number(found[1])
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {number} endpoints
 */
async function compileProgram(folder, name, endpoints) {
  const { program } = await import(`./types/${name}.mjs`)
  const file = `${name}${endpoints}`
  writeFileSync(join(folder, `${file}.ts`), program(endpoints / perPart))
  writeFileSync(join(folder, `${file}.json`), JSON.stringify({ compilerOptions: options, files: [`${file}.ts`] }))
  const words = [
    join(compiler, 'bin', 'tsc'),
    '--project',
    `${file}.json`,
    '--pretty',
    'false',
    '--extendedDiagnostics',
    '--singleThreaded',
  ]
  const output = await promisify(execFile)(process.execPath, words, { cwd: folder, maxBuffer: 2 ** 26 }).catch(({ stdout = '' }) =>
    stop(`the program of ${name} does not compile:\n${stdout.slice(0, 2_000)}`),
  )
  return {
    instantiations: readFigure(output.stdout, 'Instantiations'),
    seconds: readFigure(output.stdout, 'Total time'),
    megabytes: readFigure(output.stdout, 'Memory used') / 1_000,
  }
}

/** @param {readonly string[]} words */
export async function run(words) {
  const string = /** @type {const} */ ('string')
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: string, default: names.join() },
      endpoints: { type: string, default: defaults.endpoints },
      rounds: { type: string, default: defaults.rounds },
      results: { type: string },
    },
  })
  const only = values.only.split(',')
  for (const name of only) if (!names.includes(name)) stop(`--only ${name}: expected some of ${names.join(', ')}`)
  const sizes = values.endpoints.split(',').map((text) => parseCount('endpoints', text))
  for (const size of sizes) if (size % perPart !== 0) stop(`--endpoints ${size}: expected a multiple of ${perPart}`)
  const rounds = parseCount('rounds', values.rounds)

  for (const name of only.filter(hasOwnPackages)) install(join('types', name))
  const folders = new Map(only.map((name) => [name, createProgramFolder(name)]))
  process.once('exit', () => {
    for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  const cases = only.flatMap((name) => [0, ...sizes].map((endpoints) => ({ name, endpoints, found: /** @type {any[]} */ ([]) })))
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, endpoints, found } of cases) {
      log(`round ${round} of ${rounds}: ${name}, ${endpoints} endpoints`)
      found.push(await compileProgram(folders.get(name) ?? '', name, endpoints))
    }
  }

  const of = (/** @type {typeof cases[number]} */ { found }, /** @type {string} */ field) => median(found.map((one) => one[field]))
  const summary = cases
    .filter(({ endpoints }) => endpoints > 0)
    .map((one) => {
      const none = cases.find(({ name, endpoints }) => name === one.name && endpoints === 0) ?? one
      const instantiations = of(one, 'instantiations') - of(none, 'instantiations')
      return {
        name: one.name,
        endpoints: one.endpoints,
        instantiations: instantiations / one.endpoints,
        seconds: of(one, 'seconds'),
        megabytes: of(one, 'megabytes'),
      }
    })
  const { version } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8'))
  const environment = describeEnvironment([`TypeScript ${version}`, ...new Set(only.flatMap(listSoftware).sort())])
  process.stdout.write(formatEnvironment(environment))
  process.stdout.write(`endpoints with their handlers and a call of each; medians of ${rounds} rounds\n\n`)
  process.stdout.write(
    formatTable([
      ['program', 'endpoints', 'instantiations each', 'seconds', 'MB'],
      ...summary.map(({ name, endpoints, instantiations, seconds, megabytes }) => [
        ...[name, String(endpoints), instantiations.toFixed(0), seconds.toFixed(2), megabytes.toFixed(0)],
      ]),
    ]),
  )
  const isDefault = only.length === names.length && values.endpoints === defaults.endpoints && values.rounds === defaults.rounds
  const results = values.results ?? (isDefault ? resultsFolder : undefined)
  if (results === undefined) return
  const { createTypesPlot } = await import('./plots/types.mjs')
  const types = await createTypesPlot(summary, `TypeScript ${version}, ${environment.date.slice(0, 10)}`)
  writeResults(results, 'types', { about: { ...environment, rounds }, summary, plots: { types } })
}
