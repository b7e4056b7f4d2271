/** What besieges the service, with the swift carrier in the place of node:http. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { node } from '../command.mjs'
import { root } from '../places.mjs'

const streams = 2_000

export async function check() {
  const report = join(tmpdir(), `lapidary-swift-${process.pid}.json`)
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const words = ['run', '--project', 'sqlite', 'service/test/hostile/hostile', '--reporter=json', `--outputFile=${report}`]
  try {
    await node(vitest, words, { cwd: root, environment: { CARRIER: 'swift', STREAMS: `${streams}` } })
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
    assert.equal(numFailedTests, 0)
    assert(numPassedTests > 1_000, `only ${numPassedTests} hostile cases were found`)
    return `${numPassedTests} hostile cases and ${streams} mutated streams on the swift carrier`
  } finally {
    rmSync(report, { force: true })
  }
}
