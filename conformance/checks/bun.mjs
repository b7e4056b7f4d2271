/** The adapter on Bun.serve: the tests of adapters run by Bun itself, the matrix sent by Node.js, and the hostile corpus. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { runCommand, runNode, waitForAll } from '../command.mjs'
import { install } from '../install.mjs'
import { here, root } from '../places.mjs'

/** Those in which an adapter has a part. */
const files = [
  ...['acceptQueue', 'clientLimits', 'framing', 'mounts', 'rawSockets', 'requestEnds', 'requestMatrix', 'responseCookies'].map(
    (name) => `adapters/${name}`,
  ),
  ...[
    'adapters/node/fetchPublic',
    'adapters/runningServer',
    'adapters/streamEnd',
    'adapters/streams',
    'adapters/streamStart',
    'contract/etag',
    'contract/media/download',
    'contract/media/form',
    'http/negotiation',
  ],
  ...['middleware/cors', 'middleware/loadShedding', 'middleware/timeout', 'pagination/rangePagination', 'server/failureOrder'],
  ...['server/serve', 'server/streamMultipart', 'server/unexpectedErrors'],
  ...['authenticateWebhooks', 'createWebhookSender', 'webhookSecrets', 'webhookStore'].map((name) => `webhooks/${name}`),
]

export async function check() {
  // Its program comes by a script of the package.
  install('bun', [])
  const bun = join(here, 'bun/node_modules/bun/bin/bun.exe')
  const environment = { BUN: bun, NO_COLOR: '1' }
  const output = { bun: '', node: '' }
  const bunWords = ['test', '--timeout', '20000', ...files.map((name) => `./packages/lapidary/test/${name}.test.ts`)]
  const nodeWords = [
    'run',
    '--project',
    'toolkit',
    '--project',
    'llhttp',
    '--project',
    'sqlite',
    'packages/lapidary/test/adapters/bun/listen.test.ts',
    'packages/llhttp/test/bun.test.ts',
    'service/test/hostile/bun',
  ]
  await waitForAll([
    runCommand(bun, bunWords, { cwd: root, environment, withErrors: true }).then((text) => {
      output.bun = text
    }),
    runNode(join(root, 'node_modules/vitest/vitest.mjs'), nodeWords, { cwd: root, environment }).then((text) => {
      output.node = text
    }),
  ])
  const [, own] = /^\s*(\d+) pass$/m.exec(output.bun) ?? []
  const [, others] = /Tests\s+(\d+) passed/.exec(output.node) ?? []
  assert(Number(own) > 1_000 && Number(others) > 400, `too few were run: ${own} by Bun, ${others} by Node.js`)
  return `${own} tests run by Bun itself, ${others} that Node.js runs against it`
}
