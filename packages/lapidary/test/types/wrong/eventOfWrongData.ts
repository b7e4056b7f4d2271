/** A handler yields an event with the data of another one. */
import { endpoint, events, ok } from 'lapidary'
import { serve } from 'lapidary/server'
import { z } from 'zod'

const api = {
  changes: endpoint('GET /changes', { response: ok(events({ cut: z.object({ carat: z.number() }), sold: z.object({ price: z.number() }) })) }),
}

serve(api, {
  changes: async function* () {
    yield { event: 'sold', data: { carat: 1 } }
  },
})
