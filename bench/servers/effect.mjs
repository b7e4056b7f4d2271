/** Effect: an HttpApi with its schemas, on its server for node:http. */
import { createServer } from 'node:http'
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApp, HttpServerResponse } from '@effect/platform'
import { NodeHttpServer, NodeRuntime } from '@effect/platform-node'
import { Effect, Layer, Schema, Stream } from 'effect'
import { email, greeting, hundred, many, thousand } from './data.mjs'
import { pageOf } from './pages.mjs'
import { ready } from './ready.mjs'
import { rows } from './sqlite.mjs'

const Integer = Schema.NumberFromString.pipe(Schema.int())
const Hello = Schema.Struct({ msg: Schema.String })
const Position = Schema.Struct({ xCoord: Schema.Int, yCoord: Schema.Int })
const ClientInfo = Schema.Struct({
  clientName: Schema.String,
  clientEmail: Schema.String,
  clientAge: Schema.Int,
  clientInterestedIn: Schema.Array(Schema.String),
})
const Email = Schema.Struct({ from: Schema.String, to: Schema.String, subject: Schema.String, body: Schema.String })
const Users = Schema.Array(Schema.Struct({ name: Schema.String, age: Schema.Int, email: Schema.String, registration_date: Schema.String }))
const Colors = Schema.Array(Schema.Struct({ name: Schema.String, rgb: Schema.Array(Schema.Int), hex: Schema.String }))

const everything = HttpApiGroup.make('everything')
  .add(
    HttpApiEndpoint.get('hello', '/hello')
      .setUrlParams(Schema.Struct({ name: Schema.optional(Schema.String) }))
      .addSuccess(Hello),
  )
  .add(
    HttpApiEndpoint.get('position', '/position/:x/:y')
      .setPath(Schema.Struct({ x: Integer, y: Integer }))
      .addSuccess(Position),
  )
  .add(HttpApiEndpoint.post('marketing', '/marketing').setPayload(ClientInfo).addSuccess(Email))
  .add(HttpApiEndpoint.get('hundred', '/hundred').addSuccess(Users))
  .add(HttpApiEndpoint.get('thousand', '/thousand').addSuccess(Users))
  .add(HttpApiEndpoint.get('stored', '/stored').addSuccess(Users))
  .add(
    HttpApiEndpoint.get('colors', '/colors')
      .setUrlParams(Schema.Struct({ after: Schema.String }))
      .addSuccess(Colors),
  )
  .add(HttpApiEndpoint.get('stream', '/stream').addSuccess(Schema.String))
const api = HttpApi.make('bench').add(everything)

const lines = () =>
  Stream.fromAsyncIterable(many(), String).pipe(
    Stream.map((user) => `${JSON.stringify(user)}\n`),
    Stream.encodeText,
  )

/** Headers are set as HttpApiBuilder itself sets its cookies: the items still go through their schema. @param {string} after */
const colors = (after) =>
  Effect.gen(function* () {
    const { items, headers } = pageOf(rows, after)
    yield* HttpApp.appendPreResponseHandler((_, response) => Effect.succeed(HttpServerResponse.setHeaders(response, headers)))
    return items
  })

const handlers = HttpApiBuilder.group(api, 'everything', (group) =>
  group
    .handle('hello', ({ urlParams }) => Effect.succeed(greeting(urlParams.name)))
    .handle('position', ({ path }) => Effect.succeed({ xCoord: path.x, yCoord: path.y }))
    .handle('marketing', ({ payload }) => Effect.succeed(email(payload)))
    .handle('hundred', () => Effect.succeed(hundred))
    .handle('thousand', () => Effect.succeed(thousand))
    .handle('stored', () => Effect.sync(() => rows.users()))
    .handle('colors', ({ urlParams }) => colors(urlParams.after))
    .handleRaw('stream', () => Effect.succeed(HttpServerResponse.stream(lines(), { contentType: 'application/x-ndjson' }))),
)

const server = createServer()
server.on('listening', () => ready(server.address().port))
const live = HttpApiBuilder.serve().pipe(
  Layer.provide(HttpApiBuilder.api(api).pipe(Layer.provide(handlers))),
  Layer.provide(NodeHttpServer.layer(() => server, { port: 0, host: '127.0.0.1' })),
)
NodeRuntime.runMain(Layer.launch(live))
