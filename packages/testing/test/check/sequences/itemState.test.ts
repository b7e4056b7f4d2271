/** The model of an item: what a list may show after a PATCH that does not name a member. */
import { expect, test } from 'vitest'
import { ItemState } from '../../../src/check/sequences/itemState.ts'

test.each([
  [2, true],
  [1, true],
  [null, false],
  [undefined, false],
])('a PATCH may derive a member anew that it does not name, and not drop it (%s)', (value, isShown) => {
  const family = { writable: new Set(['serial', 'records']), choices: new Set<string>() }
  const state = new ItemState(family, new Set(), { member: 'id', text: '1' }, {})
  state.show({ serial: 1 }, ['serial'], 'GET /zones/1', true)
  state.write('PATCH /zones/1', { records: [] }, false)
  expect(state.isShownBy('serial', value)).toBe(isShown)
})
