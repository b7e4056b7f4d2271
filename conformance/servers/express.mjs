// A shelf of stones on Express behind express-openapi-validator: the document is written first, and checks requests and responses.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import express from 'express'
import * as OpenApiValidator from 'express-openapi-validator'
import { createShelf } from './shelf.mjs'

const apiSpec = fileURLToPath(new URL('./express.yaml', import.meta.url))
const shelf = createShelf()
const app = express()
app.use(express.json())
app.get('/openapi.yaml', (_request, response) => response.type('yaml').send(readFileSync(apiSpec)))
app.use(OpenApiValidator.middleware({ apiSpec, validateRequests: true, validateResponses: true }))
const missing = (response) => response.status(404).json({ message: 'There is no such stone.' })
app.get('/stones', (request, response) => response.json(shelf.search(request.query)))
app.post('/stones', (request, response) => {
  const stone = shelf.add(request.body)
  response.status(201).location(`/stones/${stone.id}`).json(stone)
})
app.get('/stones/:id', (request, response) => {
  const stone = shelf.get(Number(request.params.id))
  return stone === undefined ? missing(response) : response.json(stone)
})
app.put('/stones/:id', (request, response) => {
  const stone = shelf.replace(Number(request.params.id), request.body)
  return stone === undefined ? missing(response) : response.json(stone)
})
app.delete('/stones/:id', (request, response) => (shelf.remove(Number(request.params.id)) ? response.status(204).end() : missing(response)))
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ message: error.message })
})
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}/openapi.yaml\n`))
