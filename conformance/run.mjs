/**
 * Tests the packed packages and the OpenAPI documents with other people's tools: linters of packages, TypeScript 5.9 and 7, tools of OpenAPI.
 *
 *   npm run conformance -- [--only package,consumer]
 *
 * The tools have a lock file of their own: only this command installs them.
 */
import { parseArgs } from 'node:util'
import { install } from './install.mjs'
import { report } from './report.mjs'
import { say, stop } from './say.mjs'
import { stage } from './stage.mjs'

/** Each by its file in `checks/`, in the order in which they run. */
const names = [
  'package',
  'consumer',
  'language',
  'budget',
  'size',
  'declarations',
  'document',
  'operations',
  'readers',
  'llhttp',
  'bun',
  'foreign',
]

function chosen() {
  const { values } = parseArgs({ options: { only: { type: 'string', default: names.join() } } })
  const only = values.only.split(',')
  for (const name of only) if (!names.includes(name)) stop(`--only ${name}: expected one of ${names.join(', ')}`)
  return names.filter((name) => only.includes(name))
}

/** Errors that have been shown: what several checks need may fail them all. */
const shown = new Set()

function show(error) {
  if (shown.has(error)) return
  shown.add(error)
  // A program that failed has said what there is to say.
  say(`\n${error.name === 'Error' ? error.message : error.stack}\n`)
}

/** One check: what it found, or that it failed, and how long it took. */
async function outcome(name, parts) {
  const { check } = await import(`./checks/${name}.mjs`)
  const began = performance.now()
  try {
    say(`${name} …`)
    return { name, found: await check(parts), seconds: (performance.now() - began) / 1000 }
  } catch (error) {
    show(error)
    return { name, failed: true, found: 'see above', seconds: (performance.now() - began) / 1000 }
  }
}

const only = chosen()
install()
const parts = stage()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
try {
  const outcomes = []
  for (const name of only) outcomes.push(await outcome(name, parts))
  process.stdout.write(report(outcomes))
  if (outcomes.some(({ failed }) => failed)) process.exitCode = 1
} finally {
  await parts.close()
}
