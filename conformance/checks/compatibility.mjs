/**
 * The verdicts of `diff` about schemas, judged by ajv: on random pairs, and on the JSON-Schema-Test-Suite with small changes of its schemas.
 * No safe verdict has a counterexample among all samples, and the witness of each breaking one is what it claims to be.
 *
 *   npm run conformance -- --only compatibility
 *   PAIRS=2000 SEED=7 JSON_SCHEMA_TEST_SUITE=/a/clone npm run conformance -- --only compatibility
 */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openSource } from '../clone.mjs'
import { runCommand } from '../command.mjs'
import { createCounts } from '../compatibility/counts.mjs'
import { suiteSource } from '../compatibility/suite.mjs'
import { log } from '../log.mjs'
import { here, readManifest, root } from '../places.mjs'

/** @typedef {import('../compatibility/counts.mjs').Counts} Counts */

const pairs = Number(process.env.PAIRS ?? 20_000)
const shareSize = 500
const leastSamples = 100_000

const tsx = pathToFileURL(createRequire(join(root, 'package.json')).resolve('tsx')).href

/** Runs a script of `compatibility/`, which reads TypeScript, and returns its result. @param {string} name @param {readonly (string | number)[]} words */
async function runScript(name, ...words) {
  const script = join(here, 'compatibility', `${name}.mjs`)
  return JSON.parse(await runCommand(process.execPath, ['--import', tsx, script, ...words.map(String)]))
}

/** Does work in as many processes as there are processors. @template Result @param {readonly (() => Promise<Result>)[]} works */
async function runAll(works) {
  /** @type {Result[]} */
  const results = []
  const waiting = works.entries()
  const runNext = async () => {
    for (const [index, work] of waiting) results[index] = await work()
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runNext))
  return results
}

const numbers = /** @type {const} */ (['pairs', 'safe', 'samples', 'breaking', 'breakingBySample', 'undecided', 'unknown'])

/** @param {readonly Counts[]} parts */
function sumCounts(parts) {
  const sum = createCounts()
  for (const part of parts) {
    for (const name of numbers) sum[name] += part[name]
    if (part.slowest.milliseconds > sum.slowest.milliseconds) sum.slowest = part.slowest
    sum.faults.push(...part.faults)
  }
  return sum
}

/** @param {string} name @param {Counts} counts */
const formatRow = (name, { slowest, ...counts }) =>
  [
    name.padEnd(24),
    ...numbers.map((one) => String(counts[one]).padStart(16)),
    `${(slowest.milliseconds / 1000).toFixed(1)} s`.padStart(10),
  ].join('')

/** @param {Record<string, { passed: number, failed: number, refused: number, titles: string[] }>} files */
function formatValidation(files) {
  const rows = Object.entries(files).filter(([, { failed, refused }]) => failed + refused > 0)
  return rows.map(([file, { passed, failed, refused, titles }]) =>
    [`${file.padEnd(24)} ${passed} passed, ${failed} failed, ${refused} refused`, ...titles.map((title) => `  failed: ${title}`)].join(
      '\n',
    ),
  )
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ createFolder }) {
  const suite = await openSource(suiteSource, createFolder)
  const shares = Array.from({ length: Math.ceil(pairs / shareSize) }, (_, index) => index * shareSize)
  const random = await runAll(shares.map((first) => () => runScript('random', first, Math.min(shareSize, pairs - first))))
  const parts = 8
  const ofSuite = await runAll(Array.from({ length: parts }, (_, part) => () => runScript('suitePairs', suite, part, parts)))
  const found = { 'random pairs': sumCounts(random), 'JSON-Schema-Test-Suite': sumCounts(ofSuite) }
  const all = sumCounts(Object.values(found))
  const versions = ['ajv', 'ajv-formats', 'json-schema-faker'].map(
    (name) => `${name} ${readManifest(join(here, 'node_modules', name)).version}`,
  )
  const header = [''.padEnd(24), ...numbers.map((name) => name.padStart(16)), 'slowest'.padStart(10)].join('')
  log(
    `\n${header}\n${Object.entries(found)
      .map(([name, counts]) => formatRow(name, counts))
      .join('\n')}\n${formatRow('all', all)}`,
  )
  log(`slowest: ${all.slowest.pair}`)
  const validation = await runScript('validate', suite)
  const count = (/** @type {'passed' | 'failed' | 'refused'} */ name) =>
    Object.values(validation).reduce((sum, file) => sum + file[name], 0)
  log(
    `\n${formatValidation(validation).join('\n')}\nvalidation: ${count('passed')} passed, ${count('failed')} failed, ${count('refused')} refused`,
  )
  log(`${versions.join(', ')}, ${suiteSource.url} ${suiteSource.commit}\n`)
  assert.deepEqual(all.faults, [], 'verdicts that ajv contradicts')
  if (pairs >= 20_000) assert(all.samples >= leastSamples, `only ${all.samples} samples of safe verdicts`)
  return `${all.safe} safe verdicts with ${all.samples} samples, ${all.breaking} witnesses: ajv contradicts none`
}
