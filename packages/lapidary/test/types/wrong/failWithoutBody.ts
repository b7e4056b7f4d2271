import { endpoint, ok, reply, text } from 'lapidary'
import { serve } from 'lapidary/server'

const api = { one: endpoint('GET /one', { response: ok(text), errors: [reply(409, text)] }) }
export const server = serve(api, { one: ({ fail }) => fail(409) })
