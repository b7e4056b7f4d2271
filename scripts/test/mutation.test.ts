/** The mutation tests can run: each guard stands in the file that its row names, and its test exists. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { adapters } from '../mutation/adapters.mjs'
import { docsPage } from '../mutation/docsPage.mjs'
import { service } from '../mutation/service.mjs'
import { values } from '../mutation/values.mjs'

const root = new URL('../../', import.meta.url)
const guards = [...adapters, ...docsPage, ...values, ...service]

/** How many times a text occurs in a file; undefined if the file is missing. */
function countOccurrences(file: string, text: string): number | undefined {
  const url = new URL(file, root)
  return existsSync(url) ? readFileSync(url, 'utf8').split(text).length - 1 : undefined
}

test.each(guards)('the text of "$guard" occurs once in its file', ({ file, text }) => {
  expect({ file, count: countOccurrences(file, text) }).toEqual({ file, count: 1 })
})

test.each(guards)('the test of "$guard" exists', ({ test: file, name }) => {
  expect({ file, exists: existsSync(new URL(file, root)) }).toEqual({ file, exists: true })
  expect(() => new RegExp(name)).not.toThrow()
})

test('each guard has a name of its own', () => {
  const names = guards.map(({ guard }) => guard)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
