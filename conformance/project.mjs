/** A project of `npm create lapidary`, as its user has it: made by the packed command, with the packed packages, in a repository of its own. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../scripts/ports.mjs'
import { runCommand } from './command.mjs'
import { root } from './places.mjs'

// That of the repository: a tool of this folder has an older one.
const { parse } = createRequire(join(root, 'package.json'))('yaml')

/**
 * @typedef {object} Project
 * @property {string} folder
 * @property {string} url          of its server
 * @property {Readonly<Record<string, string>>} environment
 */

/** The text files of a folder, without installed packages. @param {string} folder */
const listFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/**
 * Makes a project, as its user does: `npm create lapidary`. Then it gets the lock file that its user commits.
 * @param {string} folder  which does not exist
 * @param {readonly string[]} flags
 * @param {Readonly<Record<string, string>>} environment  with the registry
 * @returns {Promise<Project>}
 */
export async function makeProject(folder, flags, environment) {
  const cwd = dirname(folder)
  await runCommand('npm', ['create', '--yes', 'lapidary', '--', basename(folder), ...flags, '--no-install'], { cwd, environment })
  const port = await findFreePort()
  // Another process may have the port of its files.
  for (const file of listFiles(folder)) writeFileSync(file, readFileSync(file, 'utf8').replaceAll('3000', `${port}`))
  if (flags.includes('bun')) await runCommand('bun', ['install', '--lockfile-only'], { cwd: folder, environment })
  else
    await runCommand('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, environment })
  // Its pull requests go to the branch main of a remote.
  const git = (/** @type {readonly string[]} */ ...words) =>
    runCommand('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@shop.example', ...words], { cwd: folder })
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '.')
  await git('commit', '--quiet', '--message=feat: begin')
  await git('remote', 'add', 'origin', '.')
  await git('fetch', '--quiet', 'origin')
  return { folder, url: `http://127.0.0.1:${port}`, environment }
}

/** Ends a program with those that it has started, as a terminal does. @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
function interrupt(child, signal) {
  try {
    process.kill(-(child.pid ?? 0), signal)
  } catch {} // It has ended.
}

const isListening = (/** @type {string} */ url) =>
  fetch(url).then(
    () => true,
    () => false,
  )

/**
 * Starts a program of a project, and calls `use` when it listens. Then it gets the signal, and has to end.
 * @template Result
 * @param {Project} project @param {readonly string[]} words
 * @param {{ url?: string, signal?: NodeJS.Signals, cwd?: string, environment?: Readonly<Record<string, string>> }} options
 * @param {() => Promise<Result>} use
 * @returns {Promise<{ result: Result, exitCode: number | null }>}
 */
export async function withServer({ folder, url: ownUrl, environment: own }, [program = '', ...words], options, use) {
  const { url = ownUrl, signal = 'SIGINT', cwd = folder, environment = {} } = options
  const env = { ...process.env, ...own, ...environment }
  const child = spawn(program, words, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = once(child, 'exit')
  const endNow = () => interrupt(child, 'SIGKILL')
  process.once('exit', endNow)
  try {
    for (const start = performance.now(); !(await isListening(url)); await delay(20)) {
      assert.equal(child.exitCode, null, `${words.join(' ')} ended before it listened:\n${output}`)
      assert(performance.now() - start < 60_000, `${words.join(' ')} does not listen:\n${output}`)
    }
    const result = await use().catch((error) => {
      throw new Error(`${error.message}\n${output}`, { cause: error })
    })
    interrupt(child, signal)
    const [exitCode] = await Promise.race([ended, delay(10_000, ['does not end'])])
    assert.notEqual(exitCode, 'does not end', `${words.join(' ')} does not end at ${signal}:\n${output}`)
    assert.equal(await isListening(url), false, `${words.join(' ')} has ended, and the server has not`)
    return { result, exitCode }
  } finally {
    endNow()
    process.off('exit', endNow)
  }
}

/** The commands of the workflow, in their order. A step for pull requests is one of them. @param {Project} project */
export function readWorkflow({ folder }) {
  const { jobs } = parse(readFileSync(join(folder, '.github/workflows/ci.yml'), 'utf8'))
  /** @type {readonly { run?: string, name?: string }[]} */
  const steps = jobs.test.steps
  return steps.flatMap(({ run }) => (run === undefined || run.startsWith('npm install --global') ? [] : [run]))
}

/**
 * Runs one step as the runner of GitHub does, and ends what it has left running.
 * @param {Project} project @param {string} script
 * @throws Error with its output, when it fails
 */
export async function runStep({ folder, environment }, script) {
  const env = { ...process.env, ...environment, GITHUB_BASE_REF: 'main', NO_COLOR: '1' }
  const child = spawn('bash', ['-e', '-c', script], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const endNow = () => interrupt(child, 'SIGKILL')
  process.once('exit', endNow)
  const [exitCode] = await once(child, 'exit')
  endNow()
  process.off('exit', endNow)
  if (exitCode !== 0) throw new Error(`${script}\nended with ${exitCode}:\n${output}`)
  return output
}

/** The files that a Dockerfile may copy. @param {string} folder */
function listContext(folder) {
  const rules = readFileSync(join(folder, '.dockerignore'), 'utf8').trim().split('\n')
  assert.equal(rules.shift(), '*')
  const names = rules.map((rule) => rule.replace(/^!/, ''))
  return readdirSync(folder).filter((name) => names.includes(name))
}

/**
 * Does what a Dockerfile says, without Docker: each stage is a folder, and what it runs is run here.
 * @param {Project} project @param {string} place an empty folder
 * @returns the folder of the last stage, its variables and its command
 */
export async function buildImage({ folder, environment }, place) {
  const lines = readFileSync(join(folder, 'Dockerfile'), 'utf8').split('\n')
  const context = listContext(folder)
  /** @type {Record<string, string>} */
  const stages = {}
  /** @type {Record<string, string>} */
  let variables = {}
  let [stage, command] = ['', /** @type {readonly string[]} */ ([])]
  for (const line of lines) {
    const [word = '', ...rest] = line.split(' ')
    const text = rest.join(' ')
    if (word === 'FROM') {
      stage = join(place, `${Object.keys(stages).length}`)
      stages[rest[2] ?? 'last'] = stage
      mkdirSync(stage)
    }
    if (word === 'COPY') {
      const from = rest[0]?.startsWith('--from=') ? stages[rest.shift()?.slice(7) ?? ''] : undefined
      const target = join(stage, rest.pop() ?? '')
      const sources = rest.flatMap((name) => (name === '.' ? context : [name]))
      for (const name of sources) {
        if (from === undefined) assert(context.includes(name), `.dockerignore leaves out ${name}`)
        const path = from === undefined ? join(folder, name) : join(from, name.replace('/app/', ''))
        cpSync(path, sources.length > 1 ? join(target, name) : target, { recursive: true })
      }
    }
    if (word === 'RUN') await runCommand('sh', ['-c', text], { cwd: stage, environment })
    if (word === 'ENV') variables = Object.fromEntries(rest.map((pair) => pair.split('=')))
    if (word === 'CMD') command = JSON.parse(text)
  }
  return { folder: stage, variables, command }
}
