/** Calls that choose the media type of the response: text in place of each body. Read by the compiler alone. */
import { content, created, endpoint, html, int, json, noContent, ok, reply, text } from 'lapidary'
import { type Call, client, type Representation } from 'lapidary/client'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const Stone = z.object({ name: z.string() })
const stone = content(
  Stone,
  json,
  html(({ name }) => name),
)
const api = {
  plain: endpoint('GET /plain', { response: ok(stone) }),
  counted: endpoint('GET /counted/:x', { params: { x: int }, response: ok(stone, { headers: { 'X-Count': int } }) }),
  several: endpoint('POST /several', { body: text, response: [created(stone), reply(202, text), noContent] }),
  nothing: endpoint('DELETE /nothing', { response: noContent }),
}
const call = client(api, 'http://127.0.0.1:8081')
const accept = 'text/html'

const plain = await call.plain({}, { accept })
yes<Same<typeof plain, string>>()
const counted = await call.counted({ params: { x: 1 } }, { accept, timeout: 9 })
yes<Same<typeof counted, { readonly body: string; readonly headers: { 'X-Count': number } }>>()
const several = await call.several({ body: 'a' }, { accept })
if (several.status === 201) void [several.body.length, several.headers.Location]
else if (several.status === 202) void several.body.length
else yes<Same<typeof several.body, undefined>>()
const value = await call.plain({}, { timeout: 9 })
yes<Same<typeof value, { name: string }>>()
yes<Same<Awaited<ReturnType<Call<typeof api.plain>>>, { name: string }>>()
yes<Same<Representation<undefined>, undefined>>()
