/** What `check` and `diff` write for other programs: SARIF keeps the schema of OASIS. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { install } from '../install.mjs'
import { here, root } from '../places.mjs'

const program = join(root, 'packages/cli/bin/lapidary.js')
const description = join(root, 'examples/foreign/api.ts')

/** Validates SARIF. The pattern of languages in the schema is none in Unicode mode. */
function createValidator() {
  const Ajv = createRequire(join(here, 'package.json'))('ajv-draft-04').default
  const schema = readFileSync(join(here, 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8')
  const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false })
  return ajv.compile(JSON.parse(schema.replace(/^\uFEFF/, '')))
}

/** A program that answers each request with a text, which the description does not have. */
const wrongServer = `const server = require('node:http').createServer((_, response) => response.end('opal'))
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ createFolder }) {
  install()
  const validate = createValidator()
  assert(!validate({ version: '2.1.0', runs: [{ tool: { driver: {} } }] }), 'the schema accepts a driver without a name')
  const folder = createFolder('formats')
  const run = (/** @type {readonly string[]} */ ...words) =>
    spawnSync(process.execPath, [program, ...words], { cwd: folder, encoding: 'utf8' })
  run('manifest', description, '--out', 'old.json')
  const { endpoints, ...rest } = JSON.parse(readFileSync(join(folder, 'old.json'), 'utf8'))
  const [first, [name, endpoint]] = Object.entries(endpoints)
  const changed = { ...endpoint, always: { 'X-Stone': 'opal' }, deprecated: { Deprecation: '@0' } }
  writeFileSync(join(folder, 'new.json'), JSON.stringify({ ...rest, endpoints: { ...endpoints, [name]: changed, [first[0]]: undefined } }))
  const server = spawn(process.execPath, ['-e', wrongServer], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = await once(createInterface({ input: server.stdout }), 'line')
  let counts = []
  try {
    const commands = {
      same: ['diff', 'old.json', 'old.json'],
      changed: ['diff', 'old.json', 'new.json'],
      allowed: ['diff', 'old.json', 'new.json', '--allow', first[0]],
      failed: ['check', description, '--url', url, '--requests', '200'],
    }
    counts = Object.entries(commands).map(([file, words]) => {
      const { stderr } = run(...words, '--format', `sarif=${file}.sarif`)
      const log = JSON.parse(readFileSync(join(folder, `${file}.sarif`), 'utf8'))
      assert(validate(log), `${file}: ${JSON.stringify(validate.errors)} ${stderr}`)
      return log.runs[0].results.length
    })
  } finally {
    server.kill()
  }
  assert.equal(counts[0], 0)
  assert(
    counts.slice(1).every((count) => count > 0),
    `expected results in each log, got ${counts}`,
  )
  return `${counts.length} logs with ${counts.reduce((sum, count) => sum + count)} results keep the schema of SARIF 2.1.0`
}
