/** The specification's "Position". */

import { assert, asyncProperty, maxSafeInteger } from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { service } from '../support/service.ts'
import { comparable, json, problem, specify } from './expected.ts'
import { send } from './send.ts'

const it = await service()
afterAll(it.close)

specify(it.main, [
  ['GET /position/{x}/{y}: 200, Position', 'GET /position/3/14', json({ xCoord: 3, yCoord: 14 })],
  ['x and y may be negative', 'GET /position/-3/-14', json({ xCoord: -3, yCoord: -14 })],
  ['x is an integer capture', 'GET /position/3.5/14', problem(400, {}, { in: 'path', name: 'x' })],
  ['y is an integer capture', 'GET /position/3/', problem(404)],
  ['it is there in the docs deployment as well', 'GET /position/0/0', json({ xCoord: 0, yCoord: 0 })],
])

test('xCoord equals x and yCoord equals y, for all integers, in both deployments', async () => {
  await assert(
    asyncProperty(maxSafeInteger(), maxSafeInteger(), async (x, y) => {
      const position = json({ xCoord: x, yCoord: y })
      expect(comparable(await send(it.main, `GET /position/${x}/${y}`))).toEqual(position)
      expect(comparable(await send(it.docs, `GET /position/${x}/${y}`))).toEqual(position)
    }),
  )
})
