/** The matrix: one table of requests and their answers, the same in memory and over a socket. */
import { afterAll, beforeAll, describe } from 'vitest'
import { everything } from './everything.ts'
import { adapters, type Carried } from './matrix/adapters.ts'
import { askEverything } from './matrix/runMatrix.ts'

describe.each(adapters)('$name', ({ carry }) => {
  let carried: Carried
  beforeAll(async () => {
    carried = await carry(everything())
  })
  afterAll(() => carried.close())

  askEverything(() => carried)
})
