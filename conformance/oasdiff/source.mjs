/** Facts of oasdiff, read from a clone: its checks with their levels, and what its own tests expect of pairs of documents. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @type {import('../clone.mjs').PublicSource} */
export const oasdiffSource = {
  url: 'https://github.com/oasdiff/oasdiff',
  commit: '4553c69d3869ee555ee4f00831d8cca6e1c208ff',
  variable: 'OASDIFF',
}

/** @typedef {'ERR' | 'WARN' | 'INFO'} Level */

const readChecker = (/** @type {string} */ folder, /** @type {(name: string) => boolean} */ isWanted) =>
  readdirSync(join(folder, 'checker'))
    .filter((name) => name.endsWith('.go') && isWanted(name))
    .map((name) => readFileSync(join(folder, 'checker', name), 'utf8'))

const isTest = (/** @type {string} */ name) => name.endsWith('_test.go')

/** The ids by the constants that name them. @param {string} folder */
function readIds(folder) {
  const sources = readChecker(folder, (name) => !isTest(name))
  return new Map(
    sources.flatMap((source) => [...source.matchAll(/^\s*(?:const\s+)?(\w+Id)\s*=\s*"([^"]+)"/gm)].map(([, name, id]) => [name, id])),
  )
}

/** The level of each check. @param {string} folder @returns {ReadonlyMap<string, Level>} */
export function readLevels(folder) {
  const ids = readIds(folder)
  const rules = readFileSync(join(folder, 'checker', 'rules.go'), 'utf8')
  return new Map(
    [...rules.matchAll(/new\w*Rule\((\w+Id),\s*(ERR|WARN|INFO),/g)].map(([, name, level]) => [
      ids.get(name) ?? name,
      /** @type {Level} */ (level),
    ]),
  )
}

/**
 * The pairs of documents that tests compare as they stand, with the checks that each test expects. A test that changes a document in its
 * program, or that expects a check not to report, is left out.
 *
 * @param {string} folder
 */
export function readPairs(folder) {
  const ids = readIds(folder)
  /** @type {Map<string, { base: string, revision: string, expected: Set<string> }>} */
  const pairs = new Map()
  for (const source of readChecker(folder, isTest)) {
    for (const test of source.split(/^func Test/m).slice(1)) {
      const body = test.split(/^}/m)[0]
      const files = [...body.matchAll(/open\("\.\.\/(data\/[^"]+)"\)/g)].map(([, file]) => file)
      if (files.length !== 2 || files[0] === files[1] || /\.Spec\.|require\.(NotContains|Empty)|requireNoChange|range /.test(body)) continue
      const [base, revision] = files
      const lines = body.split('\n').filter((line) => !line.includes('require.NotEqual'))
      const expected = [...lines.join('\n').matchAll(/checker\.(\w+Id)\b/g)].flatMap(([, name]) => ids.get(name) ?? [])
      if (expected.length === 0 || !files.every((file) => existsSync(join(folder, file)))) continue
      const pair = pairs.get(files.join(' ')) ?? { base, revision, expected: new Set() }
      for (const id of expected) pair.expected.add(id)
      pairs.set(files.join(' '), pair)
    }
  }
  return [...pairs.values()].map(({ expected, ...files }) => ({ ...files, expected: [...expected].sort() }))
}
