/** A handler yields an event that is not declared. */
import { endpoint, events, ok } from 'lapidary'
import { serve } from 'lapidary/server'
import { z } from 'zod'

const api = { changes: endpoint('GET /changes', { response: ok(events({ cut: z.object({ carat: z.number() }) })) }) }

serve(api, { changes: () => [{ event: 'sold', data: { carat: 1 } }] })
