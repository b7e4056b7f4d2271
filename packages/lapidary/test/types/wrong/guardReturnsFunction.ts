import { endpoint, ok, text } from 'lapidary'
import { guard } from 'lapidary/server'

const api = { one: endpoint('GET /:id', { response: ok(text) }) }
export const handlers = guard(api, () => () => {}, { one: () => 'one' })
