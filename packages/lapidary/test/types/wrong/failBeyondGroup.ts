import { endpoint, group, ok, reply, text } from 'lapidary'
import { serve } from 'lapidary/server'

const api = group({ errors: [reply(403)] }, { one: endpoint('GET /one', { response: ok(text), errors: [reply(404)] }) })
export const server = serve(api, { one: ({ fail }) => fail(410) })
