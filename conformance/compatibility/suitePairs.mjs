/** Judges pairs of the JSON-Schema-Test-Suite, `suitePairs.mjs FOLDER PART OF`: each schema with changes of itself, and with its neighbours. */
import { random } from '../../packages/testing/test/support/diff/randomSchema.ts'
import { createSuiteCompiler } from './ajv.mjs'
import { createCounts } from './counts.mjs'
import { createJudgedSchema, judgeSchemas } from './judge.mjs'
import { listMutations } from './mutations.mjs'
import { sampleValues } from './samples.mjs'
import { readCases, readRemotes } from './suite.mjs'

const [folder = '', part = '0', of = '1'] = process.argv.slice(2)
/** How many changes of each schema, how many neighbours, and how many values of the suite are tried. */
const most = { mutations: Number(process.env.MUTATIONS ?? 6), neighbours: 4, values: 80 }

const compile = createSuiteCompiler(readRemotes(folder))
const counts = { ...createCounts(), schemas: 0, misjudgedByAjv: 0 }

/** The first so many of them in an order by chance, which is always the same. @template Value @param {readonly Value[]} all */
function choose(all, seed, count) {
  const next = random(seed)
  const ranked = all.map((value) => ({ value, rank: next() })).sort((one, other) => one.rank - other.rank)
  return ranked.slice(0, count).map(({ value }) => value)
}

function judgeFile(cases) {
  const values = cases.flatMap(({ tests }) => tests.map(({ data }) => data))
  const judged = cases.flatMap(({ schema, tests }) => {
    const found = createJudgedSchema(schema, compile)
    // What ajv says of the values of the suite shows whether it can judge others.
    if (found === undefined || tests.some(({ data, valid }) => found.judge(data) !== valid)) counts.misjudgedByAjv += 1
    else return [{ ...found, tests }]
    return []
  })
  counts.schemas += judged.length
  for (const [index, one] of judged.entries()) {
    const sample = (writer, reader) => {
      const own = one.tests.map(({ data }) => data)
      return [...own, ...choose(values, index, most.values), ...sampleValues(writer, reader, index)]
    }
    const mutations = choose(listMutations(one.schema), index, most.mutations).map((schema) => createJudgedSchema(schema, compile))
    for (const other of [...mutations, ...judged.slice(index + 1, index + 1 + most.neighbours)])
      if (other !== undefined) judgeSchemas(counts, one, other, counts.pairs % 2 === 0, sample)
  }
}

// In the suite, a format is an annotation. For the toolkit it restricts a text.
const cases = readCases(folder).filter(({ file }) => file !== 'format')
const files = [...new Set(cases.map(({ file }) => file))]
for (const [index, file] of files.entries()) if (index % Number(of) === Number(part)) judgeFile(cases.filter((one) => one.file === file))
process.stdout.write(JSON.stringify(counts))
