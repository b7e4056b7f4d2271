/** A server of another framework is asked for what its description promises: the check finds what the framework does otherwise, and nothing else. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { install } from '../install.mjs'
import { root } from '../places.mjs'

const folder = join(root, 'examples/foreign')

/** What Fastify does in its own way, by predicate; docs/check.md tells of it. */
const found = {
  'stones.list': ['accept', 'encoding', 'methods', 'options', 'problem', 'status'],
  'stones.item': ['accept', 'encoding', 'methods', 'options', 'problem', 'status'],
  search: ['accept', 'encoding', 'methods', 'options', 'problem', 'status'],
  'stones.create': ['bodies', 'content-type', 'encoding', 'problem', 'status'],
  'stones.replace': ['bodies', 'content-type', 'encoding', 'problem', 'status'],
  'stones.remove': ['encoding', 'problem'],
}

export async function check() {
  install('../examples/foreign')
  const { checkServer } = await import(join(root, 'lapidary/dist/doors/check.js'))
  const { tsImport } = await import('tsx/esm/api')
  const { api } = await tsImport(join(folder, 'api.ts'), import.meta.url)
  const child = spawn(process.execPath, [join(folder, 'server.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [url] = await once(createInterface({ input: child.stdout }), 'line')
    const { endpoints, requests } = await checkServer(api, url, { write: true, seed: 1, requests: 3_000 })
    const broken = Object.fromEntries(endpoints.map((one) => [one.endpoint, one.failures.map(({ predicate }) => predicate).sort()]))
    assert.deepEqual(broken, found)
    return `${Object.values(found).flat().length} predicates that Fastify does not keep to, in ${requests} requests`
  } finally {
    child.kill()
  }
}
