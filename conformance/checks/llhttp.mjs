/** The toolkit's tests of sockets and the hostile corpus of the service, on the llhttp adapter in place of node:http. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runNode } from '../command.mjs'
import { root } from '../places.mjs'

const streams = 2_000

/** The names of the failed tests in a report of vitest; empty if there is no report. */
function readFailures(report) {
  if (!existsSync(report)) return []
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const failed = testResults.flatMap((file) => file.assertionResults.filter(({ status }) => status === 'failed'))
  return failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]?.split('\n')[0]}`)
}

/**
 * Runs tests, and counts those that pass.
 * @param {readonly string[]} words
 * @param {Readonly<Record<string, string>>} environment
 * @throws Error with the names of the tests that fail
 */
async function countPassed(words, environment) {
  const report = join(tmpdir(), `lapidary-llhttp-${process.pid}.json`)
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  try {
    await runNode(vitest, ['run', ...words, '--reporter=json', `--outputFile=${report}`], { cwd: root, environment })
    return JSON.parse(readFileSync(report, 'utf8')).numPassedTests
  } catch (error) {
    throw new Error([...readFailures(report), error.message].join('\n'))
  } finally {
    rmSync(report, { force: true })
  }
}

export async function check() {
  const tests = await countPassed(['--project', 'llhttp'], { LLHTTP: 'whole' })
  const cases = await countPassed(['--project', 'sqlite', 'service/test/hostile/hostile'], { ADAPTER: 'llhttp', STREAMS: `${streams}` })
  assert(tests > 1_000 && cases > 1_000, `only ${tests} tests and ${cases} hostile cases were found`)
  return `${tests} tests of sockets, ${cases} hostile cases and ${streams} mutated streams on the llhttp adapter`
}
