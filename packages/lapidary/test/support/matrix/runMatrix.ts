/** Asks a server the whole matrix. */
import { expect, test } from 'vitest'
import type { Carried } from './adapters.ts'
import { readable } from './paths.ts'
import { holds } from './row.ts'
import { perConnection, table } from './table.ts'

/** A test for each row, and for HEAD of what can be read; `carried` gives the server once the tests run. */
export function askEverything(carried: () => Carried): void {
  for (const [topic, rows] of Object.entries(table)) {
    test.each(rows)(`${topic}: %s`, async (_sentence, ask, answer) => {
      await holds(carried(), ask, answer)
    })
  }

  test.each(readable)('HEAD %s has the status and headers of GET, and no body', async (target) => {
    const { fetch } = carried()
    const [get, head] = await Promise.all([fetch(target), fetch(target, { method: 'HEAD' })])
    const named = ({ headers }: Response) => Object.fromEntries([...headers].filter(([name]) => !perConnection.has(name)))
    expect(await head.text()).toBe('')
    expect({ status: head.status, headers: named(head) }).toEqual({ status: get.status, headers: named(get) })
    await get.arrayBuffer()
  })
}
