import { endpoint, ok, text, webhook } from 'lapidary'
import { serve } from 'lapidary/server'

const api = { hello: endpoint('GET /hello', { response: ok(text) }), gone: webhook('gone', { body: text }) }
serve(api, { hello: () => 'hi', gone: () => {} })
