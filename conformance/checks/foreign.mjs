/** Checks a server of another framework against its description: the check finds what the framework does differently, and nothing else. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { install } from '../install.mjs'
import { root } from '../places.mjs'

const folder = join(root, 'examples/foreign')

/** What Fastify does in its own way, by rule; docs/check.md describes it. */
const expected = {
  'stones.list': ['accept', 'methods', 'options', 'percent-encoding', 'problem'],
  'stones.item': ['accept', 'captures', 'methods', 'options', 'percent-encoding', 'problem'],
  search: ['accept', 'methods', 'options', 'percent-encoding', 'problem', 'query'],
  'stones.create': ['content-type', 'percent-encoding', 'problem', 'request-body'],
  'stones.replace': ['captures', 'content-type', 'percent-encoding', 'problem', 'request-body'],
  'stones.remove': ['percent-encoding', 'problem'],
}

export async function check({ createFolder }) {
  install('../examples/foreign')
  const child = spawn(process.execPath, [join(folder, 'server.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [url] = await once(createInterface({ input: child.stdout }), 'line')
    const json = join(createFolder('foreign'), 'report.json')
    const words = [
      'check',
      join(folder, 'api.ts'),
      '--url',
      url,
      '--write',
      '--seed',
      '1',
      '--requests',
      '3000',
      '--format',
      `json=${json}`,
    ]
    // The exit code is 1, because some rules fail.
    await once(spawn(process.execPath, [join(root, 'packages/cli/bin/lapidary.js'), ...words], { stdio: 'ignore' }), 'close')
    const { endpoints, requests } = JSON.parse(readFileSync(json, 'utf8'))
    const listRules = (failures) => [...new Set(failures.map(({ rule }) => rule))].sort()
    const broken = Object.fromEntries(endpoints.map(({ endpoint, failures }) => [endpoint, listRules(failures)]))
    assert.deepEqual(broken, expected)
    return `${Object.values(expected).flat().length} rules that Fastify does not keep, in ${requests} requests`
  } finally {
    child.kill()
  }
}
