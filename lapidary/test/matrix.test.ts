/** The matrix: one table of requests and their answers, the same in memory and over a socket. */
import { afterAll, beforeAll, describe } from 'vitest'
import { everything } from './everything.ts'
import { askEverything } from './matrix/asked.ts'
import { type Carried, carriers } from './matrix/carriers.ts'

describe.each(carriers)('$name', ({ carry }) => {
  let carried: Carried
  beforeAll(async () => {
    carried = await carry(everything())
  })
  afterAll(() => carried.close())

  askEverything(() => carried)
})
