/** The line of an endpoint in a module and in a document. */
import { expect, test } from 'vitest'
import { createLineFinder } from '../../src/report/locate.ts'

const module = `import { endpoint } from 'lapidary'
export const api = {
  list: endpoint('GET /', {}),
  users: prefix('/users', {
    list: endpoint('GET /', {}),
    item: endpoint("GET /:id", {}),
    remove: endpoint(
      'DELETE /:id',
      {},
    ),
  }),
  paid: webhook('order.paid', {}),
}
`

test.each([
  ['users.item', 'GET /users/:id', 6],
  ['users.remove', 'DELETE /users/:id', 8],
  ['list', 'GET /', 3],
  ['webhook paid', undefined, 12],
  ['gone', 'POST /gone', 1],
])('%s of a module', (name, route, line) => {
  expect(createLineFinder(module, false)({ name, route })).toBe(line)
})

const yaml = `openapi: 3.1.0
paths:
  /users:
    parameters: []
    get:
      operationId: get
    # post:
    post:
      operationId: add
  "/users/{userId}":
    parameters: {}
    get:
      operationId: one
  /:
    get: {}
`
const json = `{
  "paths": {
    "/v1/users/{id}": {
      "delete": {},
      "get": {}
    }
  }
}`

test.each([
  ['GET /users', yaml, 5],
  ['POST /users', yaml, 8],
  ['DELETE /users', yaml, 3],
  ['GET /users/:id', yaml, 12],
  ['GET /api/v1/users', yaml, 5],
  ['GET /', yaml, 15],
  ['GET /else', yaml, 1],
  ['GET /v1/users/:id', json, 5],
])('%s of a document', (route, text, line) => {
  expect(createLineFinder(text, true)({ name: 'users.one', route })).toBe(line)
})
