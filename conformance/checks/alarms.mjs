/**
 * Counts the false alarms of `check`, on servers that keep their descriptions and on servers of other frameworks. A person has read each
 * violation, and `alarms/classified.json` says what it is. One that is not there fails this check.
 *
 *   REQUESTS=1000000 TARGETS=service,hapi npm run conformance -- --only alarms
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foreignTargets, installServers } from '../alarms/foreign.mjs'
import { writePage } from '../alarms/page.mjs'
import { targets } from '../alarms/targets.mjs'
import { log } from '../log.mjs'
import { here, root } from '../places.mjs'

/** The requests of one run of `check`: with another seed, the next run sends others. */
const requestsOfRun = 5_000

/** @type {Record<string, Record<string, { verdict: 'true' | 'false', reason: string }>>} */
const classified = JSON.parse(readFileSync(join(here, 'alarms/classified.json'), 'utf8'))

/** Runs `check` once. @returns {Promise<{ requests: number, violations: readonly object[] }>} */
async function runCheck({ url, description, options = [] }, seed, file) {
  const limits = ['--requests', `${requestsOfRun}`, '--seconds', '600', '--time', '5000']
  const words = ['check', ...description, '--url', url, '--write', '--seed', `${seed}`, ...limits, '--format', `json=${file}`, ...options]
  const child = spawn(process.execPath, [join(root, 'packages/cli/bin/lapidary.js'), ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const [code] = await once(child, 'close')
  // 1: a rule is broken.
  assert(code === 0 || code === 1, errors)
  const { requests, failures } = JSON.parse(readFileSync(file, 'utf8'))
  return { requests, violations: failures }
}

/** Checks a target again and again, until it got its requests. */
async function checkTarget(target, share, folder) {
  mkdirSync(folder)
  const started = await target.start(folder)
  const found = new Map()
  let requests = 0
  try {
    for (let seed = 1; requests < share; seed += 1) {
      const run = await runCheck({ description: target.description, ...started }, seed, join(folder, 'report.json'))
      requests += run.requests
      for (const { endpoint, rule, violation, curl } of run.violations) {
        const place = `${endpoint} ${rule}`
        found.set(place, found.get(place) ?? { violation, curl, seed })
      }
    }
  } finally {
    await started.stop()
  }
  const known = classified[target.name.replace(/ [\d.]+$/, '')] ?? {}
  const unknown = [...found].filter(([place]) => known[place] === undefined)
  const count = (verdict) => [...found.keys()].filter((place) => known[place]?.verdict === verdict).length
  return { name: target.name, requests, unknown, trueOnes: count('true'), falseOnes: count('false') }
}

export async function check({ createFolder }) {
  const { REQUESTS = '100000', TARGETS = '' } = process.env
  const names = TARGETS.split(',')
  const chosen = [...targets, ...foreignTargets].filter(({ name }) => names.some((one) => name.includes(one)))
  if (chosen.some((target) => foreignTargets.includes(target))) installServers()
  const folder = createFolder('alarms')
  const rows = []
  for (const [index, target] of chosen.entries()) {
    const row = await checkTarget(target, Number(REQUESTS) / chosen.length, join(folder, `${index}`))
    log(
      `alarms: ${row.name}: ${row.requests} requests, ${row.trueOnes} faults, ${row.falseOnes} false alarms, ${row.unknown.length} unknown`,
    )
    for (const [place, { violation, curl, seed }] of row.unknown) log(`  ${place}: ${violation}\n    seed ${seed}: ${curl}`)
    rows.push(row)
  }
  assert.deepEqual(
    rows.flatMap(({ unknown }) => unknown.map(([place]) => place)),
    [],
    'violations that are not classified yet',
  )
  if (TARGETS === '') writePage(rows)
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0)
  return `${sum('requests')} requests to ${rows.length} servers: ${sum('trueOnes')} faults, ${sum('falseOnes')} false alarms`
}
