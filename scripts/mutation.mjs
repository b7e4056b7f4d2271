/**
 * Mutation tests: removes one guard at a time in a temporary copy of the tree and runs its test. The test must pass with the guard and fail without it.
 *
 *   npm run mutation
 *   npm run mutation -- Host drain      (guards whose name contains one of the words)
 *
 * The exit code is 1 when a mutant survives, when its text is not exactly once in its file, or when a test fails without a mutation.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { adapters } from './mutation/adapters.mjs'
import { docsPage } from './mutation/docsPage.mjs'
import { service } from './mutation/service.mjs'
import { values } from './mutation/values.mjs'
import { listWorkspaceFolders } from './workspaces.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const words = process.argv.slice(2).map((word) => word.toLowerCase())
const guards = [...adapters, ...docsPage, ...values, ...service].filter(
  ({ guard }) => words.length === 0 || words.some((word) => guard.toLowerCase().includes(word)),
)

/** Links the installed packages of a folder into the copy. A workspace is linked to its own copy. */
function linkPackages(copy, folder) {
  mkdirSync(join(copy, folder))
  // Entries that begin with a dot are caches of tools, and are not shared.
  for (const name of readdirSync(join(root, folder)).filter((one) => !one.startsWith('.'))) {
    if (name.startsWith('@')) {
      linkPackages(copy, join(folder, name))
      continue
    }
    const target = relative(realpathSync(root), realpathSync(join(root, folder, name)))
    const isWorkspace = !target.startsWith('..') && !target.split(sep).includes('node_modules')
    symlinkSync(isWorkspace ? join(copy, target) : join(root, folder, name), join(copy, folder, name), 'junction')
  }
}

/** Copies the tracked and the new files, and links the installed packages. */
function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), 'lapidary-mutation-'))
  const listed = spawnSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  for (const path of listed.stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(join(root, path), join(copy, path), { verbatimSymlinks: true })
  }
  for (const folder of ['.', ...listWorkspaceFolders()]) {
    if (existsSync(join(root, folder, 'node_modules'))) linkPackages(copy, join(folder, 'node_modules'))
  }
  return copy
}

const findProject = ({ test, project }) =>
  project ?? (!test.startsWith('service/') ? 'toolkit' : test.endsWith('.postgres.test.ts') ? 'postgres' : 'sqlite')

/** Runs the tests in these files whose names match. @returns the file, the full name and the status of each */
function runTests(copy, project, files, name, timeout) {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const flags = ['--reporter=json', `--outputFile=${report}`, `--testTimeout=${timeout}`, '-t', name]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [vitest, 'run', '--project', project, ...files, ...flags], { cwd: copy, stdio: 'ignore' })
    child.once('error', reject)
    child.once('close', () => {
      const { testResults } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { testResults: [] }
      resolve(
        testResults.flatMap(({ name: file, assertionResults }) =>
          assertionResults
            .filter(({ status }) => status === 'passed' || status === 'failed')
            .map(({ fullName, status }) => ({ file: file.slice(file.indexOf(copy) + copy.length + 1), fullName, status })),
        ),
      )
    })
  })
}

const isTestOf = ({ test, name }, { file, fullName }) => file === test && new RegExp(name).test(fullName)

/** Runs the tests of all guards on the tree without a mutation. @returns the results by guard */
async function runUnchanged(copy) {
  const all = []
  for (const project of new Set(guards.map(findProject))) {
    const own = guards.filter((one) => findProject(one) === project)
    const names = own.map(({ name }) => `(?:${name})`).join('|')
    all.push(...(await runTests(copy, project, [...new Set(own.map(({ test }) => test))], names, 30_000)))
  }
  return new Map(guards.map((one) => [one, all.filter((outcome) => isTestOf(one, outcome))]))
}

/** Replaces one guard with its fault, runs the test, and restores the file. @returns what is wrong, or nothing when the test fails */
async function runMutant(copy, guard) {
  const { file, text, fault, test, name } = guard
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  const [before, after, ...more] = source.split(text)
  if (after === undefined || more.length > 0)
    return `the text to replace ${after === undefined ? 'is missing' : 'occurs more than once'} in ${file}`
  writeFileSync(path, before + fault + after)
  try {
    const found = (await runTests(copy, findProject(guard), [test], name, 8_000)).filter((outcome) => isTestOf(guard, outcome))
    if (found.length === 0) return 'its test did not run'
    return found.some(({ status }) => status === 'failed') ? undefined : 'SURVIVES'
  } finally {
    writeFileSync(path, source)
  }
}

const began = performance.now()
const copy = copyTree()
process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const width = Math.max(...guards.map(({ guard }) => guard.length))
let missed = 0
process.stderr.write(`${guards.length} guards; running their tests without a mutation …\n`)
const unchanged = await runUnchanged(copy)
for (const guard of guards) {
  const green = unchanged.get(guard) ?? []
  const failing = green.filter(({ status }) => status === 'failed').map(({ fullName }) => `fails without a mutation: ${fullName}`)
  const wrong = green.length === 0 ? 'no test has this name' : (failing[0] ?? (await runMutant(copy, guard)))
  if (wrong !== undefined) missed += 1
  console.log(`${guard.guard.padEnd(width)} | ${guard.test} -t '${guard.name}' | ${wrong ?? 'passes with it, fails without it'}`)
}
console.log(`${guards.length} guards, ${missed} without a test that notices, ${((performance.now() - began) / 1000).toFixed(0)} seconds`)
process.exitCode = missed === 0 ? 0 : 1
