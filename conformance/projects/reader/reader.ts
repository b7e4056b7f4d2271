/** Another project, which has the declarations of the app alone: they say the same as its sources. */
import { link } from 'lapidary/links'
import { api, call, server } from './app.js'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Answer extends true>(): void => {}

const point = await call.point({ params: { x: 1, y: 2 } })
yes<Same<typeof point, { x: number; y: number }>>()

const { body: people, headers } = await call.visitors()
yes<Same<(typeof people)[number]['born'], string>>()
yes<Same<(typeof headers)['X-Names'], readonly string[]>>()

const { body: receipt } = await call.order({ body: { item: 'tea', tags: [] } })
yes<Same<typeof receipt, { item: string; count: number }>>()

for await (const { age } of await call.stream()) yes<Same<typeof age, number>>()

const answer = await server.fetch(new Request(`http://localhost${link(api.people.item, { params: { id: 1 } })}`))
yes<Same<typeof answer, Response>>()

// @ts-expect-error: a capture that is no number
void call.point({ params: { x: 'one', y: 2 } })
// @ts-expect-error: a member that is missing
void call.order({ body: { item: 'tea' } })
