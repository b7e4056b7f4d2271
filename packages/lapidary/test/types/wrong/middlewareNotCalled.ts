/** The list has middleware, which `requestId()` makes. */
import { endpoint, noContent } from 'lapidary'
import { requestId } from 'lapidary/middleware'
import { serve } from 'lapidary/server'

serve({ hello: endpoint('GET /hello', { response: noContent }) }, { hello: () => {} }, { middleware: [requestId] })
