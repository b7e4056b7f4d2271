/** A handler whose endpoint is not there: a slip of the pen. */
import { endpoint, ok, text } from 'lapidary'
import { serve } from 'lapidary/server'

const api = { hello: endpoint('GET /hello', { response: ok(text) }) }

serve(api, { hello: () => 'Hello!', helo: () => 'Hello!' })
