/** JSON-Schema-Test-Suite, draft 2020-12: which values are valid, to the validation of requests. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSchema, Validator } from 'lapidary/internal'
import { createCases } from './cases.mjs'

export const title = 'JSON-Schema-Test-Suite'
export const about =
  'Each schema of draft 2020-12, the optional ones included, validates each of its values, as the server validates a request before it calls the library of the schema. The engine says that a value is valid or invalid, or leaves it to that library.'

export const sources = [
  {
    repository: 'json-schema-org/JSON-Schema-Test-Suite',
    commit: '44401e0c046704b476ec9d2e2fccdaee618f259d',
    licence: 'MIT',
    paths: ['tests/draft2020-12'],
  },
]

/** A reason for what the engine leaves to the library of a schema. @param {string} reason @param {RegExp} pattern of the names of cases */
const leaves = (reason, pattern) => ({
  outcome: /** @type {const} */ ('refused'),
  reason,
  includes: (/** @type {string} */ name, /** @type {string} */ found) => found === 'unknown' && pattern.test(name),
})

/** @type {readonly import('./cases.mjs').Reason[]} */
const reasons = [
  leaves('Libraries differ in formats. The engine leaves a text with a format to the library of the schema.', /^(?:optional\/)?format/),
  leaves(
    'What `unevaluatedItems` and `unevaluatedProperties` forbid depends on what other keywords have read. The engine leaves it to the library.',
    /^unevaluated|^not: collect annotations/,
  ),
  leaves(
    'The engine fetches no other documents, and leaves a schema that refers to one to the library.',
    /^(?:defs|ref|refRemote|optional\/cross-draft): /,
  ),
  leaves('Only a program finds where `$dynamicRef` leads. The engine leaves it to the library.', /^(?:optional\/)?dynamicRef: /),
  {
    outcome: 'refused',
    reason: 'An integer that JavaScript cannot hold exactly is refused, as it would arrive as another one.',
    includes: (name, found) => found === 'no' && /^optional\/(?:bignum|float-overflow): /.test(name),
  },
  {
    outcome: 'refused',
    reason: 'A schema with a dialect of its own is read as one of draft 2020-12.',
    includes: (name, found) => found === 'no' && name.startsWith('vocabulary: '),
  },
]

export async function run([folder]) {
  const tests = join(folder, 'tests/draft2020-12')
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  const cases = createCases(reasons)
  for (const file of files.sort()) {
    const keyword = file.slice(0, -'.json'.length).replaceAll('\\', '/')
    for (const { description, schema, tests: values } of JSON.parse(readFileSync(join(tests, file), 'utf8'))) {
      const node = parseSchema(schema)
      for (const { description: value, data, valid } of values) {
        const validity = new Validator(true).validate(node, data)
        cases.add(`${keyword}: ${description}: ${value}`, validity === (valid ? 'yes' : 'no') ? undefined : validity)
      }
    }
  }
  return cases.list()
}
