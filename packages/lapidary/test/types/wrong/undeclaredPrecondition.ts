/** A precondition where the description has none. */
import { endpoint, noContent } from 'lapidary'
import { serve } from 'lapidary/server'

serve(
  { remove: endpoint('DELETE /sign', { response: noContent }) },
  { remove: ({ precondition }) => precondition('Open') },
)
