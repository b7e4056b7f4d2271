/**
 * Plants faults into servers, and lets the check and the tools that npm offers look for them: each for a minute at most, at a fresh server.
 *
 *   UPDATE_GUIDES=1 PARALLEL=2 npm run conformance -- --only peers    writes the table of docs/finding-faults.md
 *   SYSTEMS=stones TOOLS=Dredd,Portman npm run conformance -- --only peers
 *   RESUME=1 npm run conformance -- --only peers                      with the results of a run that was interrupted
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { waitForAll } from '../command.mjs'
import { install } from '../install.mjs'
import { log } from '../log.mjs'
import { createSystems } from '../peers/faults.mjs'
import { writePage } from '../peers/page.mjs'
import { createResults } from '../peers/results.mjs'

/** One run of one tool at a fresh server. @returns {Promise<import('../peers/results.mjs').Result>} */
async function runOnce(tool, system, start, folder) {
  mkdirSync(folder, { recursive: true })
  const server = await start()
  const begin = performance.now()
  try {
    const { document, charset, credentials } = system
    const failures = await tool.run({ document, charset, credentials, url: server.url, folder })
    const seconds = (performance.now() - begin) / 1000
    return { isTested: failures !== undefined, failures: [...new Set(failures ?? [])], seconds }
  } finally {
    await server.close()
  }
}

export async function check({ createFolder }) {
  const { SYSTEMS = '', TOOLS = '', PARALLEL = '1', RESUME } = process.env
  install('peers/tools')
  // Each server and each tool that runs has one.
  process.setMaxListeners(100)
  const { tools } = await import('../peers/tools.mjs')
  const isChosen = (text, name) => text.split(',').some((one) => name.includes(one))
  const all = await createSystems()
  const systems = all.filter(({ name }) => isChosen(SYSTEMS, name))
  const chosenTools = tools.filter(({ name }) => isChosen(TOOLS, name))
  const results = createResults(RESUME !== undefined)
  const folder = createFolder('peers')
  const tasks = systems.flatMap((system) =>
    [{ sentence: '', start: system.startRight }, ...system.faults].flatMap(({ sentence, start }) =>
      chosenTools.map((tool) => ({ tool, system, sentence, start })),
    ),
  )
  const waiting = [...tasks.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, { tool, system, sentence, start }] = next
      const key = [tool.name, system.name, sentence]
      if (results.get(key) !== undefined) continue
      const result = await runOnce(tool, system, start, join(folder, `${index}`))
      results.add(key, result)
      log(
        `${index + 1}/${tasks.length} ${key.join(': ')} (${result.seconds.toFixed(1)} s) ${result.isTested ? result.failures.slice(0, 4).join('; ') : 'nothing tested'}`,
      )
    }
  }
  await waitForAll(Array.from({ length: Number(PARALLEL) }, work))
  writePage({ systems: all, tools, results })
  const alarms = systems.flatMap(({ name }) => results.get([tools.at(-1).name, name, ''])?.failures ?? [])
  assert.deepEqual(alarms, [], 'false alarms of the check at right servers')
  const count = (tool) =>
    systems.reduce((sum, system) => sum + system.faults.filter(({ sentence }) => results.isFound(tool, system, sentence)).length, 0)
  const total = systems.reduce((sum, { faults }) => sum + faults.length, 0)
  return `${total} faults: ${chosenTools.map((tool) => `${tool.name} finds ${count(tool)}`).join(', ')}`
}
