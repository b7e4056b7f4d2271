import { endpoint, ok, text } from 'lapidary'
import { guard } from 'lapidary/server'

const api = { one: endpoint('GET /one', { response: ok(text) }) }
export const handlers = guard(api, () => ({ endpoint: 'https://hooks.test' }), { one: () => 'one' })
