/**
 * Reads every OpenAPI document in a folder, and counts what an API cannot say of it.
 *
 *   node scripts/publicDocuments.mjs <folder> [--show <kind>]
 *
 * It exits with 1 if a document makes `fromOpenApi` or `manifest` fail. A large document is read in a process of its own, so that its memory is
 * its own. `--show` lists the places of one kind of limits.
 */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fromOpenApi, readOpenApi } from '@lapidary/openapi'
import { manifest } from '@lapidary/testing'
import { operations } from 'lapidary'
import { listDocuments, toBatches } from './listDocuments.mjs'

const script = fileURLToPath(import.meta.url)
/** How many small documents a process reads, and from how many bytes on one is large. */
const [batchSize, largeSize] = [50, 1_000_000]

/** The CPU time of this process in milliseconds: other programs do not count. */
const getCpuTime = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** What became of one document. @param {string} path */
async function readDocument(path) {
  const start = getCpuTime()
  let document
  try {
    document = await readOpenApi(path)
  } catch (error) {
    return { path, unreadable: error.message }
  }
  const read = getCpuTime()
  try {
    const { api, limits } = fromOpenApi(document)
    const made = getCpuTime()
    const endpoints = operations(api).length
    manifest(api)
    const counts = {}
    for (const { kind } of limits) counts[kind] = (counts[kind] ?? 0) + 1
    return {
      path,
      endpoints,
      limits: counts,
      places: limits,
      readMilliseconds: read - start,
      milliseconds: made - read,
      manifestMilliseconds: getCpuTime() - made,
      megabytes: process.resourceUsage().maxRSS / 1_024,
    }
  } catch (error) {
    const isRefused = error instanceof TypeError && /^expected (?:an )?OpenAPI/.test(error.message)
    return isRefused ? { path, unreadable: error.message } : { path, crash: `${error.stack}`.split('\n').slice(0, 4).join('\n') }
  }
}

/** Reads documents in a process of their own. @param {readonly string[]} paths */
function readInProcess(paths) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--max-old-space-size=4096', script, '--child', ...paths], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    child.once('close', (code) => {
      const results = text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
      const missing = paths.slice(results.length)
      resolve([...results, ...missing.map((path) => ({ path, crash: `the process ended with ${code}` }))])
    })
  })
}

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0)
const sumCounts = (counts) => {
  const all = {}
  for (const one of counts) for (const [kind, count] of Object.entries(one)) all[kind] = (all[kind] ?? 0) + count
  return all
}
const formatRow = (cells) => `| ${cells.join(' | ')} |\n`
const formatTable = (head, rows) => formatRow(head) + formatRow(head.map(() => '---')) + rows.map(formatRow).join('')

/** @param {string} folder @param {string | undefined} kind whose places are shown */
async function readFolder(folder, kind) {
  const paths = listDocuments(folder)
  const large = paths.filter((path) => statSync(path).size >= largeSize)
  const small = paths.filter((path) => !large.includes(path))
  const results = []
  for (const batch of [...toBatches(small, batchSize), ...large.map((path) => [path])]) results.push(...(await readInProcess(batch)))
  const show = (path) => relative(folder, path)
  const read = results.filter(({ endpoints }) => endpoints !== undefined)
  const sources = [...new Set(results.map(({ path }) => show(path).split('/')[0]))].sort()
  const countRow = (name, of) => [
    name,
    of.length,
    of.filter(({ unreadable }) => unreadable !== undefined).length,
    of.filter(({ crash }) => crash !== undefined).length,
    sum(of.map(({ endpoints = 0 }) => endpoints)),
    sum(of.flatMap(({ limits = {} }) => Object.values(limits))),
  ]
  const head = ['source', 'documents', 'unreadable', 'crashes', 'endpoints', 'limits']
  const rows = sources.map((source) =>
    countRow(
      source,
      results.filter(({ path }) => show(path).split('/')[0] === source),
    ),
  )
  process.stdout.write(`${formatTable(head, [...rows, countRow('all', results)])}\n`)
  const documents = (one) => read.filter(({ limits }) => limits[one] !== undefined).length
  const kinds = Object.entries(sumCounts(read.map(({ limits }) => limits))).sort(([, one], [, other]) => other - one)
  process.stdout.write(
    `${formatTable(
      ['limit', 'places', 'documents'],
      kinds.map(([one, count]) => [one, count, documents(one)]),
    )}\n`,
  )
  const slow = read
    .filter(({ path }) => large.includes(path))
    .sort((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, 12)
  const seconds = (milliseconds) => (milliseconds / 1_000).toFixed(2)
  process.stdout.write(
    formatTable(
      ['large document', 'MB', 'endpoints', 'read, CPU s', 'fromOpenApi, CPU s', 'manifest, CPU s', 'memory, MB'],
      slow.map((one) => [
        show(one.path),
        (statSync(one.path).size / 1e6).toFixed(1),
        one.endpoints,
        seconds(one.readMilliseconds),
        seconds(one.milliseconds),
        seconds(one.manifestMilliseconds),
        Math.round(one.megabytes),
      ]),
    ),
  )
  for (const { path, unreadable, crash } of results)
    if (unreadable ?? crash)
      process.stdout.write(`\n${crash === undefined ? 'unreadable' : 'CRASH'}: ${show(path)}: ${crash ?? unreadable}\n`)
  for (const { path, places } of kind === undefined ? [] : read)
    for (const place of places.filter((one) => one.kind === kind))
      process.stdout.write(`${show(path)} ${place.pointer}: ${place.message}\n`)
  process.exitCode = results.some(({ crash }) => crash !== undefined) ? 1 : 0
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { child: { type: 'boolean' }, show: { type: 'string' } } })
if (values.child) for (const path of positionals) process.stdout.write(`${JSON.stringify(await readDocument(path))}\n`)
else if (positionals[0] === undefined) {
  process.stderr.write('usage: node scripts/publicDocuments.mjs <folder> [--show <kind>]\n')
  process.exitCode = 2
} else await readFolder(positionals[0], values.show)
