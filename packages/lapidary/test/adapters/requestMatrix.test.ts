/** The matrix: one table of requests and their responses, the same in memory and over a socket; HEAD has the status and headers of GET. */
import { afterAll, beforeAll, describe } from 'vitest'
import { everything } from '../support/everything.ts'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'
import { testMatrix } from '../support/matrix/runMatrix.ts'

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(everything())
  })
  afterAll(() => adapter.close())

  testMatrix(() => adapter)
})
