/** An answer of a mock is given for an endpoint that is not there. */
import { endpoint, ok, text, under } from 'lapidary'
import { mock } from 'lapidary/mock'

const api = { users: under('/users', { first: endpoint('GET /first', { response: ok(text) }) }) }

mock(api, { answers: { 'users.last': () => 'Ann' } })
