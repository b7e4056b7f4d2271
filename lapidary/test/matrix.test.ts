/** The matrix: one table of requests and their answers, the same in memory and over a socket. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from './everything.ts'
import { contentTypes, forms, jsonTexts, members, others } from './matrix/bodies.ts'
import { type Carried, carriers } from './matrix/carriers.ts'
import { headers, queries } from './matrix/parameters.ts'
import { methods, paths, readable } from './matrix/paths.ts'
import { accepts, credentials, declaredErrors, mounts, ranged, replies } from './matrix/replies.ts'
import { holds, type Row } from './matrix/row.ts'

const table: Readonly<Record<string, readonly Row[]>> = {
  'a path': paths,
  'a method': methods,
  'a query': queries,
  'a header': headers,
  Accept: accepts,
  'Content-Type': contentTypes,
  'a form': forms,
  'a JSON text': jsonTexts,
  'a JSON member': members,
  'another body': others,
  'a reply': replies,
  'a range': ranged,
  credentials,
  'a declared error': declaredErrors,
  'a mount': mounts,
}

/** Headers of the connection, not of the answer: `fetch` closes it behind a HEAD. */
const perConnection = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

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
