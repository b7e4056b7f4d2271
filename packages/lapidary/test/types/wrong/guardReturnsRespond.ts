import { endpoint, ok, respond, text } from 'lapidary'
import { guard } from 'lapidary/server'

const api = { one: endpoint('GET /one', { response: ok(text) }) }
export const handlers = guard(api, () => respond(403), { one: () => 'one' })
