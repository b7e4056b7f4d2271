/** The matrix: one table of requests and their answers, the same in memory and over a socket. */
import { afterAll, beforeAll, describe } from 'vitest'
import { everything } from '../support/everything.ts'
import { adapters, type Carried } from '../support/matrix/adapters.ts'
import { askEverything } from '../support/matrix/runMatrix.ts'

describe.each(adapters)('$name', ({ carry }) => {
  let carried: Carried
  beforeAll(async () => {
    carried = await carry(everything())
  })
  afterAll(() => carried.close())

  askEverything(() => carried)
})
