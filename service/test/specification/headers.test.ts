/** The specification's "Endpoints that add response headers". */

import { afterAll } from 'vitest'
import { service } from '../support/service.ts'
import { json, problem, specify, streamed } from './expected.ts'
import { albert, users } from './known.ts'
import { withHeaders } from './send.ts'

const it = await service()
afterAll(it.close)

const unread = problem(400, {}, { in: 'path', name: 'withHeader' })

specify(it.main, [
  ['X-An-Int: integer, added to a User response', 'GET /headers/int', json(albert, { 'x-an-int': '1797' })],
  [
    'X-A-Bool: boolean, added together with X-An-Int in a second variant',
    'GET /headers/both',
    json(albert, { 'x-a-bool': 'true', 'x-an-int': '1797' }),
  ],
  ['X-An-Int (conditional): sent when the capture is true', 'GET /headers/maybe/true', json(albert, { 'x-an-int': '1797' })],
  ['X-An-Int (conditional): omitted when the capture is false', 'GET /headers/maybe/false', json(albert)],
  ['withHeader is a boolean capture', 'GET /headers/maybe/1', unread],
  ['withHeader is true or false in lower case', 'GET /headers/maybe/True', unread],
  ['withHeader is one segment', 'GET /headers/maybe', problem(404)],
  [
    'headers of that name in the request do not matter',
    withHeaders('GET /headers/int', { 'X-An-Int': '5' }),
    json(albert, { 'x-an-int': '1797' }),
  ],
  ['User-Count: declared on a user-list response', 'GET /users', streamed(users, { 'user-count': '3' })],
])
