/** `deprecated` and `tags`, which change no type of a handler or a call. Read by the compiler alone. */
import { type Deprecation, endpoint, int, ok, text } from 'lapidary'
import { type Call, client } from 'lapidary/client'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const plain = endpoint('GET /stones/:id', { params: { id: int }, response: ok(text) })
const ending: Deprecation = { sunset: new Date('2027-01-01') }
const api = {
  ending: endpoint('GET /stones/:id', { params: { id: int }, response: ok(text), deprecated: ending, tags: ['stones'] }),
  old: endpoint('GET /old', { response: ok(text), deprecated: true }),
  whole: endpoint('GET /whole', { response: ok(text), deprecated: { since: new Date(0), sunset: new Date(1), link: '/news' }, tags: [] }),
}
yes<Same<typeof api.ending, typeof plain>>()
yes<Same<Call<typeof api.ending>, Call<typeof plain>>>()

const call = client(api, 'http://127.0.0.1:8081')
const opal = await call.ending({ params: { id: 1 } })
yes<Same<typeof opal, string>>()
