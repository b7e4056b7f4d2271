/**
 * Asks every server everything, valid and not, and prints what differs from the baseline: `npm run bench -- check [--servers fastify,hono]`.
 * It fails where a server may not be measured for it.
 */
import { parseArgs } from 'node:util'
import { chosenContestants } from './chosen.mjs'
import { table } from './report.mjs'
import { say } from './say.mjs'
import { differences } from './sound.mjs'

/** @param {readonly string[]} words */
export async function run(words) {
  const { values } = parseArgs({ args: [...words], options: { servers: { type: 'string' } } })
  const rows = []
  for (const contestant of chosenContestants(values.servers)) {
    say(contestant.name)
    const found = await differences(contestant)
    rows.push(...found.map(({ question, what, required }) => [contestant.name, question, what, required ? 'not measured' : '']))
    if (found.some(({ required }) => required)) process.exitCode = 1
  }
  if (rows.length === 0) return say('nothing differs')
  process.stdout.write(table([['server', 'question', 'answered', ''], ...rows], 4))
}
