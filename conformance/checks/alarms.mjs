/**
 * Counts the false alarms of `check`, on servers that keep their descriptions and on servers of other frameworks. A person has read each
 * violation, and `alarms/classified.json` says what it is. One that is not there fails this check.
 *
 *   REQUESTS=1000000 PARALLEL=2 npm run conformance -- --only alarms
 *   TARGETS=service,hapi npm run conformance -- --only alarms
 *   RESUME=1 REQUESTS=1000000 npm run conformance -- --only alarms    with the runs of one that was interrupted
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { foreignTargets, installServers } from '../alarms/foreign.mjs'
import { writePage } from '../alarms/page.mjs'
import { checkTarget, forgetRuns } from '../alarms/runs.mjs'
import { targets } from '../alarms/targets.mjs'
import { waitForAll } from '../command.mjs'
import { log } from '../log.mjs'
import { here } from '../places.mjs'

/** @type {Record<string, Record<string, { verdict: 'true' | 'false', reason: string }>>} */
const classified = JSON.parse(readFileSync(join(here, 'alarms/classified.json'), 'utf8'))

/** The row of a target: each violation counts once for an endpoint and a rule. @param {string} name @param {readonly import('../alarms/runs.mjs').Run[]} runs */
function createRow(name, runs) {
  const found = new Map()
  for (const { seed, violations } of runs) {
    for (const one of violations) {
      const place = `${one.endpoint} ${one.rule}`
      found.set(place, found.get(place) ?? { seed, ...one })
    }
  }
  const known = classified[name.replace(/ [\d.]+$/, '')] ?? {}
  const unknown = [...found].filter(([place]) => known[place] === undefined)
  const count = (verdict) => [...found.keys()].filter((place) => known[place]?.verdict === verdict).length
  const requests = runs.reduce((sum, run) => sum + run.requests, 0)
  return { name, runs: runs.length, requests, unknown, trueOnes: count('true'), falseOnes: count('false') }
}

function logRow({ name, requests, trueOnes, falseOnes, unknown }) {
  log(`alarms: ${name}: ${requests} requests, ${trueOnes} faults, ${falseOnes} false alarms, ${unknown.length} unknown`)
  for (const [place, { violation, repeat, seed }] of unknown) log(`  ${place}: ${violation}\n    seed ${seed}: ${repeat}`)
}

export async function check({ createFolder }) {
  const { REQUESTS = '100000', TARGETS = '', PARALLEL = '1', RESUME } = process.env
  const names = TARGETS.split(',')
  const chosen = [...targets, ...foreignTargets].filter(({ name }) => names.some((one) => name.includes(one)))
  if (chosen.some((target) => foreignTargets.includes(target))) installServers()
  if (RESUME === undefined) for (const { name } of chosen) forgetRuns(name)
  const folder = createFolder('alarms')
  const rows = []
  const waiting = [...chosen.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, target] = next
      const runs = await checkTarget(target, Number(REQUESTS) / chosen.length, join(folder, `${index}`))
      rows[index] = createRow(target.name, runs)
      logRow(rows[index])
    }
  }
  await waitForAll(Array.from({ length: Number(PARALLEL) }, work))
  assert.deepEqual(
    rows.flatMap(({ unknown }) => unknown.map(([place]) => place)),
    [],
    'violations that are not classified yet',
  )
  if (TARGETS === '') writePage(rows)
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0)
  return `${sum('requests')} requests to ${rows.length} servers: ${sum('trueOnes')} faults, ${sum('falseOnes')} false alarms`
}
