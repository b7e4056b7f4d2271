/** The repository keeps summaries of the benchmarks, and no raw samples; the benchmarks import names that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../../bench/results/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
interface Summary {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}
const readSummary = (name: string): Summary => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Summary

test('the summaries have at most 300 lines in all', () => {
  const lines = files.map((name) => readFileSync(new URL(name, folder), 'utf8').split('\n').length - 1)
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(300)
})

test.each(files)('%s has a value for each column in each row', (name) => {
  const { columns, rows } = readSummary(name)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter((row) => row.length !== columns.length)).toEqual([])
})

const bench = new URL('../../bench/', import.meta.url)
const programs = readdirSync(bench, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.mjs') && !path.includes('node_modules/'))

/** `import { one, two as other } from '../packages/lapidary/dist/…'`, with the source of the built file. */
const builtImports = programs.flatMap((path) => {
  const url = new URL(path, bench)
  const imports = readFileSync(url, 'utf8').matchAll(/^import \{([^}]+)\} from '(\.[^']+\/dist\/[^']+)'$/gm)
  return [...imports].flatMap(([, names = '', target = '']) => {
    const source = new URL(target.replace('/dist/', '/src/').replace(/\.js$/, '.ts'), url)
    return names.split(',').map((name) => ({ path, target, source, name: name.trim().replace(/ as .*$/, '') }))
  })
})

test('the imports of built files are found', () => {
  expect(builtImports.length).toBeGreaterThan(20)
})

test.each(builtImports)('$path imports $name, which $target exports', ({ source, name }) => {
  expect(existsSync(source)).toBe(true)
  const declaration = new RegExp(
    `^export (?:(?:async )?function\\*?|const|let|class) (?:\\{[^}]*)?\\b${name}\\b|^export (?:type )?\\{[^}]*\\b${name}\\b`,
    'm',
  )
  expect(readFileSync(source, 'utf8')).toMatch(declaration)
})
