/** The matrix: one table of requests and their answers, the same in memory and over a socket. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from './everything.ts'
import { type Carried, carriers } from './matrix/carriers.ts'
import { readable } from './matrix/paths.ts'
import { holds } from './matrix/row.ts'
import { perConnection, table } from './matrix/table.ts'

describe.each(carriers)('$name', ({ carry }) => {
  let carried: Carried
  beforeAll(async () => {
    carried = await carry(everything())
  })
  afterAll(() => carried.close())

  for (const [topic, rows] of Object.entries(table)) {
    test.each(rows)(`${topic}: %s`, async (_sentence, ask, answer) => {
      await holds(carried, ask, answer)
    })
  }

  test.each(readable)('HEAD %s has the status and headers of GET, and no body', async (target) => {
    const [get, head] = await Promise.all([carried.fetch(target), carried.fetch(target, { method: 'HEAD' })])
    const named = ({ headers }: Response) => Object.fromEntries([...headers].filter(([name]) => !perConnection.has(name)))
    expect(await head.text()).toBe('')
    expect({ status: head.status, headers: named(head) }).toEqual({ status: get.status, headers: named(get) })
    await get.arrayBuffer()
  })
})
