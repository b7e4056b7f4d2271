/**
 * This tree against another commit, interleaved: `npm run bench -- compare <commit> [--quick] [--only hello,page] [--rounds 5] [--requests 20000] [--connections 50] [--results FOLDER]`.
 *
 * Each tree runs its own `servers/lapidary.mjs` on its own toolkit, with the same data; bare node:http runs beside them as the baseline.
 * Workloads that the other commit fails are left out. Its worktree is removed afterwards.
 */
import { parseArgs } from 'node:util'
import { findDifferences } from './correctness.mjs'
import { describeEnvironment, formatEnvironment, listVersions } from './environment.mjs'
import { frameworks } from './frameworks.mjs'
import { log, stop } from './log.mjs'
import { measure } from './measure.mjs'
import { options, parseCounts, selectWorkloads } from './options.mjs'
import { formatTable, formatThroughput, median, summarize } from './report.mjs'
import { writeResults } from './results.mjs'
import { checkOutTree } from './tree.mjs'
import { workloads } from './workloads.mjs'

/** The baseline and this tree. */
const measuredFrameworks = frameworks.filter(({ name }) => ['bare', 'lapidary'].includes(name))

/** The same framework of another commit, without the workloads that it fails. */
async function createOlderFramework(ours, reference, file) {
  const other = { ...ours, name: `lapidary@${reference}`, title: `Lapidary ${reference}`, file }
  const failed = (await findDifferences(other)).filter(({ name, required }) => required && Object.hasOwn(workloads, name))
  for (const { name, what } of failed) log(`${other.name} does not run ${name}: ${what}`)
  return { ...other, without: Object.fromEntries(failed.map(({ name, what }) => [name, what])) }
}

/** For each workload, how much CPU time this tree takes of what the other takes, round by round. */
function formatChanges(samples, name) {
  const workloadsMeasured = [...new Set(samples.map(({ workload }) => workload))]
  return workloadsMeasured.flatMap((workload) => {
    const of = (/** @type {string} */ server) => samples.filter((one) => one.workload === workload && one.server === server)
    const theirs = of(name)
    if (theirs.length === 0) return []
    const ratios = of('lapidary')
      .map(({ ratio }, index) => theirs[index].ratio / ratio)
      .sort((one, other) => one - other)
    const percent = (/** @type {number} */ ratio) => `${ratio < 1 ? '' : '+'}${(100 * (ratio - 1)).toFixed(1)} %`
    return [[workload, percent(median(ratios)), `${percent(Math.min(...ratios))} to ${percent(Math.max(...ratios))}`]]
  })
}

/** @param {readonly string[]} words */
export async function run(words) {
  const { servers: _, ...own } = options
  const { values, positionals } = parseArgs({ args: [...words], options: own, allowPositionals: true })
  const [reference, ...others] = positionals
  if (reference === undefined || others.length > 0) stop('compare takes one commit: npm run bench -- compare main')
  const setup = parseCounts(values)
  const [bare, ours] = measuredFrameworks
  const names = selectWorkloads(values.only, bare)
  const there = checkOutTree(reference)
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  process.once('exit', there.remove)
  const theirs = await createOlderFramework(ours, reference, there.file('servers/lapidary.mjs'))
  const samples = await measure({ names, frameworks: [bare, ours, theirs], ...setup })
  const environment = describeEnvironment(listVersions(['zod']))
  const summary = summarize(samples)
  process.stdout.write(`${formatEnvironment(environment)}this tree against ${reference} (${there.commit}), ${setup.rounds} rounds\n\n`)
  process.stdout.write(formatThroughput(summary))
  process.stdout.write(`\nCPU time of this tree against ${reference}; less is better\n\n`)
  process.stdout.write(formatTable([['workload', 'change', 'rounds'], ...formatChanges(samples, theirs.name)]))
  if (values.results !== undefined)
    writeResults(values.results, 'compare', { about: { ...environment, reference, commit: there.commit, ...setup }, summary, samples })
}
