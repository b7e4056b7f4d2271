/** The runs of `check` at one target. Each is stored when it ends, so that a measurement of hours goes on where it was interrupted. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../places.mjs'

/**
 * @typedef {object} Violation
 * @property {string} endpoint
 * @property {string} rule
 * @property {string} violation
 * @property {string} repeat  the command or the script that repeats it
 *
 * @typedef {object} Run
 * @property {number} seed
 * @property {number} requests
 * @property {readonly Violation[]} violations
 */

/** The requests of one run. The next one has a fresh server and another seed. */
const requestsOfRun = 10_000
/** The requests of its sequences. */
const stepsOfRun = 500
const store = join(root, 'node_modules/.cache/lapidary-alarms')

/** @param {string} name */
const findFile = (name) => join(store, `${name.replace(/\W+/g, '-')}.jsonl`)

/** Removes the stored runs of a target. @param {string} name */
export const forgetRuns = (name) => rmSync(findFile(name), { force: true })

/** @param {string} name of a target @returns {readonly Run[]} */
export function readRuns(name) {
  const file = findFile(name)
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
}

/** Runs `check` once. @param {import('./targets.mjs').StartedTarget & { description: readonly string[] }} target @param {number} seed @param {string} file */
async function runCheck({ url, description, options = [] }, seed, file) {
  const limits = ['--requests', `${requestsOfRun}`, '--seconds', '1200', '--time', '5000']
  // Several clients: some rules are about them, and others only hold for one.
  const sequences = ['--steps', `${stepsOfRun}`, '--clients', seed % 2 === 0 ? '4' : '1']
  const words = ['check', ...description, '--url', url, '--write', '--seed', `${seed}`, ...limits, ...sequences]
  const program = join(root, 'packages/cli/bin/lapidary.js')
  const child = spawn(process.execPath, [program, ...words, '--format', `json=${file}`, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const [code] = await once(child, 'close')
  // 1: a rule is broken.
  assert(code === 0 || code === 1, errors)
  const { requests, failures, isOverBudget } = JSON.parse(readFileSync(file, 'utf8'))
  assert(!isOverBudget, `seed ${seed} used up its budget`)
  return {
    seed,
    requests,
    violations: failures.map(({ endpoint, rule, violation, curl, script }) => ({ endpoint, rule, violation, repeat: script ?? curl })),
  }
}

/**
 * Checks a target again and again, until it got its requests with the stored runs.
 * @param {import('./targets.mjs').Target} target
 * @param {number} share  of the requests
 * @param {string} folder  which does not exist
 */
export async function checkTarget(target, share, folder) {
  mkdirSync(store, { recursive: true })
  const runs = [...readRuns(target.name)]
  const countRequests = () => runs.reduce((sum, { requests }) => sum + requests, 0)
  for (let seed = runs.length + 1; countRequests() < share; seed += 1) {
    const own = join(folder, `${seed}`)
    mkdirSync(own, { recursive: true })
    const started = await target.start(own)
    try {
      const run = await runCheck({ description: target.description, ...started }, seed, join(own, 'report.json'))
      appendFileSync(findFile(target.name), `${JSON.stringify(run)}\n`)
      runs.push(run)
    } finally {
      await started.stop()
    }
    rmSync(own, { recursive: true, force: true, maxRetries: 5 })
  }
  return runs
}
