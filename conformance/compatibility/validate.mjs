/** The validator of requests on the required cases of the JSON-Schema-Test-Suite: `validate.mjs FOLDER`. */
import { neverSchema, parseSchema, Validator } from 'lapidary/internal'
import { readCases } from './suite.mjs'

const [folder = ''] = process.argv.slice(2)

/** @type {Record<string, { passed: number, failed: number, refused: number, titles: string[] }>} */
const files = {}
for (const { file, title, schema, tests } of readCases(folder)) {
  files[file] ??= { passed: 0, failed: 0, refused: 0, titles: [] }
  const found = files[file]
  const node = parseSchema(typeof schema === 'boolean' ? (schema ? {} : neverSchema) : schema)
  for (const { data, valid, description } of tests) {
    const result = new Validator(true).validate(node, data)
    if (result === 'unknown') found.refused += 1
    else if ((result === 'yes') === valid) found.passed += 1
    else {
      found.failed += 1
      found.titles.push(`${title}: ${description}`)
    }
  }
}
process.stdout.write(JSON.stringify(files))
