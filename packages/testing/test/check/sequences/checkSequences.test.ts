/** The check finds faults of state by sequences of requests, and none in servers without a fault. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CheckReport, type CheckServerOptions, checkServer, formatReport, mock, rules } from '@lapidary/testing'
import { bearer, collection, group, prefix, withHeaders } from 'lapidary'
import { listen } from 'lapidary/node'
import { authenticate, serve } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { changeFaults } from '../../support/sequences/changeFaults.ts'
import { clientFaults } from '../../support/sequences/clientFaults.ts'
import { etagFaults } from '../../support/sequences/etagFaults.ts'
import type { StateFault } from '../../support/sequences/fault.ts'
import { identityFaults } from '../../support/sequences/identityFaults.ts'
import { type StoneParts, startStoneServer } from '../../support/sequences/stoneServer.ts'
import { stonesApi } from '../../support/sequences/stonesApi.ts'

const isWhole = process.env['SAMPLES'] === 'whole'
const sequenceRules = rules.filter((rule) => 'scope' in rule)

async function checkStones(wrong: Partial<StoneParts>, options: CheckServerOptions): Promise<CheckReport> {
  const { url, close } = await startStoneServer(wrong)
  try {
    return await checkServer(stonesApi, url, { write: true, seed: 1, rules: sequenceRules, ...options })
  } finally {
    await close()
  }
}

/** Most faults show within so many steps. */
const fewSteps = 60

async function findFault({ plant, clients = 1, rules: expected }: StateFault): Promise<CheckReport> {
  const isFound = ({ failures }: CheckReport): boolean => failures.some(({ rule }) => expected.includes(rule))
  const report = await checkStones(plant(), { steps: fewSteps, clients })
  return isFound(report) ? report : checkStones(plant(), { steps: 10 * fewSteps, clients })
}

test('a right server has no failures', async () => {
  const report = await checkStones({}, { steps: isWhole ? 5_000 : 500 })
  expect(report.failures, formatReport(report)).toEqual([])
  expect(report.sequences).toMatchObject([{ endpoint: 'stones.item', skipReason: '', notTested: [] }])
  expect(report.sequences[0]?.requests).toBeGreaterThan(500)
})

test('a right server has no failures with several clients', async () => {
  const report = await checkStones(
    { beforeCreate: () => new Promise((resolve) => void setTimeout(resolve, 1)) },
    { steps: 200, clients: 8 },
  )
  expect(
    report.failures.filter(({ rule }) => rule !== 'parallel-posts'),
    formatReport(report),
  ).toEqual([])
  const right = await checkStones({}, { steps: isWhole ? 2_000 : 300, clients: 8 })
  expect(right.failures, formatReport(right)).toEqual([])
  expect(right.sequences[0]?.passed).toEqual(sequenceRules.map(({ name }) => name))
})

test('the mock of a collection has no failures', async () => {
  const { url, close } = await listen(mock(stonesApi, { seed: 7 }), { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const report = await checkServer(stonesApi, url, { write: true, seed: 2, steps: 200, clients: 4, rules: sequenceRules })
  expect(report.failures, formatReport(report)).toEqual([])
  expect(report.sequences).toMatchObject([{ skipReason: '' }])
})

const faults = [...identityFaults, ...changeFaults, ...etagFaults, ...clientFaults]

test('at least forty faults are planted, each with another sentence', () => {
  expect(new Set(faults.map(({ sentence }) => sentence)).size).toBe(faults.length)
  expect(faults.length).toBeGreaterThanOrEqual(40)
})

/** Each fault takes half a second: without the whole, every third is planted. */
describe('planted faults of state', () => {
  test.each(faults.filter((_, index) => isWhole || index % 3 === 0))('$sentence', async (fault) => {
    const report = await findFault(fault)
    const found = report.failures.map(({ rule }) => rule)
    expect(
      found.filter((rule) => fault.rules.includes(rule)),
      formatReport(report),
    ).not.toEqual([])
  })
})

/** Runs a script. */
const runScript = (
  file: string,
  url: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly [code: number, output: string]> =>
  new Promise((resolve) => {
    execFile('sh', [file, url], { env: { ...process.env, ...environment } }, (error, stdout, stderr) =>
      resolve([error === null ? 0 : Number(error.code), stdout + stderr]),
    )
  })

async function writeScript(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lapidary-script-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'repro.sh')
  writeFileSync(file, text)
  return file
}

describe('the script of a failure', () => {
  const scripted = [
    'a cache is not cleared by DELETE',
    'the identifier of a deleted item is used again',
    'PUT changes nothing',
    'the ETag is that of the identifier',
    'If-Match accepts every ETag',
    'a key has a second effect',
    'a list shows the first version of an item',
  ]
  test.each(faults.filter(({ sentence }) => scripted.includes(sentence)))('$sentence', async (fault) => {
    const { failures } = await findFault(fault)
    const { script } = failures.find(({ rule }) => fault.rules.includes(rule)) ?? {}
    const file = await writeScript(script ?? '')
    const [wrong, right] = [await startStoneServer(fault.plant()), await startStoneServer()]
    onTestFinished(async () => void (await Promise.all([wrong.close(), right.close()])))
    expect(await runScript(file, wrong.url)).toEqual([1, expect.stringContaining('The fault is there.')])
    expect(await runScript(file, right.url)).toEqual([0, expect.stringContaining('The fault is gone.')])
    expect(await runScript(file, 'http://127.0.0.1:1')).toEqual([125, expect.stringContaining('the fault cannot be tested')])
  })

  test('sends the requests of several clients at the same time', async () => {
    const fault = clientFaults.find(({ sentence }) => sentence === 'the condition is tested before another change is made')
    const slow: Partial<StoneParts> = { beforeChange: () => new Promise((resolve) => void setTimeout(resolve, 400)) }
    const { failures } = await checkStones(fault?.plant() ?? {}, { steps: 60, clients: 2 })
    const file = await writeScript(failures.find(({ rule }) => rule === 'one-order')?.script ?? '')
    const [wrong, right] = [await startStoneServer(slow), await startStoneServer()]
    onTestFinished(async () => void (await Promise.all([wrong.close(), right.close()])))
    expect(await runScript(file, wrong.url)).toEqual([1, expect.stringContaining('The fault is there.')])
    expect(await runScript(file, right.url)).toEqual([0, expect.stringContaining('The fault is gone.')])
  })

  test('has no secret: it reads credentials from its environment', async () => {
    const robots = bearer<true>('robots')
    const Stone = z.object({ name: z.string().max(20) })
    const api = group({ auth: robots }, prefix('/stones', collection(Stone)))
    const handlers = {
      list: () => [],
      create: () => withHeaders(undefined, { Location: '/stones/1' }),
      item: () => ({ name: 'agate' }),
      replace: () => {},
      remove: () => {},
    }
    const server = serve(api, handlers, { auth: [authenticate(robots, (token) => (token === 'a-secret-token' ? true : undefined))] })
    const { url, close } = await listen(server, { port: 0, host: '127.0.0.1' })
    onTestFinished(() => close({ drain: 0, grace: 0 }))
    const options = { write: true, seed: 1, steps: 40, rules: sequenceRules, credentials: { robots: 'a-secret-token' } }
    const without = await checkServer(api, url, { ...options, credentials: {} })
    expect(without.sequences).toMatchObject([{ requests: 0, skipReason: 'no credentials were given for POST /stones' }])
    const report = await checkServer(api, url, options)
    expect(JSON.stringify(report)).not.toContain('a-secret-token')
    const { script } = report.failures.find(({ rule }) => rule === 'read-writes') ?? {}
    const file = await writeScript(script ?? '')
    expect(await runScript(file, url)).toEqual([2, expect.stringContaining('HEADER_AUTHORIZATION')])
    expect(await runScript(file, url, { HEADER_AUTHORIZATION: 'Bearer a-secret-token' })).toEqual([
      1,
      expect.stringContaining('The fault is there.'),
    ])
  })
})

test('the page about sequences has the rules with their descriptions', () => {
  const page = readFileSync(new URL('../../../../../docs/sequences.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.*) \|$/gm)].map(
    ([, name, description]) => `${name}: ${description?.replaceAll('`', '')}`,
  )
  expect(rows).toEqual(sequenceRules.map(({ name, description }) => `${name}: ${description}`))
})

test('steps need write, and counts are integers', async () => {
  const check = (options: CheckServerOptions): Promise<CheckReport> => checkServer(stonesApi, 'http://127.0.0.1:1', options)
  await expect(check({ steps: 10 })).rejects.toThrow(/^The option "steps" needs "write"/)
  await expect(check({ write: true, clients: 2 })).rejects.toThrow(/^The option "clients" needs "steps"/)
  await expect(check({ write: true, steps: 1.5 })).rejects.toThrow(/^The option "steps" is 1\.5\. Pass an integer of at least 0\./)
  await expect(check({ clients: 0 })).rejects.toThrow(/^The option "clients" is 0\. Pass an integer of at least 1\./)
})

test('a family that cannot be created is reported with the reason', async () => {
  const Stone = z.object({ name: z.string().max(20) })
  const stones = prefix('/stones', collection(Stone))
  const server = serve(stones, {
    list: () => [],
    create: () => withHeaders(undefined, { Location: '/elsewhere' }),
    item: () => ({ name: 'agate' }),
    replace: () => {},
    remove: () => {},
  })
  const { url, close } = await listen(server, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { sequences, failures } = await checkServer(stones, url, { write: true, seed: 1, steps: 20, rules: sequenceRules })
  expect(failures).toEqual([])
  const skipReason =
    'the new item of POST /stones cannot be addressed: its response has no Location that leads to GET /stones/:id, and no "id" in its body'
  expect(sequences).toMatchObject([{ endpoint: 'item', passed: [], skipReason }])
})
