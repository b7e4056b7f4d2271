/** The reference in `docs/reference` is what the declarations say today, and every public name says what it is. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as lapidary from 'lapidary'
import { expect, test } from 'vitest'
import { reference, writeReference } from '../../../scripts/reference.mjs'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** `UPDATE_REFERENCE=1 npx vitest run packages/lapidary/test/reference.test.ts` writes it anew, as `node scripts/reference.mjs` does. */
if (process.env['UPDATE_REFERENCE'] === '1') writeReference()

const { pages, silent } = reference()

test.each([...pages])('%s is what the declarations say', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text)
})

test('there are no pages of what is gone', () => {
  const found = readdirSync(join(root, 'docs/reference')).map((name) => join('docs/reference', name))
  expect(found.sort()).toEqual([...pages.keys()].sort())
})

test('every public name says what it is', () => {
  expect(silent).toEqual([])
})

test('nothing that can be imported is missing', () => {
  const page = pages.get('docs/reference/lapidary.md') ?? ''
  expect(Object.keys(lapidary).filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
