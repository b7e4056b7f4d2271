/**
 * Sends the correctness cases and the workloads to every server, and prints what differs from the baseline: `npm run bench -- check [--servers fastify,hono]`.
 * It fails where such a difference excludes a server from the measurements.
 */
import { parseArgs } from 'node:util'
import { findDifferences } from './correctness.mjs'
import { log } from './log.mjs'
import { selectFrameworks } from './options.mjs'
import { formatTable } from './report.mjs'

/** @param {readonly string[]} words */
export async function run(words) {
  const { values } = parseArgs({ args: [...words], options: { servers: { type: 'string' } } })
  const rows = []
  for (const framework of selectFrameworks(values.servers)) {
    log(framework.name)
    const found = await findDifferences(framework)
    rows.push(...found.map(({ name, what, required }) => [framework.name, name, what, required ? 'not measured' : '']))
    if (found.some(({ required }) => required)) process.exitCode = 1
  }
  if (rows.length === 0) return log('nothing differs')
  process.stdout.write(formatTable([['server', 'case', 'response', ''], ...rows], 4))
}
