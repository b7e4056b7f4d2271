/**
 * The API of `examples/hosts` inside each host: the packed packages, one project for each host, and the same requests to all of them. A response
 * differs from that of the API alone only where the page of the host says so, with the reason.
 *
 *   npm run conformance -- --only hosts
 *   HOSTS=express,hono npm run conformance -- --only hosts
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parsedRequests, requests } from '../../examples/hosts/requests.mjs'
import { findFreePort } from '../../scripts/ports.mjs'
import { runNode } from '../command.mjs'
import { native } from '../compiler.mjs'
import { install } from '../install.mjs'
import { log } from '../log.mjs'
import { readManifest, root } from '../places.mjs'

const source = join(root, 'examples/hosts')
const tsx = pathToFileURL(createRequire(join(root, 'package.json')).resolve('tsx')).href

/** A program of Node.js, which reads TypeScript. @param {string} file */
const startWithNode = (file) => [process.execPath, '--import', tsx, file]

/**
 * The hosts by their folders, the ones that are used most first: the packages whose versions the table names, the words that build the project,
 * if it is built, and the program that starts it. All of them run in its folder.
 */
const hosts = {
  express: { packages: ['express'] },
  fastify: { packages: ['fastify'] },
  hono: { packages: ['hono', '@hono/node-server'] },
  next: {
    packages: ['next'],
    // Its bundler follows no link out of the project.
    isCopied: true,
    build: ['node_modules/next/dist/bin/next', 'build'],
    start: () => [process.execPath, 'node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1'],
  },
  nestjs: { packages: ['@nestjs/core'] },
  workers: { packages: ['miniflare', 'workerd'], types: 'workers' },
  lambda: { packages: ['@types/aws-lambda'] },
  'lambda-http-api': {
    packages: ['@types/aws-lambda'],
    folder: 'lambda',
    file: 'httpApi.ts',
    page: 'lambda',
    section: 'What differs behind an HTTP API',
  },
  deno: {
    packages: ['deno'],
    build: ['node_modules/deno/bin.cjs', '--version'],
    start: (file) => ['node_modules/deno/deno', 'run', '--allow-all', '--node-modules-dir=manual', file],
  },
  bun: {
    packages: ['bun'],
    // Its program comes by a script of the package.
    options: [],
    start: (file) => ['node_modules/bun/bin/bun.exe', file],
  },
  koa: { packages: ['koa', '@koa/bodyparser'] },
  sveltekit: {
    packages: ['@sveltejs/kit', '@sveltejs/adapter-node'],
    build: ['node_modules/vite/bin/vite.js', 'build'],
    start: () => [process.execPath, 'build'],
  },
  'express-4': { packages: ['express'], page: 'express' },
  'nestjs-11': { packages: ['@nestjs/core'], page: 'nestjs' },
}

function selectHosts() {
  const { HOSTS: wanted = Object.keys(hosts).join() } = process.env
  const names = wanted.split(',')
  for (const name of names) assert(name in hosts, `HOSTS=${name}: expected one of ${Object.keys(hosts).join(', ')}`)
  return names
}

const isListening = (url) =>
  fetch(`${url}/about`).then(
    () => true,
    () => false,
  )

const environment = { ...process.env, NODE_ENV: 'production', DENO_NO_UPDATE_CHECK: '1', NEXT_TELEMETRY_DISABLED: '1' }

/** Starts a host, and calls `use` with its URL when it listens. */
async function withHost([program, ...words], cwd, use) {
  const port = await findFreePort()
  const child = spawn(program, words, { cwd, env: { ...environment, PORT: `${port}` }, stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const url = `http://127.0.0.1:${port}`
  try {
    for (const start = performance.now(); !(await isListening(url)); await delay(50)) {
      assert.equal(child.exitCode, null, `${words.join(' ')} ended before it listened:\n${errors}`)
      assert(performance.now() - start < 60_000, `${words.join(' ')} does not listen:\n${errors}`)
    }
    return await use(url)
  } finally {
    child.kill()
  }
}

/** Sends the requests one after the other. The result of one that fails is its error. */
async function sendAll(url, all) {
  const results = []
  for (const { title, expected, run } of all) {
    const actual = await run(url).catch((error) => `${error.name}: ${error.message}`)
    results.push({ title, expected, actual })
  }
  return results
}

/** The table of the page: the request, the result, and why. */
function readDifferences(page, section) {
  const text = readFileSync(join(root, `docs/hosts/${page}.md`), 'utf8')
  const [, table = ''] = text.split(`\n## ${section}\n`)
  return [...table.split('\n## ')[0].matchAll(/^\| (.+?) \| (.+?) \| (.+) \|$/gm)]
    .map(([, title, actual]) => `${title}: ${actual.replaceAll('`', '')}`)
    .filter((row) => !/^(request: result|---: ---)$/.test(row))
}

async function checkHost(name, folder) {
  const {
    packages,
    isCopied = false,
    options,
    types,
    build,
    start = startWithNode,
    folder: project = name,
    file = 'server.ts',
  } = hosts[name]
  install(`../examples/hosts/${project}`, options)
  if (types !== undefined) await runNode(native.program, ['--project', join(source, types)])
  const place = join(folder, name)
  cpSync(join(source, project), place, { recursive: true, filter: (path) => isCopied || !path.endsWith('node_modules') })
  if (!isCopied) symlinkSync(join(source, project, 'node_modules'), join(place, 'node_modules'), 'junction')
  if (build !== undefined) await runNode(build[0], build.slice(1), { cwd: place, environment })
  const results = await withHost(start(file), place, (url) => sendAll(url, requests))
  const parser = existsSync(join(place, 'parser.ts')) && (await withHost(start('parser.ts'), place, (url) => sendAll(url, parsedRequests)))
  if (parser) results.push(...parser)
  const versions = packages.map((one) => `${one} ${readManifest(join(source, project, 'node_modules', one)).version}`)
  return { name, versions: versions.join(', '), results, differences: results.filter(({ expected, actual }) => actual !== expected) }
}

/** A request in a row, a host in a column. */
function formatTable(checked) {
  const titles = [...requests, ...parsedRequests].map(({ title }) => title)
  const width = Math.max(...titles.map(({ length }) => length))
  const rows = titles.map((title) => {
    const cells = checked.map(({ name, results }) => {
      const result = results.find((one) => one.title === title)
      const mark = result === undefined ? '-' : result.actual === result.expected ? 'yes' : 'differs'
      return mark.padEnd(name.length)
    })
    return [title.padEnd(width), ...cells].join('  ')
  })
  return [[' '.repeat(width), ...checked.map(({ name }) => name)].join('  '), ...rows].map((row) => row.trimEnd()).join('\n')
}

/** Checks the types of these projects: the packages of the others may not be installed. */
async function checkTypes(folder, projects) {
  const { include } = JSON.parse(readFileSync(join(source, 'tsconfig.json'), 'utf8'))
  const isSelected = (/** @type {string} */ path) => !path.includes('/') || projects.includes(path.slice(0, path.indexOf('/')))
  const config = join(folder, 'tsconfig.json')
  const selected = { extends: join(source, 'tsconfig.json'), compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] } }
  const paths = include.filter(isSelected).map((/** @type {string} */ path) => join(source, path))
  writeFileSync(config, JSON.stringify({ ...selected, include: paths }))
  await runNode(native.program, ['--project', config])
}

export async function check({ consumer }) {
  const { folder: project } = await consumer()
  const folder = join(project, 'hosts')
  mkdirSync(folder, { recursive: true })
  for (const file of readdirSync(source).filter((one) => one.endsWith('.ts'))) cpSync(join(source, file), join(folder, file))
  const checked = []
  for (const name of selectHosts()) {
    log(`hosts: ${name} …`)
    checked.push(await checkHost(name, folder))
  }
  await checkTypes(
    folder,
    checked.map(({ name }) => hosts[name].folder ?? name),
  )
  log(`\n${formatTable(checked)}\n\n${checked.map(({ name, versions }) => `${name}: ${versions}`).join('\n')}\n`)
  for (const { name, differences } of checked) {
    const found = differences.map(({ title, actual }) => `${title}: ${actual}`)
    const { page = name, section = 'What differs' } = hosts[name]
    assert.deepEqual(found, readDifferences(page, section), `${name}: the differences in docs/hosts/${page}.md`)
  }
  const count = checked.reduce((sum, { differences }) => sum + differences.length, 0)
  return `${checked.length} hosts, ${requests.length} requests to each: ${count} responses differ, as the pages say`
}
