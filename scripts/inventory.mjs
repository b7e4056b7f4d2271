/**
 * The size and shape of the source: `node scripts/inventory.mjs`. It needs a build.
 *
 * Per package: files, lines, crumbs, top-level names, exports of each entry point. Then the imprecise words of each folder, and the files that run for
 * one GET, for one `endpoint` and for one page, as V8's precise coverage counts them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { Session } from 'node:inspector/promises'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findImpreciseWords, listCheckedFiles } from './impreciseWords.mjs'
import { listWorkspaceFolders } from './workspaces.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Where sources may stand, with the package that they belong to. */
const packages = listWorkspaceFolders()

const crumb = 20
const declaration =
  /^(?:export )?(?:default )?(?:declare )?(?:async )?(?:abstract )?(?:const|let|class|interface|type|function\*?) ([A-Za-z_$][\w$]*)/gm

/** @param {string} folder */
const readSources = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .map((path) => ({ path: join(folder, path), text: readFileSync(join(root, folder, path), 'utf8') }))

/** @param {string} text */
const countLines = (text) => text.split('\n').length - 1

/** @param {string} name */
function takeInventory(name) {
  const sources = readSources(join(name, 'src'))
  const lines = sources.map(({ path, text }) => ({ path, lines: countLines(text) })).sort((one, other) => other.lines - one.lines)
  const total = lines.reduce((sum, { lines }) => sum + lines, 0)
  const definitions = new Map()
  for (const { text } of sources) {
    const names = new Set([...text.matchAll(declaration)].map(([, name]) => name))
    for (const name of names) definitions.set(name, (definitions.get(name) ?? 0) + 1)
  }
  const duplicates = [...definitions].filter(([, count]) => count > 1).sort(([, one], [, other]) => other - one)
  return {
    files: sources.length,
    lines: total,
    'lines a file, mean': Math.round(total / sources.length),
    [`files of at most ${crumb} lines`]: lines.filter(({ lines }) => lines <= crumb).length,
    'longest file': `${lines[0]?.path} (${lines[0]?.lines})`,
    'top-level names': definitions.size,
    'names defined more than once': duplicates.length,
    'most definitions':
      duplicates
        .slice(0, 5)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ') || 'none',
  }
}

/** How many names each entry point exports, types included. @param {string} name */
function countExports(name) {
  const { exports = {} } = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'))
  return Object.entries(exports).flatMap(([subpath, target]) => {
    const types = typeof target === 'object' ? target.types : undefined
    if (types === undefined) return []
    return [`${subpath} ${listExportedNames(join(root, name, types)).size}`]
  })
}

/** @param {string} file a declaration file @returns {Set<string>} */
function listExportedNames(file) {
  const text = readFileSync(file, 'utf8')
  const names = new Set(
    [...text.matchAll(/^export (?:declare )?(?:abstract )?(?:const|let|class|interface|type|function) ([\w$]+)/gm)].map(([, name]) => name),
  )
  for (const [, list = ''] of text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)) {
    for (const part of list.split(',')) {
      const name = part
        .trim()
        .replace(/^type /, '')
        .split(' as ')
        .pop()
      if (name !== undefined && name !== '') names.add(name)
    }
  }
  for (const [, from = ''] of text.matchAll(/^export \* from '([^']+)'/gm)) {
    for (const name of listExportedNames(join(file, '..', from.replace(/\.[jt]s$/, '.d.ts')))) names.add(name)
  }
  return names
}

const session = new Session()

/** Which files of ours run while something is done. @param {() => unknown} work @returns {Promise<string[]>} */
async function findFilesRunBy(work) {
  await session.post('Profiler.takePreciseCoverage')
  await work()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(
      ({ url, functions }) =>
        url.startsWith('file:') &&
        !url.includes('/node_modules/') &&
        !url.includes('/scripts/') &&
        functions.some(({ ranges: [range] }) => range !== undefined && range.count > 0),
    )
    .map(({ url }) => relative(root, fileURLToPath(url)).replace(/^packages\/lapidary\/dist\//, ''))
    .sort()
}

/** @param {string} url @returns {Promise<string>} */
const fetchText = (url) =>
  new Promise((resolve, reject) => {
    get(url, (response) => {
      let text = ''
      response
        .setEncoding('utf8')
        .on('data', (chunk) => {
          text += chunk
        })
        .on('end', () => resolve(text))
    }).on('error', reject)
  })

async function traceRequests() {
  await session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const resolve = createResolve()
  const { endpoint, int, list, ok, text, optional } = await resolve('lapidary')
  const { serve } = await resolve('lapidary/server')
  const { listen } = await resolve('lapidary/node')
  const { rangePagination } = await resolve('lapidary/pagination')
  const Stone = list({
    '~standard': {
      version: 1,
      vendor: 'inventory',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => stone, output: () => stone },
    },
  })
  const Item = {
    '~standard': {
      version: 1,
      vendor: 'inventory',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => stone, output: () => stone },
    },
  }
  const pagination = rangePagination(
    Item,
    { carat: { codec: int, get: ({ carat }) => carat } },
    { key: { codec: int, get: ({ carat }) => carat }, default: 'carat' },
  )
  const stones = [{ carat: 1 }, { carat: 2 }]
  /** @type {any} */
  let api
  const describe = () => {
    api = {
      one: endpoint('GET /stones/:carat', { params: { carat: int }, query: { word: optional(text) }, response: ok(Item) }),
      page: endpoint('GET /stones', { ...pagination.declaration }),
      all: endpoint('GET /all', { response: ok(Stone) }),
    }
  }
  const described = await findFilesRunBy(describe)
  const server = serve(api, {
    one: ({ params }) => params,
    page: (/** @type {any} */ input) => pagination.page(input, stones),
    all: () => stones,
  })
  const running = await listen(server, { port: 0 })
  const trace = { 'files that one endpoint runs': described, 'files that one GET runs': [], 'files that one page runs': [] }
  for (const [name, target] of [
    ['files that one GET runs', '/stones/1?word=a'],
    ['files that one page runs', '/stones'],
  ]) {
    for (let time = 0; time < 3; time += 1) await fetchText(`${running.url}${target}`)
    trace[name] = await findFilesRunBy(() => fetchText(`${running.url}${target}`))
  }
  await running.close()
  session.disconnect()
  return trace
}

const stone = { type: 'object', properties: { carat: { type: 'integer' } }, required: ['carat'], additionalProperties: false }

/** Imports a package of this repository as its users do. */
function createResolve() {
  const from = pathToFileURL(join(root, 'scripts', 'inventory.mjs')).href
  return (/** @type {string} */ name) => import(import.meta.resolve(name, from))
}

/** @param {string} title @param {Record<string, unknown>} rows */
function print(title, rows) {
  process.stdout.write(`\n${title}\n`)
  for (const [name, value] of Object.entries(rows))
    process.stdout.write(`  ${name}: ${Array.isArray(value) ? `${value.length}: ${value.join(', ')}` : value}\n`)
}

for (const name of packages) {
  print(name, takeInventory(name))
  const exported = countExports(name)
  if (exported.length > 0) print(`${name}: exports`, { names: exported })
}
/** Counts the imprecise words of each folder of code. */
function countImpreciseWords() {
  const counts = {}
  for (const { folder, path } of listCheckedFiles()) {
    const { identifiers, comments } = findImpreciseWords(readFileSync(join(root, path), 'utf8'))
    counts[folder] ??= { identifiers: 0, comments: 0 }
    counts[folder].identifiers += identifiers.length
    counts[folder].comments += comments.length
  }
  return Object.fromEntries(
    Object.entries(counts).map(([folder, found]) => [folder, `${found.identifiers} in identifiers, ${found.comments} in comments`]),
  )
}

print('imprecise words', countImpreciseWords())
print('traces', await traceRequests())
