/**
 * `npm create lapidary`: every schema library on every host, and every extra. Each project is made by the packed command. The steps of its own
 * workflow are run: installed, typed, tested, started, checked, compared. Then it is developed, reloaded, started and stopped.
 *
 *   npm run conformance -- --only create
 *   PROJECTS=zod-node,valibot-bun-page npm run conformance -- --only create
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { program as chromium, startBrowser } from '../../scripts/chromium.mjs'
import { findFreePort } from '../../scripts/ports.mjs'
import { startPostgres } from '../../scripts/postgres.mjs'
import { runCommand } from '../command.mjs'
import { install } from '../install.mjs'
import { log } from '../log.mjs'
import { here } from '../places.mjs'
import { buildImage, makeProject, readWorkflow, runStep, withServer } from '../project.mjs'
import { startRegistry } from '../registry.mjs'

const libraries = ['zod', 'valibot', 'arktype']
const hosts = ['node', 'bun', 'workers']
/** By library, host and extras. */
const known = [
  ...hosts.flatMap((host) => libraries.map((library) => `${library}-${host}`)),
  ...['zod-node-page', 'valibot-node-postgres', 'arktype-node-docker', 'zod-node-page-postgres-docker'],
  ...['zod-bun-page-docker', 'valibot-bun-postgres', 'arktype-bun-page-postgres-docker', 'arktype-workers-page'],
]

function selectProjects() {
  const { PROJECTS: wanted = known.join() } = process.env
  const names = wanted.split(',')
  for (const name of names) assert(known.includes(name), `PROJECTS=${name}: expected one of ${known.join(', ')}`)
  return names
}

/** The time from a change of a source until a response shows it, in milliseconds. */
async function measureReload({ folder, url }) {
  const file = join(folder, 'src/handlers.ts')
  const text = readFileSync(file, 'utf8')
  const read = async () => (await (await fetch(`${url}/stones/999999`)).json()).detail
  assert.equal(await read(), 'There is no stone 999999.')
  const times = []
  // The last change undoes the others, and a program that restarts misses the signal that ends it.
  for (const words of ['No stone is', 'Nothing is', 'There is no stone']) {
    const start = performance.now()
    const change = () => writeFileSync(file, text.replace('There is no stone', words))
    change()
    // A program that has just started may not watch its files yet.
    const again = setInterval(change, 3_000)
    // The server may be away for a moment.
    while (!(await read().catch(() => ''))?.startsWith(words)) {
      assert(performance.now() - start < 20_000, 'a change has no effect')
      await delay(5)
    }
    clearInterval(again)
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}

/** Adds a stone in the page. @param {string} url */
async function usePage(url) {
  const text = await (await fetch(url)).text()
  assert.match(text, /The shelf/)
  if (chromium === undefined) return
  const browser = await startBrowser()
  try {
    const page = await browser.newPage()
    /** @type {string[]} */
    const errors = []
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.goto(url)
    await page.fill('[name=name]', 'sapphire')
    await page.fill('[name=hardness]', '9')
    await page.click('form button')
    const item = page.locator('li', { hasText: 'sapphire' }).first()
    await item.waitFor()
    await item.locator('button').click()
    await item.waitFor({ state: 'detached' })
    assert.deepEqual(errors, [])
  } finally {
    await browser.close()
  }
}

/** The requests of the README. */
async function useApi(url) {
  assert.equal((await fetch(`${url}/stones`)).status, 200)
  const headers = { 'Content-Type': 'application/json' }
  const added = await fetch(`${url}/stones`, { method: 'POST', headers, body: '{"name":"jade","hardness":7}' })
  assert.equal(added.status, 201)
  assert.equal((await fetch(new URL(added.headers.get('Location') ?? '', url), { method: 'DELETE' })).status, 204)
  assert.match(await (await fetch(`${url}/docs`, { headers: { Accept: 'text/markdown' } })).text(), /stones/)
}

async function checkProject(name, folder, environment) {
  const [schema = '', host = '', ...extras] = name.split('-')
  const flags = ['--schema', schema, '--host', host, ...extras.map((extra) => `--${extra}`)]
  const project = await makeProject(join(folder, name), flags, environment)
  /** @type {Record<string, number>} */
  const seconds = {}
  const time = async (what, run) => {
    const start = performance.now()
    const result = await run()
    seconds[what] = (performance.now() - start) / 1000
    return result
  }
  for (const script of readWorkflow(project)) await time(script.trim().split('\n').at(-1), () => runStep(project, script))
  const manager = host === 'bun' ? 'bun' : 'npm'
  const hasPage = extras.includes('page')
  const { result: reload } = await withServer(project, [manager, 'run', hasPage ? 'dev:api' : 'dev'], {}, async () => {
    await useApi(project.url)
    return measureReload(project)
  })
  // In a database that `check` has not filled.
  const options = { environment: { DATABASE_URL: environment.DATABASE_URL?.replace(/\w+$/, 'template1') ?? '' } }
  await withServer(project, [manager, 'run', 'start'], options, async () => {
    await useApi(project.url)
    if (hasPage) await usePage(project.url)
  })
  if (extras.includes('docker')) {
    const place = join(folder, `${name}-image`)
    mkdirSync(place)
    const { folder: cwd, variables, command } = await time('docker build', () => buildImage(project, place))
    const port = await findFreePort()
    const container = { url: `http://127.0.0.1:${port}`, signal: 'SIGTERM', cwd, environment: { ...variables, PORT: `${port}` } }
    const { exitCode } = await withServer(project, command, container, () => useApi(container.url))
    assert.equal(exitCode, 0, 'the container does not end well')
  }
  const details = Object.entries(seconds).map(([what, value]) => `${what} ${value.toFixed(1)} s`)
  log(`create: ${name}: reload ${reload.toFixed(0)} ms; ${details.join(', ')}`)
  return { name, reload }
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ packages, createFolder }) {
  const folder = createFolder('create')
  const names = selectProjects()
  const has = (word) => names.some((name) => name.includes(word))
  const packed = await packages()
  const registry = await startRegistry(
    createFolder('create/storage'),
    packed.map(({ name }) => name),
  )
  // The cache of this machine may have other packages of these names and versions.
  const cache = { npm_config_cache: join(folder, 'npm-cache'), BUN_INSTALL_CACHE_DIR: join(folder, 'bun-cache') }
  const token = `${registry.url.replace('http:', 'npm_config_')}:_authToken`
  const environment = { ...cache, npm_config_registry: registry.url, [token]: 'nobody', WRANGLER_SEND_METRICS: 'false' }
  for (const { tarball } of packed) await runCommand('npm', ['publish', tarball, '--ignore-scripts', '--loglevel=error'], { environment })
  if (has('-bun')) {
    // Its program comes by a script of the package.
    install('bun', [])
    environment.PATH = `${join(here, 'bun/node_modules/.bin')}${delimiter}${process.env.PATH}`
  }
  const postgres = has('-postgres') ? await startPostgres() : undefined
  if (postgres !== undefined) environment.DATABASE_URL = postgres.url()
  try {
    const checked = []
    for (const name of names) {
      log(`create: ${name} …`)
      checked.push(await checkProject(name, folder, environment))
    }
    const longest = Math.max(...checked.map(({ reload }) => reload))
    // On a busy machine the time is that of other programs.
    if (loadavg()[0] <= availableParallelism()) assert(longest < 1_000, 'a reload takes a second or more')
    return `${checked.length} projects installed, typed, tested, checked, compared, reloaded within ${longest.toFixed(0)} ms, and stopped`
  } finally {
    await postgres?.remove()
    await registry.close()
  }
}
