/**
 * Tests the packed packages and the OpenAPI documents with other people's tools: linters of packages, TypeScript 5.9 and 7, tools of OpenAPI.
 *
 *   npm run conformance -- [--only package,consumer]
 *   npm run conformance -- --only compatibility,others
 *
 * The tools have a lock file of their own: only this command installs them.
 */
import { parseArgs } from 'node:util'
import { install } from './install.mjs'
import { log, stop } from './log.mjs'
import { formatReport } from './report.mjs'
import { createStage } from './stage.mjs'

/** Each by its file in `checks/`, in the order in which they run. */
const usualNames = [
  'package',
  'consumer',
  'examples',
  'release',
  'create',
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
  'formats',
  'moving',
  'hosts',
  'pages',
]
/** Those that take many minutes, or have their data from GitHub, and run only where they are named. */
const longNames = ['compatibility', 'oasdiff', 'others', 'alarms', 'peers']
const names = [...usualNames, ...longNames]

function parseOnly() {
  const { values } = parseArgs({ options: { only: { type: 'string', default: usualNames.join() } } })
  const only = values.only.split(',')
  for (const name of only) if (!names.includes(name)) stop(`--only ${name}: expected one of ${names.join(', ')}`)
  return names.filter((name) => only.includes(name))
}

/** The errors that were printed: what several checks need may fail them all. */
const printed = new Set()

function printError(error) {
  if (printed.has(error)) return
  printed.add(error)
  // The message has the whole output of a program that failed.
  log(`\n${error.name === 'Error' ? error.message : error.stack}\n`)
}

/** One check: what it found, or that it failed, and how long it took. */
async function runCheck(name, parts) {
  const { check } = await import(`./checks/${name}.mjs`)
  const start = performance.now()
  try {
    log(`${name} …`)
    return { name, found: await check(parts), seconds: (performance.now() - start) / 1000 }
  } catch (error) {
    printError(error)
    return { name, failed: true, found: 'see above', seconds: (performance.now() - start) / 1000 }
  }
}

const only = parseOnly()
install()
const parts = createStage()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
try {
  const outcomes = []
  for (const name of only) outcomes.push(await runCheck(name, parts))
  process.stdout.write(formatReport(outcomes))
  if (outcomes.some(({ failed }) => failed)) process.exitCode = 1
} finally {
  await parts.close()
}
