/** Middleware returns a handler, not a response. */
import { endpoint, noContent } from 'lapidary'
import { serve } from 'lapidary/server'

const api = { hello: endpoint('GET /hello', { response: noContent }) }
serve(api, { hello: () => {} }, { middleware: [() => ({ status: 503, headers: [], body: null })] })
