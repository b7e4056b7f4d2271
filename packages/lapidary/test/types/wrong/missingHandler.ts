/** One of two endpoints has no handler. */
import { endpoint, ok, text } from 'lapidary'
import { serve } from 'lapidary/server'

const api = {
  hello: endpoint('GET /hello', { response: ok(text) }),
  goodbye: endpoint('GET /goodbye', { response: ok(text) }),
}

serve(api, { hello: () => 'Hello!' })
