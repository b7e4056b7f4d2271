/** `idempotent`, which changes no type of a handler or a call. Read by the compiler alone. */
import { endpoint, type Idempotent, ok, text } from 'lapidary'
import { type Call, client } from 'lapidary/client'
import { type IdempotencyStore, memoryIdempotencyStore, serve } from 'lapidary/server'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const plain = endpoint('POST /pay', { body: text, response: ok(text) })
const how: Idempotent = 'optional'
const api = {
  pay: endpoint('POST /pay', { body: text, response: ok(text), idempotent: 'required' }),
  add: endpoint('PATCH /add', { body: text, response: ok(text), idempotent: how }),
}
yes<Same<typeof api.pay, typeof plain>>()
yes<Same<Call<typeof api.pay>, Call<typeof plain>>>()

const call = client(api, 'http://127.0.0.1:8081', { retries: 3 })
await call.pay({ body: 'ruby' }, { idempotencyKey: 'a', retries: 0 })

interface User {
  readonly id: string
}
const store: IdempotencyStore = memoryIdempotencyStore({ maxEntries: 10, maxLength: 1_000, ttl: 1_000 })
const handlers = { pay: () => '', add: () => '' }
serve(api, handlers, { idempotency: { store, lease: 1_000, identify: ({ id }: User) => id } })
