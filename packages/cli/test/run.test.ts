/** The built program, in its own process and in a project that installs it. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { type Ended, folder } from './support/runCli.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const program = join(root, 'packages/cli', manifest.bin.lapidary)

/** Starts the program in a folder; nothing but Node itself is there to load TypeScript with. */
function start(cwd: string, ...words: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = spawn(process.execPath, [program, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Runs it to its end. */
async function run(cwd: string, ...words: readonly string[]): Promise<Ended> {
  const child = start(cwd, ...words)
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, output, errors }
}

const files = {
  'package.json': '{ "name": "shop", "version": "2.3.4", "type": "module" }',
  'greeting.ts': 'export const greeting: string = "A greeting."',
  // An enum is more than types: Node alone would not run it.
  'api.ts': `import { endpoint, int, ok, text } from 'lapidary'
import { greeting } from './greeting'
enum Kind { plain = 1 }
export const api = { hello: endpoint('GET /hello/:times', { params: { times: int }, response: ok(text), summary: greeting + Kind.plain }) }
`,
  'old/package.json': '{ "type": "commonjs" }',
  'old/api.ts': `import { endpoint, ok, text } from 'lapidary'
export const main = { old: endpoint('GET /old', { response: ok(text) }) }
`,
  'api.js': `import { endpoint, ok, text } from 'lapidary'
export default { plain: endpoint('GET /plain', { response: ok(text) }) }
`,
  'busy.js': `setInterval(() => {}, 1_000)\nexport * from './api.js'\nexport { default } from './api.js'\n`,
  'wrong.ts': `import { endpoint, noContent } from 'lapidary'
enum Kind { plain }
export const api = { Kind,
  twice: endpoint('GET /:id/:id', { response: noContent }),
}
`,
  'leaving.js': `export * from './api.js'\nprocess.exit(0)\n`,
  'leavingLater.js': `export { default } from './api.js'\nprocess.nextTick(() => process.exit(0))\nawait new Promise(() => {})\n`,
  'waiting.js': `await new Promise(() => {})\n`,
  'broken.js': `\nthrow new Error('Out of\\n  order')\n`,
}

/** A project with these modules; without its packages, it has neither the toolkit nor tsx. */
function project({ packages }: { readonly packages: boolean }): string {
  const path = folder()
  mkdirSync(join(path, 'old'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  if (packages) symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'), 'junction')
  return path
}

test('the built file starts with the line for node', () => {
  expect(readFileSync(program, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
})

/** Prints the URL of each module that is loaded. */
const traceLoads = `import { writeSync } from 'node:fs'
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) register(import.meta.url)
export const load = (url, context, next) => { writeSync(2, url + '\\n'); return next(url, context) }
`

test('a command loads what it takes, and nothing of the other commands', async () => {
  const cwd = folder()
  writeFileSync(join(cwd, 'trace.mjs'), traceLoads)
  const load = async (command: string): Promise<string> => {
    const child = spawn(process.execPath, ['--import', './trace.mjs', program, command, '--help'], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    return text(child.stderr)
  }
  const [routes, check] = await Promise.all([load('routes'), load('check')])
  expect(routes).toContain('/commands/routes.js')
  expect(check).not.toContain('/commands/routes.js')
  for (const other of ['/commands/check.js', '/checkServer.js', '/fast-check/']) {
    expect(check).toContain(other)
    expect(routes).not.toContain(other)
  }
})

describe('a module is loaded', () => {
  test('of JavaScript, even if it keeps its process alive', async () => {
    const output = 'GET /plain  plain  → 200 text\n'
    expect(await run(project({ packages: true }), 'routes', 'busy.js')).toEqual({ code: 0, output, errors: '' })
  })

  test('of TypeScript, by the tsx of the project; with its own copy of the toolkit, its errors are the same', async () => {
    const { code, output, errors } = await run(project({ packages: true }), 'call', 'api.ts', 'hello', '--times', 'two')
    expect([code, output]).toEqual([2, ''])
    expect(errors).toMatch(/^--times: expected an integer such as 42/)
  })

  test('of TypeScript in a CommonJS package; the document has the name and the version of the nearest package that has a name', async () => {
    const { output } = await run(project({ packages: true }), 'openapi', 'old/api.ts')
    expect(JSON.parse(output)).toMatchObject({ info: { title: 'shop', version: '2.3.4' }, paths: { '/old': {} } })
  })

  test('of TypeScript in a package under node_modules, where Node refuses to strip types', async () => {
    const path = folder()
    const packages = join(path, 'node_modules')
    mkdirSync(join(packages, 'shared'), { recursive: true })
    for (const name of ['lapidary', 'tsx']) symlinkSync(join(root, 'node_modules', name), join(packages, name), 'junction')
    writeFileSync(join(packages, 'shared/package.json'), '{ "name": "shared", "type": "module" }')
    writeFileSync(
      join(packages, 'shared/api.ts'),
      `import { endpoint, ok, text } from 'lapidary'
const route: string = 'GET /plain'
export default { plain: endpoint(route as 'GET /plain', { response: ok(text) }) }
`,
    )
    expect(await run(path, 'routes', 'node_modules/shared/api.ts')).toEqual({
      code: 0,
      output: 'GET /plain  plain  → 200 text\n',
      errors: '',
    })
  })
})

describe('a module that cannot be loaded is reported with one sentence, without a stack trace:', () => {
  test.each([
    [
      'a description with an error, with its place',
      'wrong.ts',
      'wrong.ts cannot be loaded: GET /:id/:id has the capture :id twice. Give each capture its own name. (wrong.ts:4)\n',
    ],
    ['an error of its own, with its place', 'broken.js', 'broken.js cannot be loaded: Out of order (broken.js:2)\n'],
  ])('%s', async (_what, module, errors) => {
    expect(await run(project({ packages: true }), 'routes', module)).toEqual({ code: 2, output: '', errors })
  })

  test.each(['leaving.js', 'leavingLater.js', 'waiting.js'])('one that ends the process, or never ends itself: %s', async (module) => {
    expect(await run(project({ packages: true }), 'diff', 'api.js', module)).toEqual({
      code: 2,
      output: '',
      errors:
        'The process ended before the command had a result: a module calls process.exit(), or waits for something that never happens.\n',
    })
  })

  test('TypeScript that neither Node nor tsx can run', async () => {
    expect(await run(project({ packages: false }), 'routes', 'wrong.ts')).toEqual({
      code: 2,
      output: '',
      errors:
        'wrong.ts uses TypeScript syntax that this version of Node cannot run. Install tsx in the project (npm install --save-dev tsx), or name the compiled JavaScript.\n',
    })
  })
})

test('a mock of TypeScript with its own copy of the toolkit rejects wrong requests', async () => {
  const child = start(project({ packages: true }), 'mock', 'api.ts', '--port', '0')
  const [line] = await once(child.stdout, 'data')
  const [, url = ''] = /listening on (\S+)/.exec(String(line)) ?? []
  const statuses = await Promise.all(['/hello/2', '/hello/two'].map(async (path) => (await fetch(url + path)).status))
  expect(statuses).toEqual([200, 400])
})

test.each(['SIGINT', 'SIGTERM'] as const)('a mock exits with 0 at %s', async (signal) => {
  const child = start(project({ packages: true }), 'mock', 'api.js', '--port', '0')
  await once(child.stdout, 'data')
  child.kill(signal)
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
})

test('a reader that closes the pipe is no error', async () => {
  const server = createServer((_request, response) => response.end('hey')).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const child = start(project({ packages: true }), 'call', 'api.js', 'plain', '--base', base)
  child.stdout.destroy()
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
})
