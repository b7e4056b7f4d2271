import { endpoint, ok, reply, text } from 'lapidary'
import { guard, serve } from 'lapidary/server'

const api = {
  one: endpoint('GET /one', { response: ok(text), errors: [reply(403), reply(404)] }),
  two: endpoint('GET /two', { response: ok(text), errors: [reply(403)] }),
}
export const server = serve(
  api,
  guard(api, ({ fail, endpoint }) => (endpoint.route === '' ? fail(403) : fail(404)), { one: () => 'one', two: () => 'two' }),
)
