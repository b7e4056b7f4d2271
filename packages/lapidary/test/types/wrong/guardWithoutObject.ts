import { endpoint, ok, text } from 'lapidary'
import { guard } from 'lapidary/server'

const api = { one: endpoint('GET /:tenant', { response: ok(text) }) }
export const handlers = guard(api, ({ params }) => params.tenant === 'acme', { one: () => 'one' })
