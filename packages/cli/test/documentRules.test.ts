/** The rules that `check` leaves out for a document: each exists, and the guide has each with its reason. */
import { readFileSync } from 'node:fs'
import { rules } from '@lapidary/testing'
import { expect, test } from 'vitest'
import { rulesLeftOut } from '../src/documentRules.ts'

test('each is a rule', () => {
  expect(rulesLeftOut.map(({ name }) => name).filter((name) => !rules.some((rule) => rule.name === name))).toEqual([])
})

test('the guide has the same table', () => {
  const guide = readFileSync(new URL('../../../docs/check.md', import.meta.url), 'utf8')
  const table = guide.slice(guide.indexOf('| left out |'))
  const rows = [...table.slice(0, table.indexOf('\n\n')).matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)]
  expect(rows.map(([, name, reason]) => ({ name, reason }))).toEqual(rulesLeftOut)
})
