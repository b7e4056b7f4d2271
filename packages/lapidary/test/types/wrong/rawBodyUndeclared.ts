/** A handler reads the bytes of a body, which the endpoint does not declare. */
import { endpoint, noContent, text } from 'lapidary'
import { serve } from 'lapidary/server'

const api = { receive: endpoint('POST /hooks', { body: text, response: noContent }) }

serve(api, { receive: ({ body, rawBody }) => void [body, rawBody] })
