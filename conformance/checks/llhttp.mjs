/** The toolkit's tests of sockets, and what besieges the service, with the llhttp adapter in the place of node:http. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { node } from '../command.mjs'
import { root } from '../places.mjs'

const streams = 2_000

/** How many tests passed; all of them, or else it throws. @param {readonly string[]} words @param {Readonly<Record<string, string>>} environment */
async function passed(words, environment) {
  const report = join(tmpdir(), `lapidary-llhttp-${process.pid}.json`)
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  try {
    await node(vitest, ['run', ...words, '--reporter=json', `--outputFile=${report}`], { cwd: root, environment })
    return JSON.parse(readFileSync(report, 'utf8')).numPassedTests
  } finally {
    rmSync(report, { force: true })
  }
}

export async function check() {
  const tests = await passed(['--project', 'llhttp'], { LLHTTP: 'whole' })
  const cases = await passed(['--project', 'sqlite', 'service/test/hostile/hostile'], { ADAPTER: 'llhttp', STREAMS: `${streams}` })
  assert(tests > 1_000 && cases > 1_000, `only ${tests} tests and ${cases} hostile cases were found`)
  return `${tests} tests of sockets, ${cases} hostile cases and ${streams} mutated streams on the llhttp adapter`
}
