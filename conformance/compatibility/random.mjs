/** Judges random pairs of schemas: `random.mjs FIRST COUNT`. Each number gives one pair, always the same one. */
import { changed, random, whole } from '../../packages/testing/test/support/diff/randomSchema.ts'
import { compileSchema } from './ajv.mjs'
import { createCounts } from './counts.mjs'
import { createJudgedSchema, judgeSchemas } from './judge.mjs'
import { sampleValues } from './samples.mjs'

const [first = 0, count = 0] = process.argv.slice(2).map(Number)
const seed = Number(process.env.SEED ?? 13)

/** Mostly with much in common. */
function createPair(/** @type {number} */ number) {
  const next = random(seed * 1_000_003 + number)
  const one = whole(next)
  return [one, next() < 0.25 ? { ...whole(next), $defs: one.$defs ?? {} } : changed(next, one)]
}

const counts = createCounts()
for (let number = first; number < first + count; number += 1) {
  const [one, other] = createPair(number).map((schema) => createJudgedSchema(schema, compileSchema))
  if (one !== undefined && other !== undefined)
    judgeSchemas(counts, one, other, number % 2 === 0, (writer, reader) => sampleValues(writer, reader, number))
}
process.stdout.write(JSON.stringify(counts))
