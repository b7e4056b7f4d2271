/** Events of a stream, and of one that is resumed. */
import { expect, test } from 'vitest'
import { compareResumed, parseEvents } from '../../../src/check/clients/streamRound.ts'

test('complete events with an identifier are read', () => {
  const text = 'event: a\r\nid: 1\r\ndata: x\r\ndata: y\r\n\r\n: heartbeat\n\ndata: no id\n\nid:2\ndata:z\n\nid: 3\ndata: cut'
  expect(parseEvents(text)).toEqual([
    { id: '1', data: 'x\ny' },
    { id: '2', data: 'z' },
  ])
})

const events = (...ids: readonly string[]) => ids.map((id) => ({ id, data: `data of ${id}` }))

test.each([
  ['it continues', events('2', '3', '4'), undefined],
  ['it may have more', events('2', '3', '4', '5'), undefined],
  ['one is lost', events('2', '4'), 'the event 3 is lost'],
  ['the end is lost', events('2'), 'the event 3 is lost'],
  ['the last one is repeated', events('1', '2', '3', '4'), 'the event 1 is repeated'],
  ['one comes twice', events('2', '3', '3', '4'), 'the event 3 is repeated'],
  ['the order is another one', events('3', '2', '4'), 'expected the event 2, got the event 3'],
  ['the data is another one', [{ id: '2', data: 'x' }, ...events('3', '4')], 'the event 2 has other data'],
] as const)('%s', (_sentence, resumed, difference) => {
  expect(compareResumed(events('0', '1', '2', '3', '4'), '1', resumed)).toBe(difference)
})
