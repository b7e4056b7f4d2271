/** Sends a server every request of the matrix. */
import { expect, test } from 'vitest'
import type { RunningAdapter } from './adapters.ts'
import { readable } from './paths.ts'
import { expectResponse } from './row.ts'
import { perConnection, table } from './table.ts'

/** A test for each row, and for HEAD of what can be read; `getAdapter` gives the server once the tests run. */
export function testMatrix(getAdapter: () => RunningAdapter): void {
  for (const [topic, rows] of Object.entries(table)) {
    test.each(rows)(`${topic}: %s`, async (_sentence, request, expected) => {
      await expectResponse(getAdapter(), request, expected)
    })
  }

  test.each(readable)('HEAD %s has the status and headers of GET, and no body', async (target) => {
    const { fetch } = getAdapter()
    const [get, head] = await Promise.all([fetch(target), fetch(target, { method: 'HEAD' })])
    const named = ({ headers }: Response) => Object.fromEntries([...headers].filter(([name]) => !perConnection.has(name)))
    expect(await head.text()).toBe('')
    expect({ status: head.status, headers: named(head) }).toEqual({ status: get.status, headers: named(get) })
    await get.arrayBuffer()
  })
}
