import { endpoint, ok, text } from 'lapidary'
import { guard } from 'lapidary/server'

const api = { one: endpoint('GET /one', { response: ok(text) }) }
export const handlers = guard(api, () => new Response(null, { status: 403 }), { one: () => 'one' })
