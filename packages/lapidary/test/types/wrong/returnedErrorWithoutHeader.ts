import { endpoint, errors, int, ok, reply, text } from 'lapidary'
import { serve } from 'lapidary/server'

const wait = reply(429, undefined, { headers: { 'Retry-After': int } })
const api = { one: endpoint('GET /one', { response: ok(text), errors: [wait] }) }
export const server = serve(api, { one: () => errors.tooManyRequests() })
