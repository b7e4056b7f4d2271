/** An answer of a mock is given for an endpoint that is not there. */
import { endpoint, ok, text, prefix } from 'lapidary'
import { mock } from '@lapidary/testing'

const api = { users: prefix('/users', { first: endpoint('GET /first', { response: ok(text) }) }) }

mock(api, { handlers: { 'users.last': () => 'Ann' } })
