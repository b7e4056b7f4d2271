/**
 * What the compiler does for a large API, with its handlers and a call of each endpoint: `npm run bench -- types [--only lapidary,hono] [--endpoints 100,500] [--rounds 5] [--results FOLDER]`.
 *
 * The same program for each contestant, written by a file in `types/`; the compiler is the one that this repository is built with. Time and memory are
 * those of the whole compiler; from the instantiations those of a program that imports the same, and has no endpoint, are taken away.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { circumstances, headOf, resultsFolder, versionsOf } from './circumstances.mjs'
import { contestants } from './contestants.mjs'
import { install } from './install.mjs'
import { median, table } from './report.mjs'
import { writeResults } from './results.mjs'
import { count, say, stop } from './say.mjs'
import { perPart } from './types/parts.mjs'

const names = ['lapidary', 'hono', 'tsrest', 'orpc', 'orpc2', 'effect', 'effect4', 'elysia']
const usual = { endpoints: '100,500', rounds: '5' }

const root = fileURLToPath(new URL('..', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))
const compiler = join(root, 'node_modules', 'typescript')

/** Where a contestant has packages of its own: another version of one that is measured, with its lock file. @param {string} name */
const ownPackages = (name) => join(here, 'types', name)
const hasOwnPackages = (/** @type {string} */ name) => existsSync(join(ownPackages(name), 'package-lock.json'))

/** A folder from which everything that a program imports can be imported. @param {string} name */
function place(name) {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-types-'))
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const source of hasOwnPackages(name) ? [ownPackages(name), here] : [here]) {
    const packages = readdirSync(join(source, 'node_modules')).filter((one) => !one.startsWith('.') && one !== '@types')
    for (const one of packages) {
      if (!existsSync(join(modules, one))) symlinkSync(join(source, 'node_modules', one), join(modules, one))
    }
  }
  symlinkSync(join(root, 'node_modules', '@types'), join(modules, '@types'), 'dir')
  symlinkSync(join(root, 'packages/lapidary'), join(modules, 'lapidary'), 'dir')
  return folder
}

/** The names and versions of what a contestant's program imports. @param {string} name */
function software(name) {
  if (!hasOwnPackages(name)) return versionsOf(contestants.find((one) => one.name === name)?.packages ?? [])
  const { dependencies } = JSON.parse(readFileSync(join(ownPackages(name), 'package.json'), 'utf8'))
  return Object.entries(dependencies).map(([one, version]) => `${one} ${version}`)
}

const options = {
  ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'], module: 'nodenext', moduleResolution: 'nodenext' },
  ...{ strict: true, skipLibCheck: true, noEmit: true },
}

/** One line of the compiler's diagnostics, as a number. @param {string} said @param {string} name */
function figure(said, name) {
  const found = new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(said)
  return found === null ? stop(`the compiler says nothing of its ${name}`) : Number(found[1])
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {number} endpoints
 */
async function compiled(folder, name, endpoints) {
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
  const said = await promisify(execFile)(process.execPath, words, { cwd: folder, maxBuffer: 2 ** 26 }).catch(({ stdout = '' }) =>
    stop(`the program of ${name} does not compile:\n${stdout.slice(0, 2_000)}`),
  )
  return {
    instantiations: figure(said.stdout, 'Instantiations'),
    seconds: figure(said.stdout, 'Total time'),
    megabytes: figure(said.stdout, 'Memory used') / 1_000,
  }
}

/** @param {readonly string[]} words */
export async function run(words) {
  const string = /** @type {const} */ ('string')
  const { values } = parseArgs({
    args: [...words],
    options: {
      only: { type: string, default: names.join() },
      endpoints: { type: string, default: usual.endpoints },
      rounds: { type: string, default: usual.rounds },
      results: { type: string },
    },
  })
  const only = values.only.split(',')
  for (const name of only) if (!names.includes(name)) stop(`--only ${name}: expected some of ${names.join(', ')}`)
  const sizes = values.endpoints.split(',').map((text) => count('endpoints', text))
  for (const size of sizes) if (size % perPart !== 0) stop(`--endpoints ${size}: expected a multiple of ${perPart}`)
  const rounds = count('rounds', values.rounds)

  for (const name of only.filter(hasOwnPackages)) install(join('types', name))
  const folders = new Map(only.map((name) => [name, place(name)]))
  process.once('exit', () => {
    for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  const cases = only.flatMap((name) => [0, ...sizes].map((endpoints) => ({ name, endpoints, found: /** @type {any[]} */ ([]) })))
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, endpoints, found } of cases) {
      say(`round ${round} of ${rounds}: ${name}, ${endpoints} endpoints`)
      found.push(await compiled(folders.get(name) ?? '', name, endpoints))
    }
  }

  const of = (/** @type {typeof cases[number]} */ { found }, /** @type {string} */ field) => median(found.map((one) => one[field]))
  const measured = cases
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
  const where = circumstances([`TypeScript ${version}`, ...new Set(only.flatMap(software).sort())])
  process.stdout.write(headOf(where))
  process.stdout.write(`endpoints with their handlers and a call of each; medians of ${rounds} rounds\n\n`)
  process.stdout.write(
    table([
      ['program', 'endpoints', 'instantiations each', 'seconds', 'MB'],
      ...measured.map(({ name, endpoints, instantiations, seconds, megabytes }) => [
        ...[name, String(endpoints), instantiations.toFixed(0), seconds.toFixed(2), megabytes.toFixed(0)],
      ]),
    ]),
  )
  const isUsual = only.length === names.length && values.endpoints === usual.endpoints && values.rounds === usual.rounds
  const results = values.results ?? (isUsual ? resultsFolder : undefined)
  if (results === undefined) return
  const { typesPlot } = await import('./plots/types.mjs')
  const types = await typesPlot(measured, `TypeScript ${version}, ${where.date.slice(0, 10)}`)
  writeResults(results, 'types', { about: { ...where, rounds }, summary: measured, plots: { types } })
}
