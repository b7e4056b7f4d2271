/** The specification's "Empty part". */

import { METHODS } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { service } from '../support/service.ts'
import { comparable, problem, specify } from './expected.ts'
import { send, withHeaders, withJson } from './send.ts'

const it = await service()
afterAll(it.close)

describe('an API slot declared empty has no endpoints and answers every request reaching it with 404', () => {
  test.each(METHODS.filter((method) => method !== 'CONNECT'))('%s', async (method) => {
    for (const path of ['/empty', '/empty/', '/empty/users', '/empty/a/b/c?d=e']) {
      const { status, headers, body } = comparable(await send(it.main, `${method} ${path}`))
      expect({ status, headers, body }).toEqual(method === 'HEAD' ? { ...problem(404), body: '' } : problem(404))
    }
  })

  specify(it.main, [
    ['with a body', withJson('POST /empty', { a: 1 }), problem(404)],
    ['any Accept header', withHeaders('GET /empty', { Accept: 'image/png' }), problem(404)],
    ['any credentials', withHeaders('GET /empty', { Authorization: 'Basic eDp5' }), problem(404)],
  ])
})
