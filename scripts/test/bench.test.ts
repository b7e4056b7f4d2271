/** The repository keeps summaries of the benchmarks, and no raw samples. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../../bench/results/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
interface Summary {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}
const summaryOf = (name: string): Summary => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Summary

test('the summaries have at most 300 lines in all', () => {
  const lines = files.map((name) => readFileSync(new URL(name, folder), 'utf8').split('\n').length - 1)
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(300)
})

test.each(files)('%s has a value for each column in each row', (name) => {
  const { columns, rows } = summaryOf(name)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter((row) => row.length !== columns.length)).toEqual([])
})
