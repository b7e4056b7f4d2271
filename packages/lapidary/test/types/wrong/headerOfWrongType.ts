/** A header is an integer, and the handler gives a text. */
import { endpoint, int, ok, text, withHeaders } from 'lapidary'
import { serve } from 'lapidary/server'

const api = { counted: endpoint('GET /counted', { response: ok(text, { headers: { 'X-Count': int } }) }) }

serve(api, { counted: () => withHeaders('one', { 'X-Count': '1' }) })
