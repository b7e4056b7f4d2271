/** Server-sent events: what a handler yields, and what a call gives. Read by the compiler alone. */
import { endpoint, events, int, noContent, ok, optional, respond, type ServerSentEvent } from 'lapidary'
import { type CallOptions, client, resume } from 'lapidary/client'
import { type Handlers, serve } from 'lapidary/server'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const Stone = z.object({ carat: z.number(), day: z.string().transform((day) => new Date(day)) })
const Job = z.object({ progress: z.number() })

const api = {
  plain: endpoint('GET /plain', { response: ok(events(Stone)) }),
  changes: endpoint('GET /changes', {
    headers: { 'Last-Event-ID': optional(int) },
    response: ok(events({ cut: Stone, sold: Job }, { heartbeat: 5_000 })),
  }),
  ending: endpoint('GET /ending', { response: [ok(events(Job)), noContent] }),
}

export const handlers: Handlers<typeof api> = {
  plain: () => [{ data: { carat: 1, day: '2024-02-29' }, id: '1', retry: 5 }],
  changes: async function* ({ headers }) {
    const last = headers['Last-Event-ID'] ?? 0
    yes<Same<typeof last, number>>()
    yield { event: 'cut', data: { carat: last, day: '2024-02-29' } }
    yield { event: 'sold', data: { progress: 1 }, id: `${last + 1}` }
  },
  ending: () => respond(204),
}
serve(api, handlers)

// Handlers of any kind of iterable.
serve(
  { plain: api.plain },
  {
    plain: function* () {
      yield { data: { carat: 1, day: '2024-02-29' } }
    },
  },
)

const call = client(api, 'http://127.0.0.1:8081')

for await (const event of await call.plain()) {
  yes<Same<typeof event, ServerSentEvent<{ carat: number; day: Date }>>>()
  yes<Same<typeof event.id, string | undefined>>()
}
for await (const change of await call.changes()) {
  yes<Same<typeof change.event, 'cut' | 'sold'>>()
  if (change.event === 'cut') yes<Same<typeof change.data, { carat: number; day: Date }>>()
  else yes<Same<typeof change.data, { progress: number }>>()
}
for await (const change of resume((options) => call.changes({}, options), { lastEventId: '7' }))
  yes<Same<typeof change.event, 'cut' | 'sold'>>()
const connect = async (options: CallOptions) => {
  const response = await call.ending({}, options)
  return response.status === 200 ? response.body : undefined
}
for await (const { data } of resume(connect)) yes<Same<typeof data, { progress: number }>>()
