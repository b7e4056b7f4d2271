/** Express 5, with its own JSON parser and zod, an entity tag on each answer as it has by itself. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import express from 'express'
import { email, greeting, hundred, many, thousand } from './data.mjs'
import { pageOf } from './pages.mjs'
import { ready } from './ready.mjs'
import { ClientInfo, HelloQuery, PageQuery, PositionParams } from './schemas.mjs'
import { rows } from './sqlite.mjs'

const app = express()
// As its guide on production says.
app.set('env', 'production')

/** What a schema makes of one part of a request; 400 where it makes nothing of it. */
const valid = (schema, part, handler) => (request, response) => {
  const read = schema.safeParse(request[part])
  if (read.success) return handler(read.data, response)
  return response.status(400).json({ errors: read.error.issues })
}

app.get(
  '/hello',
  valid(HelloQuery, 'query', ({ name }, response) => response.json(greeting(name))),
)
app.get(
  '/position/:x/:y',
  valid(PositionParams, 'params', ({ x, y }, response) => response.json({ xCoord: x, yCoord: y })),
)
app.post(
  '/marketing',
  express.json(),
  valid(ClientInfo, 'body', (client, response) => response.json(email(client))),
)
app.get('/hundred', (_, response) => response.json(hundred))
app.get('/thousand', (_, response) => response.json(thousand))
app.get('/stored', (_, response) => response.json(rows.users()))
app.get('/tagged', (_, response) => response.json(hundred))
app.get(
  '/colors',
  valid(PageQuery, 'query', ({ after }, response) => {
    const { items, headers } = pageOf(rows, after)
    response.set(headers).json(items)
  }),
)
app.get('/stream', async (_, response) => {
  response.type('application/x-ndjson')
  const lines = async function* () {
    for await (const user of many()) yield `${JSON.stringify(user)}\n`
  }
  await pipeline(Readable.from(lines()), response)
})
// Without it each bad request is written to the standard error.
app.use((error, _request, response, _next) => response.status(error.status ?? 500).json({ errors: [{ message: error.message }] }))

const server = app.listen(0, '127.0.0.1', () => ready(server.address().port))
