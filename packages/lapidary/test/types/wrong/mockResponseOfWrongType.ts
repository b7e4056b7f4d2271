/** An answer of a mock is not what its endpoint answers. */
import { endpoint, ok, text, prefix } from 'lapidary'
import { mock } from '@lapidary/testing'

const api = { users: prefix('/users', { first: endpoint('GET /first', { response: ok(text) }) }) }

mock(api, { handlers: { 'users.first': () => 7 } })
