import { endpoint, int, ok, reply, text } from 'lapidary'
import { serve } from 'lapidary/server'

const wait = reply(429, undefined, { headers: { 'Retry-After': int } })
const api = { one: endpoint('GET /one', { response: ok(text), errors: [wait] }) }
export const server = serve(api, { one: ({ fail }) => fail(429, { headers: { 'Retry-After': '60' } }) })
