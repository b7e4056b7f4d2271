/** The choices: names of packages, and the extras that a host does not take. */
import { expect, test } from 'vitest'
import { findRefusal, toPackageName } from '../src/choices.ts'

test.each([
  ['shop', 'shop'],
  ['My Shop!', 'my-shop'],
  ['été', 't'],
  ['--', 'my-api'],
  ['a'.repeat(250), 'a'.repeat(214)],
])('the folder %j is the package %s', (folder, name) => {
  expect(toPackageName(folder)).toBe(name)
})

test('a worker has a page, and neither a database nor an image', () => {
  expect(findRefusal('workers', 'page')).toBeUndefined()
  expect(findRefusal('workers', 'postgres')).toMatch(/Hyperdrive/)
  expect(findRefusal('workers', 'docker')).toMatch(/wrangler/)
  for (const host of ['node', 'bun'] as const)
    for (const extra of ['page', 'postgres', 'docker'] as const) expect(findRefusal(host, extra)).toBeUndefined()
})
