/** A handler under a key that the API does not have. */
import { endpoint, ok, text } from 'lapidary'
import { serve } from 'lapidary/server'

const api = { hello: endpoint('GET /hello', { response: ok(text) }) }

serve(api, { hello: () => 'Hello!', farewell: () => 'Goodbye!' })
