/**
 * The guides about moving are true: the app of the other framework and ours get the same requests, and their responses differ only where the
 * guide says so. Beside the old app, the moved endpoint is ours, and everything else stays as it is.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { requests } from '../../examples/moving/requests.mjs'
import { findFreePort } from '../../scripts/ports.mjs'
import { runCommand, runNode } from '../command.mjs'
import { native } from '../compiler.mjs'
import { install } from '../install.mjs'
import { root } from '../places.mjs'

const folder = join(root, 'examples/moving')
const tsx = pathToFileURL(createRequire(join(root, 'package.json')).resolve('tsx')).href
const frameworks = ['express', 'hono', 'fastify', 'nestjs', 'trpc']

const isListening = (url) =>
  fetch(url).then(
    () => true,
    () => false,
  )

/** Starts a program, and calls `use` with its URL when it listens. */
async function withServer(file, port, cwd, use) {
  // In production, tRPC sends no stacks, which would tell how the app was started.
  const environment = { ...process.env, NODE_ENV: 'production', PORT: `${port}` }
  const child = spawn(process.execPath, ['--import', tsx, file], { cwd, env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  try {
    while (!(await isListening(url))) {
      assert.equal(child.exitCode, null, `${file} ended before it listened`)
      await delay(50)
    }
    return await use(url)
  } finally {
    child.kill()
  }
}

/** The value of a success, for tRPC within the envelope of superjson. It is undefined where there is none. */
function readValue(text, isCall) {
  if (text === '') return undefined
  const value = JSON.parse(text)
  return isCall ? (value.result.data.json ?? undefined) : value
}

/** Sends all requests, one after the other. */
async function sendAll(url, { asCalls = false } = {}) {
  const responses = []
  for (const { title, method, path, headers, body, call } of requests) {
    const request = asCalls ? call : { method, path, body }
    const type = asCalls && typeof call.body === 'string' ? { 'Content-Type': 'application/json' } : {}
    const response = await fetch(url + request.path, { method: request.method, headers: { ...type, ...headers }, body: request.body })
    const text = await response.text()
    responses.push({
      title,
      status: response.status,
      location: response.headers.get('Location'),
      isOurs: response.headers.get('X-Content-Type-Options') === 'nosniff',
      text,
      value: response.ok ? readValue(text, asCalls) : undefined,
    })
  }
  return responses
}

/** The program of a guide: its blocks, by the names in their first lines. */
function writeProgram(guide, place, port) {
  mkdirSync(place, { recursive: true })
  for (const [, name, text] of guide.matchAll(/^```ts\n\/\/ ([\w-]+\.ts)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(place, name), text.replaceAll('3000', `${port}`))
}

/** The table of the guide: the request, the statuses of both, and why. */
const readDifferences = (guide) => {
  const [, section = ''] = guide.split('\n## Where the responses differ\n')
  const rows = [...section.split('\n## ')[0].matchAll(/^\| (.+?) \| (\d{3}) \| (\d{3}) \| (.+) \|$/gm)]
  return rows.map(([, title, theirs, ours]) => `${title}: ${theirs}, ${ours}`)
}

/** Two statuses, where they differ. Otherwise the `Location` is the same. Two successes always have the same value. */
function compare(theirs, ours) {
  const { title } = theirs
  const bothSucceed = theirs.status < 300 && ours.status < 300
  if (bothSucceed) assert.deepEqual(ours.value, theirs.value, title)
  if (theirs.status !== ours.status) return [`${title}: ${theirs.status}, ${ours.status}`]
  assert.equal(ours.location, theirs.location, title)
  return []
}

/** What `beside.ts` has moved: one endpoint. */
const isMoved = ({ method, path }) => method === 'GET' && /^\/stones\/\d+$/.test(path)

/** Beside the old app, the moved endpoint is ours, and all other responses are those of the old app. */
async function checkBeside(name, theirs, ours) {
  const isMounted = name === 'trpc'
  const check = async (url) => {
    const expected = theirs.map((response, index) => (isMoved(requests[index]) && !isMounted ? ours[index] : response))
    assert.deepEqual(await sendAll(url, { asCalls: isMounted }), expected, `beside ${name}`)
    if (!isMounted) return
    // The old procedures have other paths than the new endpoint, which is there as well.
    const selectMoved = (responses) => responses.filter((_, index) => isMoved(requests[index]))
    assert.deepEqual(selectMoved(await sendAll(url)), selectMoved(ours), `beside ${name}`)
  }
  await withServer(`${name}/beside.ts`, await findFreePort(), folder, check)
}

/** The client of the framework prints what ours prints in the guide. */
async function checkClient(name, guide, port) {
  const file = join(name, 'client.ts')
  if (!existsSync(join(folder, file))) return
  const [, program = ''] = /^```ts\n\/\/ client\.ts\n([\s\S]*?)^```$/m.exec(guide) ?? []
  const expected = [...program.matchAll(/^ *\/\/ → (.*\n)/gm)].map(([, line]) => line).join('')
  assert.equal(
    await runCommand(process.execPath, ['--import', tsx, file], { cwd: folder, environment: { PORT: `${port}` } }),
    expected,
    file,
  )
}

async function checkFramework(name, consumer) {
  const guide = readFileSync(join(root, `docs/moving/from-${name}.md`), 'utf8')
  const place = join(consumer, 'moving', name)
  const [ourPort, theirPort] = [await findFreePort(), await findFreePort()]
  writeProgram(guide, place, ourPort)
  const ours = await withServer('server.ts', ourPort, place, sendAll)
  const theirs = await withServer(`${name}/server.ts`, theirPort, folder, async (url) => {
    await checkClient(name, guide, theirPort)
    return sendAll(url, { asCalls: name === 'trpc' })
  })
  const found = theirs.flatMap((response, index) => compare(response, ours[index]))
  assert.deepEqual(readDifferences(guide).sort(), found.sort(), `the differences in docs/moving/from-${name}.md`)
  await checkBeside(name, theirs, ours)
  return found.length
}

export async function check({ consumer }) {
  install('../examples/moving')
  await runNode(native.program, ['--project', folder])
  const { folder: project } = await consumer()
  let differences = 0
  for (const name of frameworks) differences += await checkFramework(name, project)
  return `${frameworks.length} frameworks, ${requests.length} requests to each: ${differences} responses differ, as the guides say`
}
