/** Another project, which has the declarations of the app alone: their types are those of its sources. */
import { link } from 'lapidary/links'
import { api, call, server } from './app.js'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only where both types are the same. */
const assertSame = <_Result extends true>(): void => {}

const point = await call.point({ params: { x: 1, y: 2 } })
assertSame<Same<typeof point, { x: number; y: number }>>()

const { body: people, headers } = await call.visitors()
assertSame<Same<(typeof people)[number]['born'], string>>()
assertSame<Same<(typeof headers)['X-Names'], readonly string[]>>()

const { body: receipt } = await call.order({ body: { item: 'tea', tags: [] } })
assertSame<Same<typeof receipt, { item: string; count: number }>>()

for await (const { age } of await call.stream()) assertSame<Same<typeof age, number>>()

const response = await server.fetch(new Request(`http://localhost${link(api.people.item, { params: { id: 1 } })}`))
assertSame<Same<typeof response, Response>>()

// @ts-expect-error: a capture that is no number
void call.point({ params: { x: 'one', y: 2 } })
// @ts-expect-error: a member that is missing
void call.order({ body: { item: 'tea' } })
