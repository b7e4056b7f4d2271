/** `@lapidary/testing` sees every fault that is planted into the service, and none where there is none. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CheckReport, type CheckServerOptions, checkServer, formatReport } from '@lapidary/testing'
import { listen } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import { afterAll, describe, expect, test } from 'vitest'
import { main } from '../../src/api.ts'
import { createLog } from '../../src/log.ts'
import { createServers } from '../../src/server.ts'
import { readSettings } from '../../src/settings.ts'
import { openStore } from '../../src/store/store.ts'

import { temporaryFolder } from '../service.ts'
import type { Fault } from './faults/change.ts'
import { faults } from './faults.ts'
import { faulty } from './faulty.ts'

const { path, remove } = temporaryFolder()
const secretToken = 'a-token-for-tests'
writeFileSync(join(path, 'myfile.txt'), 'The text of the file.\n')
mkdirSync(join(path, 'static-files'))
const chosen = readSettings({ WORKING_DIR: path, DATABASE_URL: `sqlite:${join(path, 'service.db')}`, SECRET_TOKEN: secretToken })
const store = await openStore(chosen.databaseUrl)
const { main: kernel } = await createServers({ settings: chosen, store, log: createLog('silent'), isClosing: () => false })
afterAll(async () => {
  await store.close()
  remove()
})

/** Small enough for many, large enough to see what there is to see. */
const options: CheckServerOptions = {
  write: true,
  seed: 1,
  requests: 700,
  seconds: 8,
  size: 150_000,
  time: 600,
  credentials: { secret: secretToken },
}

async function checked(served: HttpHandler, further: CheckServerOptions = {}): Promise<CheckReport> {
  const { url, close } = await listen(served, { port: 0, host: '127.0.0.1' })
  try {
    return await checkServer(main, url, { ...options, ...further })
  } finally {
    await close({ drain: 0, grace: 0 })
  }
}

test('the service is what its description says', async () => {
  const report = await checked(kernel, { requests: 8_000, seconds: 60, time: 5_000, size: 16_000_000 })
  expect(formatReport(report)).toContain('predicates hold')
  expect(report.failures).toEqual([])
  expect(report.isOverBudget).toBe(false)
})

const found = new Map<string, readonly string[]>()

describe.each(Object.entries(faults))('%s', (_topic, planted) => {
  test.each(planted)('$sentence', async (fault: Fault) => {
    const { failures } = await checked(faulty(kernel, fault), { only: fault.only })
    const seen = [...new Set(failures.map(({ rule: predicate }) => predicate))]
    // How long an answer takes tells of the machine, where it is not the fault itself.
    found.set(fault.sentence, seen.length > 1 ? seen.filter((name) => name !== 'time') : seen)
    expect(failures).not.toEqual([])
  })
})

const page = fileURLToPath(new URL('../../../docs/faults.md', import.meta.url))

test('the list of faults, with what sees them, is the one that is published', () => {
  const rows = Object.entries(faults).flatMap(([topic, planted]) => [
    '',
    `## ${topic.replace(/^./, (letter) => letter.toUpperCase())}`,
    '',
    '| fault | seen by |',
    '| --- | --- |',
    ...planted.map(({ sentence }) => `| ${sentence} | ${(found.get(sentence) ?? []).map((name) => `\`${name}\``).join(', ')} |`),
  ])
  const count = Object.values(faults).flat().length
  const text = `# What \`lapidary check\` sees

Each of these ${count} faults is planted into the example service, and the check has to find it; the predicates are those that did. Made by \`UPDATE_GUIDES=1 npx vitest run --project sqlite service/test/check\`.
${rows.join('\n')}
`
  if (process.env['UPDATE_GUIDES'] === '1') writeFileSync(page, text)
  // Alone, a test knows of no others.
  if (found.size === count) expect(readFileSync(page, 'utf8')).toBe(text)
})
