/** An answer of a mock is not what its endpoint answers. */
import { endpoint, ok, text, under } from 'lapidary'
import { mock } from 'lapidary/mock'

const api = { users: under('/users', { first: endpoint('GET /first', { response: ok(text) }) }) }

mock(api, { answers: { 'users.first': () => 7 } })
