/** The rules for account names, at their limits. */
import { expect, test } from 'vitest'
import { nameProblem } from '../../src/accounts/rules.ts'

test.each([
  ['', 'The name is empty.'],
  ['a', undefined],
  ['n'.repeat(255), undefined],
  ['n'.repeat(256), 'The name is longer than 255 characters.'],
  ['a:b', 'The name holds a colon, at which HTTP Basic authentication would cut it.'],
  ['a\u0085b', 'The name holds a control character, which HTTP cannot send.'],
])('%j', (name, problem) => {
  expect(nameProblem(name)).toBe(problem)
})
