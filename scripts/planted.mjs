/**
 * Takes one guard after the other away, in a throwaway copy of the tree, and looks whether its test notices: green with the guard, red without.
 *
 *   npm run planted
 *   npm run planted -- Host drain      (guards whose name holds one of the words)
 *
 * Exit code 1 when a fault survives, when a text to replace is not there exactly once, or when a test fails by itself.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { adapters } from './mutation/adapters.mjs'
import { service } from './mutation/service.mjs'
import { values } from './mutation/values.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const words = process.argv.slice(2).map((word) => word.toLowerCase())
const guards = [...adapters, ...values, ...service].filter(
  ({ guard }) => words.length === 0 || words.some((word) => guard.toLowerCase().includes(word)),
)

/** The tracked files, and those that will be, with what is installed: linked, but for the workspaces, which have to be the copy's own. */
function copied() {
  const copy = mkdtempSync(join(tmpdir(), 'lapidary-planted-'))
  const listed = spawnSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  for (const path of listed.stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(join(root, path), join(copy, path), { verbatimSymlinks: true })
  }
  const workspaces = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces
  for (const folder of ['.', ...workspaces].map((one) => join(one, 'node_modules')).filter((one) => existsSync(join(root, one)))) {
    mkdirSync(join(copy, folder))
    // What tools keep there begins with a dot, and is not for sharing.
    for (const name of readdirSync(join(root, folder)).filter((one) => !one.startsWith('.'))) {
      symlinkSync(workspaces.includes(name) ? join(copy, name) : join(root, folder, name), join(copy, folder, name))
    }
  }
  return copy
}

const projectOf = ({ test, project }) =>
  project ?? (test.startsWith('lapidary/') ? 'toolkit' : test.endsWith('.postgres.test.ts') ? 'postgres' : 'sqlite')

/** Runs the tests of these files whose names match, and gives back the outcome of each: its file, its name, how it went. */
function outcomes(copy, project, files, name, patience) {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const flags = ['--reporter=json', `--outputFile=${report}`, `--testTimeout=${patience}`, '-t', name]
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

const isOf = ({ test, name }, { file, fullName }) => file === test && new RegExp(name).test(fullName)

/** How the tests go as they are; by their guards. */
async function unharmed(copy) {
  const all = []
  for (const project of new Set(guards.map(projectOf))) {
    const own = guards.filter((one) => projectOf(one) === project)
    const names = own.map(({ name }) => `(?:${name})`).join('|')
    all.push(...(await outcomes(copy, project, [...new Set(own.map(({ test }) => test))], names, 30_000)))
  }
  return new Map(guards.map((one) => [one, all.filter((outcome) => isOf(one, outcome))]))
}

/** Plants one fault, runs its test, and takes it away again. */
async function planted(copy, guard) {
  const { file, text, fault, test, name } = guard
  const path = join(copy, file)
  const source = readFileSync(path, 'utf8')
  const [before, after, ...more] = source.split(text)
  if (after === undefined || more.length > 0) return `the text to replace is ${after === undefined ? 'not' : 'more than once'} in ${file}`
  writeFileSync(path, before + fault + after)
  try {
    const found = (await outcomes(copy, projectOf(guard), [test], name, 8_000)).filter((outcome) => isOf(guard, outcome))
    if (found.length === 0) return 'its test did not run'
    return found.some(({ status }) => status === 'failed') ? undefined : 'SURVIVES'
  } finally {
    writeFileSync(path, source)
  }
}

const began = performance.now()
const copy = copied()
process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const width = Math.max(...guards.map(({ guard }) => guard.length))
let missed = 0
process.stderr.write(`${guards.length} guards, and their tests as they are …\n`)
const sound = await unharmed(copy)
for (const guard of guards) {
  const green = sound.get(guard) ?? []
  const failing = green.filter(({ status }) => status === 'failed').map(({ fullName }) => `fails by itself: ${fullName}`)
  const wrong = green.length === 0 ? 'no test has this name' : (failing[0] ?? (await planted(copy, guard)))
  if (wrong !== undefined) missed += 1
  console.log(`${guard.guard.padEnd(width)} | ${guard.test} -t '${guard.name}' | ${wrong ?? 'green with it, red without'}`)
}
console.log(
  `${guards.length} guards, ${missed} without a test that sees to them, ${((performance.now() - began) / 1000).toFixed(0)} seconds`,
)
process.exitCode = missed === 0 ? 0 : 1
