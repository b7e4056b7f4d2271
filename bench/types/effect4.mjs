/** The program with Effect 4, whose package is in `effect4/`: a group for each part, its handlers and its client. */
import { ann, each } from './parts.mjs'

const groups = (/** @type {number} */ n) => `
const group${n} = HttpApiGroup.make('part${n}')
  .add(HttpApiEndpoint.get('point', '/part${n}/points/:x/:y', { params: At, success: Point }))
  .add(HttpApiEndpoint.get('users', '/part${n}/users', { query: Sorting, success: Schema.Array(User) }))
  .add(HttpApiEndpoint.post('marketing', '/part${n}/marketing', { payload: Info, success: Point }))
  .add(HttpApiEndpoint.put('replace', '/part${n}/users/:id', { params: Id, payload: User, success: User }))
  .add(HttpApiEndpoint.get('greet', '/part${n}/hello/:name', { params: Name, success: Greeting }))`

const handlers = (/** @type {number} */ n) => `
export const handlers${n} = HttpApiBuilder.group(api, 'part${n}', (handlers) =>
  handlers
    .handle('point', ({ params }) => Effect.succeed({ x: params.x, y: params.y }))
    .handle('users', ({ query }) => Effect.succeed([{ ...ann, age: query.sortby === 'age' ? ${n} : 0 }]))
    .handle('marketing', ({ payload }) => Effect.succeed({ x: payload.interests.length, y: payload.nick.length }))
    .handle('replace', ({ params, payload }) => Effect.succeed({ ...payload, age: params.id }))
    .handle('greet', ({ params }) => Effect.succeed({ msg: params.name })),
)`

const calls = (/** @type {number} */ n) => `
export const part${n} = Effect.gen(function* () {
  const client = yield* call
  const { x } = yield* client.part${n}.point({ params: { x: 1, y: 2 } })
  const [user] = yield* client.part${n}.users({ query: { sortby: 'age' } })
  const { y } = yield* client.part${n}.marketing({ payload: { name: 'Ann', interests: [], nick: 'x' } })
  const { age } = yield* client.part${n}.replace({ params: { id: 1 }, payload: ann })
  const { msg } = yield* client.part${n}.greet({ params: { name: 'Ann' } })
  return [x.toFixed(), user?.age.toFixed(), y.toFixed(), age.toFixed(), msg.at(0)]
})`

/** @param {number} parts */
export const program = (parts) => `import { HttpApi, HttpApiBuilder, HttpApiClient, HttpApiEndpoint, HttpApiGroup } from 'effect/http-api'
import { Effect, Schema } from 'effect'
const Point = Schema.Struct({ x: Schema.Int, y: Schema.Int })
const User = Schema.Struct({ name: Schema.String, age: Schema.Int, email: Schema.String, registered: Schema.String })
const Info = Schema.Struct({ name: Schema.String, interests: Schema.Array(Schema.String), nick: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed('x'))) })
const Greeting = Schema.Struct({ msg: Schema.String })
const int = Schema.FiniteFromString.check(Schema.isInt())
const At = { x: int, y: int }
const Sorting = { sortby: Schema.optional(Schema.Literals(['age', 'name'])) }
const Id = { id: int }
const Name = { name: Schema.String }
${ann}${each(parts, groups)}
const api = HttpApi.make('program')${each(parts, (n) => `\n  .add(group${n})`)}
${each(parts, handlers)}
const call = HttpApiClient.make(api, { baseUrl: 'http://127.0.0.1' })
${each(parts, calls)}
void [HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, Effect, At, Sorting, Id, Name, Point, User, Info, Greeting, ann, call]
`
