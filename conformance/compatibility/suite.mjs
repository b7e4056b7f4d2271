/** The JSON-Schema-Test-Suite at one commit, outside of this repository. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {Record<string, unknown> | boolean} Schema */

/**
 * @typedef {object} SuiteCase
 * @property {string} file  by its keyword: `allOf`
 * @property {string} title
 * @property {Schema} schema
 * @property {readonly { readonly data: unknown, readonly valid: boolean, readonly description: string }[]} tests
 */

/** @type {import('../clone.mjs').PublicSource} */
export const suiteSource = {
  url: 'https://github.com/json-schema-org/JSON-Schema-Test-Suite',
  commit: '44401e0c046704b476ec9d2e2fccdaee618f259d',
  variable: 'JSON_SCHEMA_TEST_SUITE',
}

const readJson = (/** @type {string} */ path) => JSON.parse(readFileSync(path, 'utf8'))

/** The required cases of a draft, without those of formats and other options. @param {string} folder @returns {readonly SuiteCase[]} */
export function readCases(folder, draft = 'draft2020-12') {
  const cases = join(folder, 'tests', draft)
  const files = readdirSync(cases).filter((name) => name.endsWith('.json'))
  return files.flatMap((name) =>
    readJson(join(cases, name)).map(({ description, schema, tests }) => ({ file: name.slice(0, -5), title: description, schema, tests })),
  )
}

/** The documents that cases refer to, by their URL. @param {string} folder */
export function readRemotes(folder, draft = 'draft2020-12') {
  const remotes = join(folder, 'remotes')
  const files = readdirSync(remotes, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  const ofDraft = files.filter((name) => !/^(?:draft|v1)/.test(name) || name.startsWith(draft))
  return new Map(ofDraft.map((name) => [`http://localhost:1234/${name.replaceAll('\\', '/')}`, readJson(join(remotes, name))]))
}
