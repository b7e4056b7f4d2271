/** The program with Effect: a group for each part, its handlers and its client. */
import { ann, each } from './parts.mjs'

const groups = (/** @type {number} */ n) => `
const group${n} = HttpApiGroup.make('part${n}')
  .add(HttpApiEndpoint.get('point', '/part${n}/points/:x/:y').setPath(At).addSuccess(Point))
  .add(HttpApiEndpoint.get('users', '/part${n}/users').setUrlParams(Sorting).addSuccess(Schema.Array(User)))
  .add(HttpApiEndpoint.post('marketing', '/part${n}/marketing').setPayload(Info).addSuccess(Point))
  .add(HttpApiEndpoint.put('replace', '/part${n}/users/:id').setPath(Id).setPayload(User).addSuccess(User))
  .add(HttpApiEndpoint.get('greet', '/part${n}/hello/:name').setPath(Name).addSuccess(Greeting))`

const handlers = (/** @type {number} */ n) => `
export const handlers${n} = HttpApiBuilder.group(api, 'part${n}', (handlers) =>
  handlers
    .handle('point', ({ path }) => Effect.succeed({ x: path.x, y: path.y }))
    .handle('users', ({ urlParams }) => Effect.succeed([{ ...ann, age: urlParams.sortby === 'age' ? ${n} : 0 }]))
    .handle('marketing', ({ payload }) => Effect.succeed({ x: payload.interests.length, y: payload.nick.length }))
    .handle('replace', ({ path, payload }) => Effect.succeed({ ...payload, age: path.id }))
    .handle('greet', ({ path }) => Effect.succeed({ msg: path.name })),
)`

const calls = (/** @type {number} */ n) => `
export const part${n} = Effect.gen(function* () {
  const client = yield* call
  const { x } = yield* client.part${n}.point({ path: { x: 1, y: 2 } })
  const [user] = yield* client.part${n}.users({ urlParams: { sortby: 'age' } })
  const { y } = yield* client.part${n}.marketing({ payload: { name: 'Ann', interests: [], nick: 'x' } })
  const { age } = yield* client.part${n}.replace({ path: { id: 1 }, payload: ann })
  const { msg } = yield* client.part${n}.greet({ path: { name: 'Ann' } })
  return [x.toFixed(), user?.age.toFixed(), y.toFixed(), age.toFixed(), msg.at(0)]
})`

/** @param {number} parts */
export const program = (parts) => `import { HttpApi, HttpApiBuilder, HttpApiClient, HttpApiEndpoint, HttpApiGroup } from '@effect/platform'
import { Effect, Schema } from 'effect'
const Point = Schema.Struct({ x: Schema.Int, y: Schema.Int })
const User = Schema.Struct({ name: Schema.String, age: Schema.Int, email: Schema.String, registered: Schema.String })
const Info = Schema.Struct({ name: Schema.String, interests: Schema.Array(Schema.String), nick: Schema.optionalWith(Schema.String, { default: () => 'x' }) })
const Greeting = Schema.Struct({ msg: Schema.String })
const int = Schema.NumberFromString.pipe(Schema.int())
const At = Schema.Struct({ x: int, y: int })
const Sorting = Schema.Struct({ sortby: Schema.optional(Schema.Literal('age', 'name')) })
const Id = Schema.Struct({ id: int })
const Name = Schema.Struct({ name: Schema.String })
${ann}${each(parts, groups)}
const api = HttpApi.make('program')${each(parts, (n) => `\n  .add(group${n})`)}
${each(parts, handlers)}
const call = HttpApiClient.make(api, { baseUrl: 'http://127.0.0.1' })
${each(parts, calls)}
void [HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, Effect, At, Sorting, Id, Name, Point, User, Info, Greeting, ann, call]
`
