/** A handler leaves out the headers that its reply declares. */
import { endpoint, int, ok, text } from 'lapidary'
import { serve } from 'lapidary/server'

const api = { counted: endpoint('GET /counted', { response: ok(text, { headers: { 'X-Count': int } }) }) }

serve(api, { counted: () => 'one' })
